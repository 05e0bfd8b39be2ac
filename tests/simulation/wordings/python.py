"""Tracebacks of Python, with or without the rank before every line."""

from tests.simulation.eras import Era

_TORCH = "/opt/venv/lib/python3.11/site-packages/torch"

_FRAMES = {
    "loss": ((f"{_TORCH}/_tensor.py", 623, "backward", "torch.autograd.backward("),
             (f"{_TORCH}/autograd/__init__.py", 395, "backward", "_engine_run_backward(")),
    "data": (("/srv/job/data.py", 88, "__getitem__", "record = self.table[index]"),),
    "model": (("/srv/job/model.py", 141, "forward", "hidden = self.block(hidden, mask)"),
              (f"{_TORCH}/nn/modules/module.py", 1751, "_wrapped_call_impl", "return self._call_impl(*args, **kwargs)")),
    "barrier": ((f"{_TORCH}/distributed/distributed_c10d.py", 5435, "monitored_barrier", "return group_to_use.monitored_barrier("),),
    "item": ((f"{_TORCH}/distributed/c10d_logger.py", 81, "wrapper", "return func(*args, **kwargs)"),
             (f"{_TORCH}/distributed/distributed_c10d.py", 2810, "all_reduce", "work.wait()")),
}  # fmt: skip


def traceback(era: Era, rank: int, script: str, where: str, error: str) -> str:
    """An uncaught exception as its process writes it."""
    lines = ["Traceback (most recent call last):"]
    own = ((script, 212, "<module>", "main()"), (script, 177, "main", "train_step(model, batch)"))
    for file, line, function, source in (*own, *_FRAMES[where]):
        lines += [f'  File "{file}", line {line}, in {function}', f"    {source}"]
    return prefixed(era, rank, "\n".join([*lines, error]))


def prefixed(era: Era, rank: int, text: str) -> str:
    """``[rankN]: `` before every line that is not empty, where torch does that."""
    if not era.traceback_has_rank:
        return text
    return "\n".join(f"[rank{rank}]: {line}" if line else line for line in text.split("\n"))


def leaving(era: Era, rank: int, now: str) -> str:
    """What torch says of a process group that was not destroyed, on any unclean way out."""
    if era.header != "stamped":
        return ""
    if era.name in ("2.4", "2.5"):
        text = (
            f"[W{now} ProcessGroupNCCL.cpp:1168] Warning: WARNING: process group has NOT been destroyed before we destruct "
            "ProcessGroupNCCL. On normal program exit, the application should call destroy_process_group to ensure that any "
            "pending NCCL operations have finished in this process."
        )
    else:
        text = (
            f"[W{now} ProcessGroupNCCL.cpp:1476] Warning: WARNING: destroy_process_group() was not called before program exit, "
            "which can leak resources. For more info, please see https://pytorch.org/docs/stable/distributed.html#shutdown "
            "(function operator())"
        )
    return f"[rank{rank}]:{text}"
