"""All dashboards."""

from __future__ import annotations

from tools.dashboards.boards.engine import ENGINE
from tools.dashboards.boards.fleet import FLEET
from tools.dashboards.boards.learner import LEARNER
from tools.dashboards.boards.streams import STREAMS
from tools.dashboards.boards.training import TRAINING

BOARDS = (TRAINING, FLEET, STREAMS, LEARNER, ENGINE)
