"""Whole runs through servers on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from factories import make_path
from openai_server import Asked, Played, Reply, chat, over_http

from teval import api
from teval.abilities import oracle_answers
from teval.errors import ConfigError, EngineError
from teval.schema import digest

KEY = "sk-0123456789abcdef"


@pytest.fixture
def settings(tmp_path: Path) -> list[str]:
    file = tmp_path / "paths.jsonl"
    file.write_text(make_path("trip_0", "trip").model_dump_json() + "\n", encoding="utf-8")
    return [f"data.paths={file}", f"out={tmp_path / 'run'}", "embedder.kind=hashing"]


def config_of(settings: list[str], *more: str) -> api.RunConfig:
    return api.load_config(["openai"], [*settings, "engine.model=small", *more])


def files_of(folder: Path) -> Iterator[bytes]:
    return (path.read_bytes() for path in folder.rglob("*") if path.is_file())


def oracle(config: api.RunConfig, refuse_from: int) -> Played:
    """A server that knows all right answers, and no key from some request on."""
    cases = api.slice_cases(config)
    right = oracle_answers(cases)
    answers = {
        digest([{"role": m.role, "content": m.content} for m in case.messages]): right[case.prompt]
        for case in cases
    }

    def script(asked: Asked) -> Reply:
        if asked.number >= refuse_from:
            return Reply({"error": {"message": f"{KEY} has expired"}}, 401)
        return Reply(chat(answers[digest(asked.fields["messages"])]))

    return Played(script)


def test_a_run_that_one_server_refused_goes_on_at_another(
    settings: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_KEY", KEY)
    more = ("engine.options.api_key_env=TEST_KEY", "engine.batch_size=1")
    config = config_of(settings, *more)
    with (
        over_http(oracle(config, refuse_from=6)) as url,
        pytest.raises(EngineError, match=r"HTTP 401: \*\*\* has expired"),
    ):
        api.run(config_of(settings, *more, f"engine.options.base_url={url}"))
    stored = (tmp_path / "run" / "completions.jsonl").read_text(encoding="utf-8")
    kept = stored.count("\n")
    assert 0 < kept <= 5, "fewer where the server was slow and asked once more"
    played = oracle(config, refuse_from=10_000)
    with over_http(played) as url:
        done = api.run(
            config_of(settings, *more, f"engine.options.base_url={url}", "engine.batch_size=8")
        )
    assert done.summary.corrected.overall == 1.0
    assert len(played.asked) == done.counts.requests - kept > 0
    assert not any(KEY.encode() in content for content in files_of(tmp_path))


def test_another_model_does_not_go_on_where_one_stopped(settings: list[str]) -> None:
    api.prepare(config_of(settings))
    api.prepare(config_of(settings, "engine.options.base_url=http://127.0.0.1:9/v1"))
    with pytest.raises(ConfigError, match="other"):
        api.prepare(config_of(settings, "engine.model=other"))
    with pytest.raises(ConfigError, match="limit_field"):
        api.prepare(config_of(settings, "engine.options.limit_field=max_completion_tokens"))


def test_the_name_of_a_servers_model_is_never_fetched() -> None:
    config = api.load_config(["openai"], ["engine.model=smollm2-135m-instruct"])
    assert api.make_engine(config.engine).describe()["model"] == "smollm2-135m-instruct"


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("engine.options.base_url=", ["base_url", "-s engine.options.base_url="]),
        ('engine.model=""', ["model", "-s engine.model="]),
        ("engine.options.speed=9", ["'speed'", "base_url", "timeout"]),
    ],
)
def test_what_is_missing_or_unknown_is_one_line(setting: str, parts: list[str]) -> None:
    config = api.load_config(["openai"], ["engine.model=m", setting])
    with pytest.raises(ConfigError) as caught:
        api.make_engine(config.engine)
    assert all(part in str(caught.value) for part in parts)
    assert "outside" not in str(caught.value)
