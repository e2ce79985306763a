from __future__ import annotations

from pathlib import Path

import pytest

from teval.api import make_embedder, make_engine
from teval.errors import ConfigError, UnknownNameError
from teval.run.config import EmbedderConfig, EngineConfig
from teval.schema import Json


def kind_of(config: EngineConfig) -> Json:
    return make_engine(config).describe()["kind"]


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (EngineConfig(kind="api_engines:PickyEngine", model="m"), "m 0 1"),
        (EngineConfig(kind="api_engines:PickyEngine", model="m", seed=4, batch_size=9), "m 4 1"),
        (EngineConfig(kind="api_engines:PickyEngine", model="m", options={"beams": 2}), "m 0 2"),
        (EngineConfig(kind="api_engines:OpenEngine", model="m", options={"x": 1}), "m {'x': 1}"),
        (EngineConfig(kind="api_engines:WideEngine"), "3"),
        (EngineConfig(kind="api_engines:WideEngine", batch_size=8), "8"),
        (EngineConfig(kind="silent", model="ignored"), "silent"),
        (EngineConfig(kind="oracle"), "oracle"),
    ],
)
def test_an_engine_gets_the_settings_that_it_takes(config: EngineConfig, kind: str) -> None:
    assert kind_of(config) == kind


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        (EngineConfig(kind="api_engines:PickyEngine"), ["needs a model", "-s engine.model="]),
        (
            EngineConfig(kind="api_engines:PickyEngine", model="m", options={"beam": 2}),
            ["'beam'", "beams"],
        ),
        (EngineConfig(kind="recorded"), ["needs a file", "-s engine.file="]),
        (EngineConfig(kind="api_engines:Nothing"), ["api_engines", "Nothing"]),
    ],
)
def test_what_is_missing_or_unknown_is_named(config: EngineConfig, parts: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        make_engine(config)
    for part in parts:
        assert part in str(caught.value)


def test_names_that_stand_in_no_table_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="oracle"):
        make_engine(EngineConfig(kind="orakel"))
    with pytest.raises(UnknownNameError, match="plan"):
        make_engine(EngineConfig(kind="degraded", ability="plann"))
    with pytest.raises(UnknownNameError, match="hashing"):
        make_embedder(EmbedderConfig(kind="hash"))


def test_embedders_get_their_settings_too() -> None:
    wide = make_embedder(EmbedderConfig(kind="hashing", options={"dimensions": 32}))
    assert wide.describe()["dimensions"] == 32
    plain = make_embedder(EmbedderConfig(kind="api_engines:PlainEmbedder", model="unused"))
    assert plain.describe()["dimensions"] == 8


def test_a_recording_answers_as_it_did(tmp_path: Path) -> None:
    (tmp_path / "completions.jsonl").write_text(
        '{"request":"r","prompt":"p","text":"yes","finish":"stop"}\n', encoding="utf-8"
    )
    engine = make_engine(EngineConfig(kind="recorded", file=str(tmp_path)))
    assert engine.describe()["kind"] == "recorded"


def test_determinism_is_handed_on_or_refused() -> None:
    options: dict[str, Json] = {"base_url": "http://host/v1"}
    server = EngineConfig(kind="openai", model="m", options=options, deterministic=True)
    assert make_engine(server).describe()["deterministic"] is True
    plain = EngineConfig(kind="api_engines:WideEngine", deterministic=True)
    with pytest.raises(ConfigError, match="can't be made deterministic"):
        make_engine(plain)
