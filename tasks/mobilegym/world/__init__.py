"""The seeded world: one invented life, consistent over all apps."""
