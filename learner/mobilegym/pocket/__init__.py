"""The pocket policy: a small Qwen3-VL, built offline and warmed by imitating the oracle."""
