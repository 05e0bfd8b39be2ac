"""Names and secrets in all the clothes that logs put on them."""

import json

import pytest

from logsleuth.redaction.redactor import Redactor

NAMED = {
    "in a colour": ("\x1b[31mgpu-a12\x1b[0m failed", "gpu-a12"),
    "in several colours": ("\x1b[1;32mgpu-a12.hpc.acme-labs.com\x1b[0m failed", "acme"),
    "only in a list": ("nodes gpu-b[07-09,11]", "gpu-b"),
    "with dashes": ("address A0-B1-C2-D3-E4-F5 of eth0", "B1-C2"),
    "a GUID": ("guid 0xa088c20300abcdef", "a088c2"),
    "an address": ("joins at\n10.20.30.41:29500", "30.41"),
    "a path with blanks": ('File "/home/jdoe/My Zebrafish Project/train.py", line 3', "Zebrafish"),
    "a path on a line of its own": ("cannot open\n/data/zebrafish/ckpt/step_100.pt", "zebrafish"),
    "a site behind a password": ("postgres://jdoe:pgs3cret@db.acme-labs.com/x", "acme"),
}
SECRETS = {
    "a password": ("password: hunter2secret", "hunter2"),
    "a password in JSON": ('{"password": "hunter2secret"}', "hunter2"),
    "an AWS key": ("aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY", "wJalr"),
    "an option": ("train.py --token abcdtok1234567890", "abcdtok"),
    "a header": ("Authorization: Basic amRvZTQyOnNlY3JldDEyMw==", "amRv"),
    "wandb's": ("wandb: 0123456789abcdef0123456789abcdef01234567", "0123456789abcdef"),
    "npm's": ("npm_abcdefghijklmnopqrstuvwxyz0123456789", "npm_"),
    "a store's": ("AccountKey=Zm9vYmFyYmF6Zm9vYmFyYmF6Zm9vYmFy==;", "Zm9v"),
    "a private key": ("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAabcdef\n-----END RSA PRIVATE KEY-----", "MIIE"),
}
KEPT = (
    "pad_token=<|endoftext|> tokens: 4096 max_tokens=128000 tokens/s 12345",
    "NCCL version 2.21.5+cuda12.4 torch 2.4.1 driver version 550.54.15",
    "layers[0-3] experts[0-7] step [1200/5000] loss 2.345",
    "\x1b[32mINFO\x1b[0m step 12 loss 2.1",
    'File "/opt/conda/lib/python3.10/site-packages/torch/distributed/c10d_logger.py", line 75, in wrapper',
)


def redacted(text: str) -> str:
    redactor = Redactor()
    redactor.learn(text.encode())
    redactor.settle()
    return redactor.text(text.encode()).decode()


@pytest.mark.parametrize("name", [*NAMED, *SECRETS])
def test_nothing_of_it_is_left_however_it_is_written(name: str) -> None:
    text, planted = {**NAMED, **SECRETS}[name]
    for written in (text, json.dumps({"log": f"x\n{text}\n"})):
        assert planted.lower() in written.lower()
        told = redacted(written)
        assert planted.lower() not in told.lower()
        assert told.count("\n") == written.count("\n")


@pytest.mark.parametrize("text", KEPT)
def test_what_says_nothing_of_anybody_stays(text: str) -> None:
    assert redacted(text) == text
