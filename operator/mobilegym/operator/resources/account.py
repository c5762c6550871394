"""The ServiceAccount of a run's pods: an identity without any right and without a token."""

from __future__ import annotations

from mobilegym.operator import names
from mobilegym.operator.resources.context import Context
from mobilegym.operator.resources.stamp import Object, named, stamp


def account(context: Context) -> Object:
    body = {"automountServiceAccountToken": False}
    return stamp(named(context, "v1", "ServiceAccount", names.account_name(context.name)) | body)
