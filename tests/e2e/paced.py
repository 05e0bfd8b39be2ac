"""A small data-parallel training job on the CPU with a pace, in which one rank can stop in its data loading for ever.

Started by torchrun: ``torchrun --standalone --nproc-per-node 4 paced.py --hang-at 20 --rank 2 --timeout 60``. Every rank
prints a step when its loss is known, before gradients are exchanged.
"""

import argparse
import datetime
import os
import sys
import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

FEATURES = 16
BATCH = 8


def load(step: int, seconds: float, hang_at: int) -> torch.Tensor:
    """A batch, as soon as it is there; that of one step never is."""
    time.sleep(3600 if step == hang_at else seconds)
    return torch.randn(BATCH, FEATURES)


def train(args: argparse.Namespace) -> None:
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = DistributedDataParallel(torch.nn.Linear(FEATURES, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    hang_at = args.hang_at if rank == args.rank else -1
    for step in range(1, args.steps + 1):
        loss = model(load(step, args.pace, hang_at)).square().mean()
        print(f"[rank{rank}]: step {step}/{args.steps} | loss {loss.item():.4f}", flush=True)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step in args.pauses:
            time.sleep(args.pause)  # As an evaluation takes, or a checkpoint, of which no line tells.
            dist.barrier()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--pace", type=float, default=0.3, help="seconds for a batch")
    parser.add_argument("--rank", type=int, default=-1, help="the rank that stops")
    parser.add_argument("--hang-at", type=int, default=-1, help="the step whose batch never comes")
    parser.add_argument("--timeout", type=float, default=60, help="seconds that a collective may take")
    parser.add_argument("--pauses", type=int, nargs="*", default=[], help="steps behind which all ranks pause")
    parser.add_argument("--pause", type=float, default=8, help="seconds of a pause")
    args = parser.parse_args()
    dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=args.timeout))
    status = 0
    try:
        train(args)
        dist.destroy_process_group()
    except Exception:
        sys.excepthook(*sys.exc_info())
        status = 1
    # Torn down in the usual way, a process of the CPU build now and then aborts, whatever its end was.
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
