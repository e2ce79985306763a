"""Where a model lies and why it can't be loaded, told in one line."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from teval.errors import EngineError, MissingExtraError, TevalError

MODEL_FILES = frozenset({".json", ".safetensors", ".bin", ".jinja", ".txt", ".model"})
"""What a model's folder is told apart by."""

END = 2**20
"""Bytes read at either end of a file."""


def import_extra(package: str, extra: str) -> ModuleType:
    """Return an optional package.

    Args:
        package: The package's import name.
        extra: The extra of this project that brings it.

    Raises:
        MissingExtraError: The package, or one that it needs, is not installed.
    """
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or package, extra) from error


def require_extra(package: str, extra: str) -> None:
    """Refuse to go on without an optional package, but spend no time on importing it.

    Args:
        package: The package's import name.
        extra: The extra of this project that brings it.

    Raises:
        MissingExtraError: The package is not installed.
    """
    if importlib.util.find_spec(package) is None:
        raise MissingExtraError(package, extra)


def check_model(model: str) -> None:
    """Refuse a model that can't be loaded, before anything heavy is imported.

    Args:
        model: A folder in Hugging Face format or a name on the hub (``owner/name``).

    Raises:
        EngineError: The folder is missing or holds no model, or the name can't be a hub's.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise EngineError(
                f"{model}: the folder has no config.json; name a folder in Hugging Face format"
            )
    elif folder.exists():
        raise EngineError(f"{model}: a file; name the folder that holds config.json and weights")
    elif model.startswith((".", "~", os.sep)) or model.count("/") > 1:
        raise EngineError(f"{model}: no such folder; name an existing one or a model on the hub")


def is_offline() -> bool:
    """Tell whether the environment forbids asking the hub."""
    return any(
        os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE")
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    )


@contextmanager
def loading(model: str) -> Iterator[None]:
    """Turn what goes wrong while a model is loaded into one line with the way out.

    Raises:
        EngineError: Anything that the block raised.
    """
    try:
        yield
    except TevalError:
        raise
    except (OSError, ValueError, RuntimeError, ImportError, KeyError, TypeError) as error:
        raise EngineError(f"{model}: {_way_out(model, error)}") from error


def _way_out(model: str, error: Exception) -> str:
    if not Path(model).expanduser().is_dir() and isinstance(error, OSError):
        if is_offline():
            return "not in the local cache, and HF_HUB_OFFLINE forbids the hub; name a folder"
        return "the hub can't be reached or has no such model; name a folder with the model"
    return f"can't be loaded: {first_line(error)}"


def first_line(error: Exception) -> str:
    """Return an exception's kind and the first line of what it says."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].strip()}" if lines else type(error).__name__


def revision(model: str) -> str:
    """Return what tells two models of one name apart, or ``"unknown"``.

    For a folder that is a hash over its files: small ones whole, of large ones the size and both
    ends, so that it costs no time with weights of any size. For a name on the hub it is the
    commit that lies in the local cache.

    Args:
        model: A folder in Hugging Face format or a name on the hub.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _fingerprint(folder)
    cache = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser() / "hub"
    reference = cache / f"models--{model.replace('/', '--')}" / "refs" / "main"
    return reference.read_text(encoding="utf-8").strip() if reference.is_file() else "unknown"


def _fingerprint(folder: Path) -> str:
    total = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix in MODEL_FILES and file.is_file():
            size = file.stat().st_size
            total.update(f"{file.relative_to(folder).as_posix()} {size}\n".encode())
            with file.open("rb") as content:
                total.update(content.read(END))
                content.seek(max(0, size - END))
                total.update(content.read(END))
    return total.hexdigest()[:16]
