"""Discard reasons that the streams themselves give."""

POISON = "poison: three deliveries and no trajectory"
UNDECODABLE = "undecodable"
