"""Which names can hardly be anything but those of a host, or of a Kubernetes pod, whose name is its host name.

``gpu-8`` and ``dgx-h100`` are no hosts: they count or name GPUs.
"""

import re

MODEL = r"(?:a[1346]0|[abhv]100|[hb][23]00|[ah]800|h20|g[bh][23]00|l4|l40s?|t4|p100|k80|mi\d+x?|rtx\d+)"
"""GPUs, which are no hosts."""
_DOMAIN = (
    r"(?:(?:\.[a-z0-9-]+)*\.(?:local|localdomain|internal|lan|cluster|com|org|net|edu|gov|io|de|fr|uk|ch|eu|jp|cn))?"
)
_HOST = re.compile(
    r"(?:"
    r"(?:node|host|compute)[_-]?[a-z]?\d{1,6}(?:-\d{1,4})?|(?:node|host)-[a-z]{1,2}"
    r"|nid\d{3,6}|cn\d{2,5}|(?:dgx|hgx)-?(?:0\d{1,4}|\d{2,5})|ip-\d{1,3}(?:-\d{1,3}){3}"
    rf"|gpu-?(?!{MODEL}(?![a-z\d]))[a-z]{{1,3}}\d{{1,5}}|gpu-?0\d{{1,4}}|gpu-\d{{1,3}}-\d{{1,3}}"
    r"|algo-\d{1,4}|workerpool\d-\d{1,4}"  # SageMaker, Vertex AI
    rf"){_DOMAIN}"
)
_IPV4 = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}")
_RANDOM = r"(?=[a-z2-9]{0,4}[a-z])[bcdfghjklmnpqrstvwxz2456789]{5}"
"""What Kubernetes puts behind the names of pods that a controller makes: neither vowels nor what looks like one."""
_POD = re.compile(
    r"[a-z0-9]+(?:-[a-z0-9]+)*-(?:"
    # PyTorchJob, Volcano, MPIJob, and an indexed Job of such a name.
    rf"(?:worker|master|launcher|chief|trainer|replica)-\d{{1,4}}(?:-{_RANDOM})?"
    # JobSet and Trainer with the places of job and pod: ``llama-node-0-3-x7k2p``. Any word would name a model, too.
    rf"|(?:workers?|nodes?|trainers?|leaders?|launcher|drivers?|learners?|slices?|replicas?|pods?|jobs?)"
    rf"-\d{{1,4}}-\d{{1,4}}-{_RANDOM}"
    # What a Job or a Deployment makes: ``bert-launcher-x7k2p``, KubeRay's ``tune-head-x7k2p``.
    rf"|(?:launcher|master|head)-{_RANDOM}|[0-9a-f]{{8,10}}-{_RANDOM})"
)


def is_host_name(name: str) -> bool:
    """Whether a name can hardly be anything but that of a host."""
    return _HOST.fullmatch(name) is not None


def is_address(name: str) -> bool:
    """Whether a name is an IPv4 address."""
    return _IPV4.fullmatch(name) is not None


def is_pod_name(name: str) -> bool:
    """Whether a name can hardly be anything but that of a pod."""
    return _POD.fullmatch(name) is not None
