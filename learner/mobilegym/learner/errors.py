"""How a learner fails before it has started.

SetupError               another try is of no use (exit 2)
 x NoTasks               sampler: the manifest selects no template
 x RanksChanged          engine: the checkpoint is another number of ranks'
 x NoCheckpoint          checkpoint: the run has trained before, and its checkpoints are gone
"""

from __future__ import annotations


class SetupError(Exception):
    """The message says what to change."""
