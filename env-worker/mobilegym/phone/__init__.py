"""A phone as a page of a headless browser: sessions, frames, gestures, and the pool that keeps many alive."""
