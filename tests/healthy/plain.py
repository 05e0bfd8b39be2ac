"""Scripts of one's own under torchrun, spawn and accelerate."""

from tests.healthy import noise, quoted
from tests.healthy.log import Family, Log


def torchrun(log: Log) -> None:
    log.say("+ torchrun --nnodes 2 --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint node-7:29500 train.py")
    log.say(noise.OMP)
    noise.start(log)
    quoted.config(log)
    while log.has_room():
        log.say(
            f"{{day}} {{clock}},{{ms}} INFO step {log.step} loss {log.loss:.4f} grad_norm {log.norm:.3f} lr 3.0e-04 time {log.seconds:.3f}s"
        )
        noise.on_the_way(log)
        quoted.sample(log)
    log.say("{day} {clock},{ms} INFO training finished, model saved to /ckpt/final")
    noise.end(log)


def rank_files(log: Log) -> None:
    """A file for every rank, each with labels of torch."""
    ranks = 4
    for rank in range(ranks):
        noise.start(log, most=4, file=f"logs/rank_{rank}.log")
    while log.has_room():
        loss = log.loss
        for rank in range(ranks):
            file = f"logs/rank_{rank}.log"
            log.say(
                f"{{day}} {{clock}},{{ms}} - rank {rank} - INFO - epoch 0 step {log.step} loss {loss + log.chance.gauss(0, 0.002):.4f} time {log.seconds:.3f}",
                file,
            )
            noise.on_the_way(log, 0.01, file=file)
    for rank in range(ranks):
        log.say("{day} {clock},{ms} - INFO - done", f"logs/rank_{rank}.log")
        noise.end(log, file=f"logs/rank_{rank}.log")


def tee(log: Log) -> None:
    """torchrun --tee 3: all ranks in one file, and workers that end in any order."""
    log.say(noise.OMP)
    while log.has_room():
        loss = log.loss
        for rank in log.chance.sample(range(8), 8):
            log.say(
                f"step {log.step:>6} | loss {loss + log.chance.gauss(0, 0.001):.4f} | nan skipped 0 | mem 61.2GiB | {log.seconds * 1000:.1f} ms",
                label=f"[default{rank}]:",
            )
        noise.on_the_way(log, 0.01, label="[default0]:")
    for rank in range(8):
        log.say("training done after {clock}", label=f"[default{rank}]:")
    noise.end(log, label="[default0]:")
    log.say("+ exit 0")


def script_trace(log: Log) -> None:
    """A batch script under ``set -x`` that asks for, and speaks of, all kinds of trouble."""
    log.say("+ set -euo pipefail\n+ export NCCL_DEBUG=WARN\n+ NCCL_DEBUG=WARN\n+ MAX_RETRIES=3\n+ attempt=0")
    log.say(
        "++ dmesg\n++ grep -c 'Out of memory: Killed process'\n+ oom_kills=0\n+ '[' 0 -gt 0 ']'\n++ grep -c 'NVRM: Xid'\n+ xids=0\n+ '[' 0 -gt 0 ']'"
    )
    log.say(
        "+ on_error() { echo 'ERROR: training failed, CUDA error: device-side assert triggered or NCCL timeout' ; exit 1; }"
    )
    log.say(
        "+ trap on_error ERR\n+ until python -u train.py --resume auto; do echo 'torch.OutOfMemoryError: CUDA out of memory, retrying'; done"
    )
    noise.start(log)
    while log.has_room():
        log.say(
            f"Epoch [1][{log.step}/20000] Loss {log.loss:.4f} Time {log.seconds:.3f} Error {log.chance.uniform(0.2, 0.3):.4f} Timeouts 0"
        )
        noise.on_the_way(log)
    log.say("Training complete\n+ echo 'exit code: 0, failed: 0'\nexit code: 0, failed: 0\n+ exit 0")


def accelerate(log: Log) -> None:
    log.say(
        "The following values were not passed to `accelerate launch` and had defaults used instead:\n\t`--num_processes` was set to a value of `8`\n\t\tMore than one GPU was found, enabling multi-GPU training.\n\t\tIf this was unintended please pass in `--num_processes=1`.\n\t`--dynamo_backend` was set to a value of `'no'`\nTo avoid this warning pass in values for each of the problematic parameters or run `accelerate config`."
    )
    noise.start(log)
    for rank in range(8):
        log.say(
            f"{{month}}/2026 {{clock}} - INFO - __main__ - Distributed environment: DistributedType.MULTI_GPU  Backend: nccl\nNum processes: 8\nProcess index: {rank}\nLocal process index: {rank}\nDevice: cuda:{rank}\n"
        )
    log.say(
        "{month}/2026 {clock} - INFO - __main__ - ***** Running training *****\n{month}/2026 {clock} - INFO - __main__ -   Num examples = 833\n{month}/2026 {clock} - INFO - __main__ -   Instantaneous batch size per device = 1"
    )
    log.say("Steps:   0%|          | 0/15000 [00:00<?, ?it/s]")
    while log.has_room():
        log.say(
            f"Steps:   {log.step * 100 // 100000}%|          | {log.step}/100000 [{log.step * 15 // 600:02}:{log.step * 15 // 10 % 60:02}<41:00:00,  {log.seconds:.2f}s/it, lr=1e-5, step_loss={log.loss * 0.05:.3g}]"
        )
        noise.on_the_way(log, 0.01)
    log.say("{month}/2026 {clock} - INFO - accelerate.checkpointing - Model weights saved in out/model.safetensors")
    noise.end(log)


FAMILIES = (
    Family("torchrun", torchrun),
    Family("rank-files", rank_files),
    Family("tee", tee),
    Family("script-trace", script_trace),
    Family("accelerate", accelerate),
)
