"""Addresses of webhooks: what is taken, and that no secret is shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logsleuth.alerts.address import AddressError, address


@pytest.mark.parametrize(
    ("text", "url", "shown"),
    [
        (
            "https://hooks.example.com/T0/B0/secret",
            "https://hooks.example.com/T0/B0/secret",
            "https://hooks.example.com/***",
        ),
        ("http://localhost:8080", "http://localhost:8080/", "http://localhost:8080/"),
        ("HTTPS://Host.Example/x?token=abc#part", "https://host.example/x?token=abc", "https://host.example/***"),
        ("http://[::1]:9000/x", "http://[::1]:9000/x", "http://[::1]:9000/***"),
        ("http://bücher.example/ä%20b", "http://xn--bcher-kva.example/%C3%A4%20b", "http://xn--bcher-kva.example/***"),
        ("http://user:p%40ss@host/x", "http://host/x", "http://host/***"),
    ],
)
def test_addresses(text: str, url: str, shown: str) -> None:
    found = address(text)
    assert (found.url, found.shown) == (url, shown)


def test_user_and_password_become_a_header() -> None:
    assert address("http://user:p%40ss@host/x").authorization == "Basic dXNlcjpwQHNz"
    assert address("http://host/x").authorization is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "does not begin with http"),
        ("hooks.example.com/T0/topsecret", "does not begin with http"),
        ("file:///topsecret", "does not begin with http"),
        ("https:///topsecret", "no host"),
        ("https://host:topsecret/x", "port cannot be read"),
        ("https://host:99999/topsecret", "port cannot be read"),
        ("https://[::1/topsecret", "address cannot be read"),
        ("https://host/top secret", "blank"),
        ("https://host/top\x00secret", "control character"),
        ("https://" + "x" * 70 + "é.example/topsecret", "no name that the network knows"),
    ],
)
def test_what_cannot_be_used_is_told_without_what_may_be_secret(text: str, complaint: str) -> None:
    with pytest.raises(AddressError, match=complaint) as caught:
        address(text)
    assert "topsecret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_an_address_may_be_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "webhook"
    kept.write_text("https://hooks.example.com/topsecret\n")
    assert address(f"@{kept}") == address("https://hooks.example.com/topsecret")
    for text, complaint in (("\n", "is empty"), ("topsecret", "does not begin with http")):
        kept.write_text(text)
        with pytest.raises(AddressError, match=complaint) as caught:
            address(f"@{kept}")
        assert "topsecret" not in str(caught.value)
    kept.write_bytes(b"\xff\xfe")
    for file in (kept, tmp_path, tmp_path / "nowhere", Path("\0")):
        with pytest.raises(AddressError, match="cannot be read"):
            address(f"@{file}")


@given(
    st.from_regex(r"[a-z]{8,12}:[A-Z0-9]{8,12}", fullmatch=True),
    st.from_regex(r"(/[A-Za-z0-9]{8,16}){1,3}", fullmatch=True),
    st.from_regex(r"token=[A-Za-z0-9]{8,16}", fullmatch=True),
)
def test_no_part_that_may_be_secret_is_shown(user: str, path: str, query: str) -> None:
    found = address(f"https://{user}@hooks.example.com{path}?{query}")
    password = user.partition(":")[2]
    for secret in (password, *path.strip("/").split("/"), query):
        assert secret not in found.shown
        assert secret in found.secrets
