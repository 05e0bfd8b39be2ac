"""What stands in every log beside progress, and means nothing?"""

import random
from datetime import datetime

from tests.simulation.training.run import Run
from tests.simulation.wordings import nccl

_WARNINGS = (
    "/opt/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py:460: UserWarning: torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. In version 2.5 we will raise an exception if use_reentrant is not passed.\n  warnings.warn(",
    "/srv/run/model.py:88: FutureWarning: `torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', args...)` instead.\n  with torch.cuda.amp.autocast(enabled=True):",
    "/opt/venv/lib/python3.11/site-packages/torch/optim/lr_scheduler.py:143: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.\n  warnings.warn(",
    "huggingface/tokenizers: The current process just got forked, after parallelism has already been used. Disabling parallelism to avoid deadlocks...\nTo disable this warning, you can either:\n\t- Avoid using `tokenizers` before the fork if possible\n\t- Explicitly set the environment variable TOKENIZERS_PARALLELISM=(true | false)",
    "The attention mask is not set and cannot be inferred from input because pad token is same as eos token. As a consequence, you may observe unexpected behavior.",
    "`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.",
    "Token indices sequence length is longer than the specified maximum sequence length for this model (9312 > 8192). Running this sequence through the model will result in indexing errors",
    "WARNING:root:apex is not installed. Using the LayerNorm of torch instead.",
    "{day} {clock}.413377: I tensorflow/core/platform/cpu_feature_guard.cc:182] This TensorFlow binary is optimized to use available CPU instructions in performance-critical operations.",
    "Loading checkpoint shards: 100%|██████████| 4/4 [00:07<00:00,  1.81s/it]",
    "wandb: WARNING Step must only increase in log calls. Step 12 < 13; dropping {'time': 4}.",
    "/opt/venv/lib/python3.11/site-packages/torch/distributed/fsdp/_state_dict_utils.py:773: FutureWarning: Please use DTensor instead and we are deprecating ShardedTensor.\n  if _is_sharded:",
)
_CONFIGS = (
    "args: Namespace(batch_size=8, grad_clip=1.0, nan_policy='skip', max_steps=100000, timeout=1800, loss_scale=None, on_oom='raise')",
    '{\n  "architectures": ["LlamaForCausalLM"],\n  "initializer_range": 0.02,\n  "learning_rate": 0.0,\n  "resume": null,\n  "error_if_nonfinite": false\n}',
    "optimizer: AdamW (lr: 0.0003, betas: [0.9, 0.95], weight_decay: 0.1)\nscheduler: warmup 2000 steps\nseed: 1234",
)
_LATER = (
    "wandb: Network error (ReadTimeout), entering retry loop.",
    "Grad strides do not match bucket view strides. This may indicate grad was not created according to the gradient layout contract, or that the param's strides changed since DDP was constructed.",
    "/srv/run/data.py:41: UserWarning: 3 records without text were left out\n  warnings.warn(",
    "[rank{rank}]:W{glog} {clock}.123000 8123 torch/_dynamo/convert_frame.py:906] [0/8] torch._dynamo hit config.cache_size_limit (8)",
)


def at_start(run: Run, at: float, rank: int, chance: random.Random, *, shows_nccl: bool) -> list[str]:
    lines = chance.sample(_WARNINGS, chance.randrange(0, 4))
    if rank == 0:
        lines.insert(0, chance.choice(_CONFIGS))
    lines = [_filled(line, run.at(at), rank) for line in lines]
    if shows_nccl and run.size > 1:
        host = run.hosts[rank // run.per_host]
        address = f"10.{run.number % 200}.7.{11 + rank // run.per_host}"
        local = rank % run.per_host
        peer = nccl.Peer(host, address, 4000 + run.number % 9000 + local, local, rank, run.size, "2.21.5")
        lines += [*nccl.starting(peer, "0"), *nccl.complete(peer, "0")]
    return lines


def later(run: Run, at: float, rank: int, chance: random.Random) -> str:
    return _filled(chance.choice(_LATER), run.at(at), rank)


def _filled(text: str, now: datetime, rank: int) -> str:
    stamps = {"{day}": f"{now:%Y-%m-%d}", "{clock}": f"{now:%H:%M:%S}", "{glog}": f"{now:%m%d}", "{rank}": str(rank)}
    for hole, value in stamps.items():
        text = text.replace(hole, value)
    return text
