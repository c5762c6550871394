"""The local executor: one manifest as processes on this machine."""
