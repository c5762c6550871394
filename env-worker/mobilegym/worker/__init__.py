"""The rollout loop: agents that act on phones, episodes that are leased, judged and pushed."""
