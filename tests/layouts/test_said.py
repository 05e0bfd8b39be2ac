"""What a user says about the layout of logs."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import logsleuth
from logsleuth.cli.analyze import analyze
from logsleuth.drivers.hints import Hints
from logsleuth.layouts.said import SourceFormatError, said, with_layouts
from logsleuth.model.origin import Source


def test_the_last_that_fits_counts_and_a_glob_before_what_is_said_of_all() -> None:
    sources = [Source("/logs/a.log"), Source("/logs/b.json"), Source("c.log")]
    found = with_layouts(sources, said(["*.log=docker", "json", "c.*=cri"]))
    assert [source.layout for source in found] == ["docker", "json", "cri"]
    assert [source.layout for source in with_layouts(sources, said(["b.json=lines"]))] == [None, "lines", None]
    assert with_layouts(sources, ()) == sources


@pytest.mark.parametrize("text", ["dokcer", "*.log=dokcer"])
def test_a_name_that_is_none(text: str) -> None:
    with pytest.raises(SourceFormatError, match="'dokcer' is no format of sources; did you mean docker"):
        said([text])


def test_the_option(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    # One record in a log that is not recognised as one of records.
    log.write_text("begins\n" * 5 + '{"log":"[rank3]: x\\n","stream":"stderr","time":"2026-03-05T10:00:00Z"}\n')
    assert [item.layout for item in logsleuth.analyze(log).inputs] == ["lines"]
    found = logsleuth.analyze(log, hints=Hints(source_format=said(["*.log=docker"])))
    assert [item.layout for item in found.inputs] == ["docker"]
    result = CliRunner().invoke(
        analyze, [str(log), "--source-format", "docker", "--format", "json"], standalone_mode=False
    )
    assert '"layout": "docker"' in result.output


def test_a_wrong_option_is_told_in_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(analyze, [str(tmp_path), "--source-format", "jsn"])
    assert result.exit_code == 2
    assert "'jsn' is no format of sources; did you mean json" in result.output
    assert "Traceback" not in result.output


def test_a_pattern_that_fits_no_path_is_told(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("begins\n")
    found = logsleuth.analyze(log, hints=Hints(source_format=said(["*.json=docker", "*.log=lines"])))
    (note,) = [note for note in found.notes if "--source-format" in note]
    assert "'*.json=docker' fits no path" in note
    assert str(log) in note


def test_a_name_that_is_like_none_is_told_what_there_is() -> None:
    with pytest.raises(SourceFormatError, match=r"^'' is no format of sources\. There are lines, "):
        said([""])
