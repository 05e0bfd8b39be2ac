"""A small data-parallel training job on the CPU in which one rank can be made to fail.

Started by torchrun: ``torchrun --standalone --nproc-per-node 4 train.py --fault kill --rank 2``.
"""

import argparse
import os
import signal
import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

FEATURES = 16
BATCH = 8


def fail(fault: str) -> None:
    """Does to this process what the fault says; ``leave`` is the caller's to do."""
    if fault == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "raise":
        raise ValueError("sample 4711 has 3 labels, 2 were expected")


def train(steps: int, fault: str, guilty: int, at: int) -> None:
    """Trains a linear model for some steps; the guilty rank fails before it computes step ``at``."""
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(FEATURES, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(steps):
        if rank == guilty and step == at:
            fail(fault)
            if fault == "leave":
                return
        loss = model(torch.randn(BATCH, FEATURES)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"[rank{rank}]: step {step} | loss {loss.item():.4f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--fault", choices=["none", "kill", "raise", "leave"], default="none")
    parser.add_argument("--rank", type=int, default=-1, help="the rank that fails")
    parser.add_argument("--at", type=int, default=3, help="the step at which it fails")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    status = 0
    try:
        train(args.steps, args.fault, args.rank, args.at)
        dist.destroy_process_group()
    except Exception:
        sys.excepthook(*sys.exc_info())
        status = 1
    # Torn down in the usual way, a process of the CPU build now and then aborts, whatever its end was.
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
