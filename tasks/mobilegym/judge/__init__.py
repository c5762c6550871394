"""The judge: a pure function from how an episode ended to a verdict."""
