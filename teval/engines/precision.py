"""Which device, precision and threads a model runs with when the person leaves it to us."""

from __future__ import annotations

import os
import re
from pathlib import Path

CPU_FLAGS = Path("/proc/cpuinfo")


def on_cpu() -> bool:
    """Tell whether there is no accelerator that torch can use."""
    import torch

    return not (torch.cuda.is_available() or (hasattr(torch, "xpu") and torch.xpu.is_available()))


def prepare_torch() -> None:
    """Set what torch reads from the environment when it is imported, where it is not set yet.

    Threads that wait sleep instead of spinning: spinning doubled the processor time of a run on
    two cores, and where anything else runs beside it, it slows both. Of torch's own notes only
    errors are shown.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")


def count_cpus() -> int:
    """Return how many cores this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resolve_dtype(dtype: str, *, cpu: bool) -> str:
    """Return the precision to ask for; ``"auto"`` means the checkpoint's own.

    Args:
        dtype: What the person asked for; anything but ``"auto"`` is kept.
        cpu: Whether the model runs on a CPU. One without bfloat16 instructions computes in
            bfloat16 several times slower than in float32, so there ``"auto"`` is float32.
    """
    return "float32" if dtype == "auto" and cpu and not has_bfloat16() else dtype


def has_bfloat16(flags: Path = CPU_FLAGS) -> bool:
    """Tell whether the CPU multiplies bfloat16 natively, as far as the system tells.

    Args:
        flags: Where the system lists the CPU's features.
    """
    try:
        text = flags.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return re.search(r"\b(avx512_bf16|amx_bf16|bf16)\b", text) is not None
