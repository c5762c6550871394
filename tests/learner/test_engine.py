"""The engine gives the same parameters whatever the ranks and however rows are spread over them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = """
import json, sys
import torch
from pathlib import Path
from mobilegym.learner.engine import Engine, EngineError, OptimizerConfig

torch.set_num_threads(1)
torch.manual_seed(0)
out, spread, overlap = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3] == "overlap"
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 4))
model[0].bias.requires_grad_(False)
rows = torch.randn(6, 8)
zero = {
    "train_micro_batch_size_per_gpu": 1,
    "gradient_clipping": 1.0,
    "steps_per_print": 2**31 - 1,
    "zero_optimization": {"stage": 1, "overlap_comm": overlap, "reduce_bucket_size": 64, "allgather_bucket_size": 64},
}
engine = Engine(model, OptimizerConfig(lr=1e-2, warmup_steps=3), zero, device="cpu")

def update(times):
    norms = []
    for _ in range(times):
        for lot in spread[engine.rank]:
            engine.accumulate(engine.module(rows[lot]).pow(2).sum() / len(rows))
        norms.append(engine.update())
    return norms

for lot in spread[engine.rank][:1]:  # dropped again: an interrupted update leaves no trace
    engine.accumulate(engine.module(rows[lot]).sum())
assert engine.agree(engine.rank == 0) and not engine.agree(False)
engine.forget()
norms = update(2)
engine.save(out)
engine.barrier()
norms += update(2)
after = [p.detach().clone() for p in model.parameters()]
engine.load(out, updates=2)
norms += update(2)
assert all(torch.equal(a, b) for a, b in zip(after, model.parameters())), "a resumed engine drifts"
assert engine.sums([1.0, 2.0]) == [float(engine.ranks), 2.0 * engine.ranks]
assert engine.broadcast({"rank": engine.rank}) == {"rank": 0}
if engine.rank == 0:
    values = [p.double().flatten().tolist() for p in model.parameters()]
    (out / "result.json").write_text(json.dumps({"norms": norms, "values": values}))
engine.close()
"""


def spread_over(tmp_path: Path, spread: list[list[list[int]]], mode: str = "plain") -> dict[str, list[float]]:
    out = tmp_path / f"{len(spread)}-{abs(hash(str(spread)))}-{mode}"
    out.mkdir()
    (out / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(len(spread)), "--rdzv-backend"]
    command += ["c10d", "--rdzv-endpoint", "127.0.0.1:0", str(out / "script.py"), str(out), json.dumps(spread), mode]
    compiled = out / "compiled"
    environment = os.environ | {"OMP_NUM_THREADS": "1", "TORCH_EXTENSIONS_DIR": str(compiled)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert not compiled.exists(), "nothing is compiled at a start: a pod would do it each time"
    result: dict[str, list[float]] = json.loads((out / "result.json").read_text())
    return result


@pytest.mark.timeout(2400)
def test_the_spread_over_ranks_changes_nothing(tmp_path: Path) -> None:
    """One rank; two unequal ones; two of which one has nothing to do; overlapped communication."""
    alone = spread_over(tmp_path, [[[0, 1, 2, 3, 4, 5]]])
    others = [
        spread_over(tmp_path, [[[0], [1]], [[2, 3, 4, 5]]]),
        spread_over(tmp_path, [[], [[0, 1, 2], [3], [4, 5]]], "overlap"),
    ]
    assert alone["norms"][2:4] == alone["norms"][4:6]
    for other in others:
        assert other["norms"] == pytest.approx(alone["norms"], rel=1e-5)
        for mine, theirs in zip(alone["values"], other["values"], strict=True):
            assert theirs == pytest.approx(mine, abs=1e-5)
