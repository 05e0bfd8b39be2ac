"""How the caching allocator says that GPU memory is full, release by release."""

import random

from tests.simulation.eras import Era


def gpu_out_of_memory(era: Era, device: int, chance: random.Random) -> str:
    wanted, free = chance.choice(("2.00 GiB", "512.00 MiB", "1.27 GiB")), f"{chance.uniform(50, 480):.2f} MiB"
    head = f"{era.out_of_memory}: CUDA out of memory. Tried to allocate {wanted}"
    see = "See documentation for Memory Management"
    if era.name == "1.13":
        return (
            f"{head} (GPU {device}; 79.15 GiB total capacity; 76.41 GiB already allocated; {free} free; 76.90 GiB reserved in total "
            "by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.  "
            f"{see} and PYTORCH_CUDA_ALLOC_CONF"
        )
    capacity = "capacty" if era.name == "2.1" else "capacity"
    advice = "max_split_size_mb" if era.name == "2.1" else "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
    return (
        f"{head}. GPU {device} has a total {capacity} of 79.15 GiB of which {free} is free. Including non-PyTorch memory, this "
        "process has 78.80 GiB memory in use. Of the allocated memory 76.41 GiB is allocated by PyTorch, and 491.20 MiB is "
        "reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting "
        f"{advice} to avoid fragmentation.  {see}  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)"
    )
