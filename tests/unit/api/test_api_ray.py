"""The settings of the engine that runs another one."""

from __future__ import annotations

import importlib.util

import pytest

from teval import api
from teval.api.job import engine_settings
from teval.api.make import inside
from teval.api.memory import smaller
from teval.api.signature import model_name
from teval.errors import ConfigError, MissingExtraError, UnknownNameError
from teval.run.config import EngineConfig


def ray(**options: object) -> EngineConfig:
    return EngineConfig.model_validate({"kind": "ray", "model": "m", "options": options})


def test_options_that_are_not_rays_belong_to_the_engine_inside() -> None:
    config = ray(engine="vllm", workers=2, address="auto", kv_cache_gib=1)
    inner = inside(config)
    assert (inner.kind, inner.model, inner.options) == ("vllm", "m", {"kv_cache_gib": 1})
    assert inside(inner) is inner
    assert model_name(config) == model_name(inner) == "m"


def test_a_run_may_go_on_on_other_machines_but_not_with_another_engine() -> None:
    here = engine_settings(ray(engine="vllm", kv_cache_gib=1))
    there = ray(engine="vllm", kv_cache_gib=1, address="10.0.0.1:6379", workers=9, gpus=1, shard=7)
    assert engine_settings(there) == here
    assert engine_settings(ray(engine="transformers", kv_cache_gib=1)) != here
    assert engine_settings(ray(engine="vllm", kv_cache_gib=2)) != here
    assert engine_settings(inside(there)) != here


@pytest.mark.parametrize("options", [{}, {"engine": ""}, {"engine": 3}, {"engine": "ray"}])
def test_an_engine_for_the_workers_must_be_named(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=r"-s engine\.options\.engine=vllm"):
        api.make_engine(ray(**options))


def test_the_engine_inside_is_looked_up_before_any_work() -> None:
    with pytest.raises(UnknownNameError, match="did you mean vllm"):
        api.slice_cases(api.load_config(["ray"], ["engine.options.engine=vlm"]))


@pytest.mark.parametrize(
    ("option", "value"), [("workers", 0), ("workers", 1.5), ("cpus", 0), ("gpus", -1), ("shard", 0)]
)
def test_a_number_that_can_not_be_used_is_one_line(option: str, value: float) -> None:
    with pytest.raises(ConfigError, match=rf"engine\.options\.{option}: must be a"):
        api.make_engine(ray(engine="silent", **{option: value}))


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_command_that_installs_it_is_told() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'teval\[ray\]'"):
        api.make_engine(ray(engine="silent"))


def test_a_worker_short_of_memory_gets_the_smaller_settings_of_its_engine() -> None:
    config = ray(engine="vllm", kv_cache_gib=6, workers=2)
    less = smaller(config, "killed")
    assert less.options == {"engine": "vllm", "kv_cache_gib": 3, "workers": 2}
    assert less.max_model_len == 8192
