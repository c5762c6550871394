"""GPUs by the product name that NVIDIA's feature discovery puts on a node."""

from __future__ import annotations

from dataclasses import dataclass

GB = 1e9


@dataclass(frozen=True, kw_only=True, slots=True)
class Gpu:
    name: str
    memory: float  # bytes
    flops: float  # bf16 with fp32 accumulation, dense, a second


_KNOWN = (
    ("RTX-PRO-6000-Blackwell", Gpu(name="RTX Pro 6000 Blackwell", memory=96 * GB, flops=250e12)),
    ("H200", Gpu(name="H200", memory=141 * GB, flops=989e12)),
    ("H100-NVL", Gpu(name="H100 NVL", memory=94 * GB, flops=835e12)),
    ("H100", Gpu(name="H100", memory=80 * GB, flops=989e12)),
    ("A100-SXM4-40GB", Gpu(name="A100 40 GB", memory=40 * GB, flops=312e12)),
    ("A100-PCIE-40GB", Gpu(name="A100 40 GB", memory=40 * GB, flops=312e12)),
    ("A100", Gpu(name="A100 80 GB", memory=80 * GB, flops=312e12)),
    ("RTX-6000-Ada", Gpu(name="RTX 6000 Ada", memory=48 * GB, flops=182e12)),
    ("L40S", Gpu(name="L40S", memory=48 * GB, flops=181e12)),
    ("RTX-4090", Gpu(name="RTX 4090", memory=24 * GB, flops=165e12)),
    ("L4", Gpu(name="L4", memory=24 * GB, flops=60e12)),
)


def gpu(product: str) -> Gpu | None:
    """The first known GPU whose name stands in `product`; None for an unknown one."""
    return next((known for part, known in _KNOWN if part.lower() in product.lower()), None)


def smallest(products: tuple[str, ...]) -> tuple[Gpu | None, tuple[str, ...]]:
    """Of the products allowed, the one with the least memory; and the products not known."""
    found = {product: gpu(product) for product in products}
    known = [g for g in found.values() if g is not None]
    return min(known, key=lambda g: g.memory, default=None), tuple(p for p, g in found.items() if g is None)
