"""Why a model can't be loaded, and which precision it gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from teval.engines.checkpoint import check_model, import_extra, loading, require_extra, revision
from teval.engines.precision import count_cpus, has_bfloat16, prepare_torch, resolve_dtype
from teval.errors import ConfigError, EngineError, MissingExtraError


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"has no config\.json"):
        check_model(str(tmp_path))


def test_a_file_is_no_model(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.touch()
    with pytest.raises(EngineError, match="a file; name the folder"):
        check_model(str(file))


@pytest.mark.parametrize("model", ["/no/such", "./no", "~/no-such-folder", "a/b/c"])
def test_a_missing_folder_is_told(model: str) -> None:
    with pytest.raises(EngineError, match="no such folder"):
        check_model(model)


@pytest.mark.parametrize("model", ["gpt2", "owner/name"])
def test_a_hub_name_is_left_to_the_hub(model: str) -> None:
    check_model(model)


def test_a_model_folder_is_fine(tmp_path: Path) -> None:
    (tmp_path / "config.json").touch()
    check_model(str(tmp_path))


def test_a_missing_package_names_the_pip_command() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'teval\[vllm\]'"):
        import_extra("no_such_package_here", "vllm")
    with pytest.raises(MissingExtraError, match=r"pip install 'teval\[sbert\]'"):
        require_extra("no_such_package_here", "sbert")


def test_an_installed_package_is_returned() -> None:
    require_extra("json", "vllm")
    assert import_extra("json", "vllm").loads("1") == 1


@pytest.mark.parametrize(
    ("offline", "message"),
    [("1", "HF_HUB_OFFLINE forbids the hub"), ("0", "the hub can't be reached")],
)
def test_a_hub_that_does_not_answer_is_told(
    monkeypatch: pytest.MonkeyPatch, offline: str, message: str
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", offline)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    with pytest.raises(EngineError, match=message), loading("owner/name"):
        raise OSError("long text\nof many lines")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("bad shape\nmore"), "can't be loaded: ValueError: bad shape$"),
        (RuntimeError(), "can't be loaded: RuntimeError$"),
        (OSError("truncated file"), "can't be loaded: OSError: truncated file$"),
    ],
)
def test_a_broken_folder_is_told_in_one_line(
    tmp_path: Path, error: Exception, message: str
) -> None:
    with pytest.raises(EngineError, match=message), loading(str(tmp_path)):
        raise error


def test_an_error_that_is_clear_already_passes() -> None:
    with pytest.raises(ConfigError, match=r"^clear$"), loading("m"):
        raise ConfigError("clear")


def test_the_revision_of_a_folder_changes_with_its_files(tmp_path: Path) -> None:
    seen = set()
    for name, content in [("config.json", "{}"), ("a.safetensors", "1"), ("a.safetensors", "2")]:
        (tmp_path / name).write_text(content, encoding="utf-8")
        seen.add(revision(str(tmp_path)))
    (tmp_path / "README.md").write_text("not part of the model", encoding="utf-8")
    seen.add(revision(str(tmp_path)))
    assert len(seen) == 3
    assert all(len(found) == 16 for found in seen)


def test_the_revision_of_a_hub_model_is_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    assert revision("owner/name") == "unknown"
    reference = tmp_path / "hub" / "models--owner--name" / "refs" / "main"
    reference.parent.mkdir(parents=True)
    reference.write_text("abc\n", encoding="utf-8")
    assert revision("owner/name") == "abc"


@pytest.mark.parametrize(
    ("flags", "native"),
    [
        ("flags : sse avx2 avx512f", False),
        ("flags : avx2 avx512_bf16 avx512f", True),
        ("flags : amx_bf16", True),
        ("Features : fp asimd bf16", True),
    ],
)
def test_bfloat16_is_known_by_the_cpus_flags(tmp_path: Path, flags: str, native: bool) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(f"model : 1\n{flags}\n", encoding="utf-8")
    assert has_bfloat16(file) is native


def test_a_system_that_tells_nothing_has_no_bfloat16(tmp_path: Path) -> None:
    assert has_bfloat16(tmp_path / "none") is False


def test_a_given_precision_and_a_gpus_are_kept() -> None:
    assert resolve_dtype("bfloat16", cpu=True) == "bfloat16"
    assert resolve_dtype("auto", cpu=False) == "auto"
    assert resolve_dtype("auto", cpu=True) == ("auto" if has_bfloat16() else "float32")


def test_there_is_a_core() -> None:
    assert count_cpus() >= 1


@pytest.mark.parametrize(("before", "after"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_waiting_threads_sleep_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str
) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", before or "")
    if before is None:
        monkeypatch.delenv("OMP_WAIT_POLICY")
    prepare_torch()
    assert os.environ["OMP_WAIT_POLICY"] == after
