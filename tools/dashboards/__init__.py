"""Dashboards and alerts as code: `make dashboards` writes files, `check` asks a Prometheus."""

from tools.dashboards.live import check

__all__ = ["check"]
