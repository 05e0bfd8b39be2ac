"""Keys and passwords: they are taken out, not renamed."""

SECRET = (
    rb"hf_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|sk-[\w-]{20,}|xox[abpr]-[\w-]{10,}"
    rb"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,}"
    rb"|(?<=[Bb]earer )[\w.~+/=-]{8,}"
    rb"|(?<=://)[^\s/:@]{1,64}:[^\s/@]{1,128}(?=@)"
    # A variable or an option that holds one; ``pad_token=...`` and ``tokens: 4096`` are none.
    rb"|(?<=KEY=)[^\s'\",;]{6,}|(?<=TOKEN=)[^\s'\",;]{6,}|(?<=SECRET=)[^\s'\",;]{6,}|(?<=PASSWORD=)[^\s'\",;]{3,}"
    rb"|(?<=api_key=)[^\s'\",;]{6,}|(?<=api-key[ =])[^\s'\",;]{6,}|(?<=password=)[^\s'\",;]{3,}"
)
"""A key, token or password, without the name of what holds it."""
REMOVED = b"REDACTED"
