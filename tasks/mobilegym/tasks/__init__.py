"""Task templates, their oracles and their certificate."""
