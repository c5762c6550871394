"""The MobileGymRun resource, made from the manifest's models."""

from mobilegym.operator.crd.definition import crd, schema_hash

__all__ = ["crd", "schema_hash"]
