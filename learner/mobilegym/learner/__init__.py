"""The GRPO learner: trajectories in, policy versions out."""
