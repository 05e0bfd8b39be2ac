"""Keys and passwords: they are taken out, not renamed."""

import re

_NAME = (
    rb"(?i:(?:pass(?:word|wd)|secret_?(?:access_?)?key|account_?key|api[_-]?key|client_?secret"
    rb"|(?:auth|access|session|refresh|hf|github|wandb)[_-]?token)\\{0,3}[\"']{0,2} ?[:=] ?\\{0,3}[\"']{0,2}"
    rb"|--(?:token|password|api-key)[ =]|authorization: basic |wandb: (?=[0-9a-f]{40}(?![0-9a-f])))"
)
"""What holds a secret. ``pad_token=...`` and ``tokens: 4096`` hold none."""
_BLOCK = (
    rb"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\s\x1e]|\\[nr]){0,8000}"
    rb"|(?<![\w+/=.-])(?:(?=[a-z0-9/]{0,63}[A-Z+])[A-Za-z0-9+/]{64}|MII[A-Za-z0-9+/=]{16,})(?![\w+/.-])"
)
"""A private key, or a line of one."""
SECRET = (
    rb"hf_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{20,}|xox[abpr]-[\w-]{10,}"
    rb"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"
    rb"|npm_[A-Za-z0-9]{30,}|dapi[0-9a-f]{32}"
    rb"|(?<=[Bb]earer )[\w.~+/=-]{8,}"
    rb"|(?<=://)[^\s/:@]{1,64}:[^\s/@]{1,128}(?=@)"
    rb"|(?<=KEY=)[^\s'\",;]{6,}|(?<=TOKEN=)[^\s'\",;]{6,}|(?<=SECRET=)[^\s'\",;]{6,}|(?<=PASSWORD=)[^\s'\",;]{3,}"
    rb"|%b[^\s'\",;\\]{6,}|%b"
) % (_NAME, _BLOCK)
"""A key, token or password; with the name of what holds it where that has no one length."""
REMOVED = b"REDACTED"
_KEPT = re.compile(_NAME)
_DRAWN = re.compile(rb"[A-Za-z0-9+/=]{16,}")


def removed(secret: bytes) -> bytes:
    """What stands in place of what ``SECRET`` found: as many lines, and the name of what held it."""
    if secret.startswith(b"-----BEGIN"):
        return _DRAWN.sub(REMOVED, secret)
    name = _KEPT.match(secret)
    return (name[0] if name else b"") + REMOVED
