"""The samples of one run, as far back as they are of one piece."""

from __future__ import annotations

from mobilegym.operator.autoscale.sample import Doing, Sample

LIMIT = 160  # samples kept; older ones stand further and further apart
SPACING = 1 / 12  # of the up window
GAP_SECONDS = 60.0  # between two samples, over which nothing is known


class History:
    """Begins anew after a gap, a learner's restart or a lost stream: what was counted before does not add up with
    what is counted after."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def add(self, sample: Sample, window_seconds: float) -> None:
        """Samples closer than a twelfth of the window are merged. One older than the last is not taken."""
        if not sample.doing.alive or sample.doing is Doing.STARTING:
            self.samples.clear()
            return
        if self.samples and sample.at <= self.samples[-1].at:
            return
        if self.samples and broken(self.samples[-1], sample):
            self.samples.clear()
        if self._crowded(sample, window_seconds * SPACING):
            self.samples[-1] = sample
        else:
            self.samples.append(sample)
        if len(self.samples) > LIMIT:
            half = LIMIT // 2
            self.samples = self.samples[:half:2] + self.samples[half:]

    def _crowded(self, sample: Sample, spacing: float) -> bool:
        if len(self.samples) < 2:
            return False
        before, last = self.samples[-2:]
        same = (before.step, before.doing) == (last.step, last.doing) == (sample.step, sample.doing)
        return same and sample.at - before.at < spacing


def broken(a: Sample, b: Sample) -> bool:
    restarted = b.step < a.step or (a.waited is not None and b.waited is not None and b.waited < a.waited)
    return restarted or b.produced < a.produced or b.at - a.at > GAP_SECONDS
