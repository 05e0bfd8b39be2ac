"""Which frameworks are there, and which can show a kind of trouble?"""

from tests.simulation.training.frameworks import hugging, megatron, native, plain, records, vision
from tests.simulation.training.frameworks.framework import Framework

_ALL: tuple[type[Framework], ...] = (
    megatron.Megatron,
    hugging.Trainer,
    plain.Plain,
    native.Titan,
    native.DeepSpeed,
    native.Lightning,
    hugging.Accelerate,
    megatron.Nemo,
    vision.OpenMmlab,
    hugging.JsonLines,
    megatron.Nanotron,
    native.Fairseq,
    hugging.LlamaFactory,
    vision.Detectron,
    records.Composer,
    vision.Torchvision,
    records.Olmo,
    vision.Timm,
    vision.ImageNet,
)
FRAMEWORKS: dict[str, type[Framework]] = {framework.name: framework for framework in _ALL}


def able(wants: frozenset[str], tasks: frozenset[str]) -> list[type[Framework]]:
    """Those that can print the quantities and train such a model; no tasks: any."""
    return [
        framework for framework in _ALL if wants <= framework.offers and (not tasks or tasks & set(framework.tasks))
    ]
