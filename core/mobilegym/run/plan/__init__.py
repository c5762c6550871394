"""What a run needs of its GPUs, in bytes and seconds, before it starts."""

from mobilegym.run.plan.fit import require_fit
from mobilegym.run.plan.plan import Line, Plan, PlanError, make_plan

__all__ = ["Line", "Plan", "PlanError", "make_plan", "require_fit"]
