"""The policy engine: a vision-language model behind an OpenAI-compatible endpoint that also swaps weights."""
