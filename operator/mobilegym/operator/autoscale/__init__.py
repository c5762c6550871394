"""How many workers a learner needs so that it does not starve: pure, and told the time."""
