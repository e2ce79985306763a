from __future__ import annotations

from pathlib import Path

import pytest

from teval.errors import ConfigError
from teval.run.config import EngineConfig, RunConfig, load_config

SHIPPED = ("smoke", "quickstart", "vllm", "transformers", "openai")


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_later_layers_win_key_by_key(tmp_path: Path) -> None:
    first = write(tmp_path, "a.yaml", "name: a\nengine: {kind: vllm, model: m, seed: 3}\n")
    second = write(tmp_path, "b.yaml", "engine: {seed: 4}\nmax_tokens: {plan: 10}\n")
    config = load_config([first, second], ["engine.model=n", "max_tokens.review=5"])
    assert (config.name, config.engine.kind, config.engine.model, config.engine.seed) == (
        "a",
        "vllm",
        "n",
        4,
    )
    assert config.max_tokens == {"plan": 10, "review": 5}


def test_files_come_before_single_settings_and_base_before_both(tmp_path: Path) -> None:
    base = RunConfig(name="base", repeats=2)
    file = write(tmp_path, "a.yaml", "name: file\n")
    assert load_config([file], base=base).name == "file"
    assert load_config([file], ["name=set"], base=base).name == "set"
    assert load_config([file], base=base).repeats == 2


def test_values_are_read_as_yaml() -> None:
    config = load_config(
        settings=[
            "cases.abilities=[plan, review]",
            "cases.limit=24",
            "cases.limit=null",
            "engine.options.enforce_eager=true",
            "out=123",
            "sampling.temperature=0.5",
        ]
    )
    assert config.cases.abilities == ("plan", "review")
    assert config.cases.limit is None
    assert config.engine.options == {"enforce_eager": True}
    assert config.out == "123"
    assert config.sampling.temperature == 0.5


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("engine.knd=vllm", ["-s engine.knd=vllm", "'engine.knd'", "did you mean engine.kind?"]),
        ("samplng.top_p=1", ["'samplng'", "did you mean sampling?"]),
        ("qqq=1", ["'qqq'", "engine", "sampling"]),
        ("engine.seed=x", ["-s engine.seed=x", "engine.seed", "valid integer", "'x'"]),
        ("engine=silent", ["-s engine=silent", "engine", "'silent'"]),
        ("cases.formats=[xml]", ["cases.formats.0", "'json', 'string' or 'tools'"]),
        ("cases.limit=0", ["cases.limit", "greater than or equal to 1"]),
        ("max_tokens.plan=0", ["max_tokens.plan", "greater than 0"]),
        ("sampling.max_tokens=0", ["sampling.max_tokens", "greater than or equal to 1"]),
        ("engine.rate=2", ["engine.rate", "less than or equal to 1"]),
        ("engine.kind", ["-s engine.kind", "key=value"]),
        ("=3", ["key=value"]),
        ("engine..kind=3", ["key=value"]),
        ("name=[1", ["-s name=[1", "not readable"]),
    ],
)
def test_wrong_settings_are_told_in_one_line(setting: str, parts: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(settings=[setting])
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("engine: {kynd: x}", ["a.yaml", "engine.kynd", "engine.kind"]),
        ("- a\n- b\n", ["a.yaml", "mapping", "list"]),
        ("a: [", ["a.yaml", "not readable"]),
        ("repeats: none", ["a.yaml", "repeats", "'none'"]),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, text: str, parts: list[str]) -> None:
    file = write(tmp_path, "a.yaml", text)
    with pytest.raises(ConfigError) as caught:
        load_config([file])
    for part in parts:
        assert part in str(caught.value)


def test_the_layer_that_set_a_wrong_value_is_named(tmp_path: Path) -> None:
    good = write(tmp_path, "good.yaml", "engine: {kind: oracle}\n")
    bad = write(tmp_path, "bad.yaml", "engine: {rate: much}\n")
    with pytest.raises(ConfigError, match=r"bad\.yaml: engine\.rate"):
        load_config([good, bad], ["name=x"])


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    assert load_config([write(tmp_path, "a.yaml", "# nothing\n")]) == RunConfig()


@pytest.mark.parametrize("name", ["nowhere.yaml", "folder/nowhere.yaml", "nowhere"])
def test_a_missing_file_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        load_config([name])


def test_an_unknown_shipped_name_lists_those_that_ship() -> None:
    with pytest.raises(ConfigError, match=r"smoke\.yaml"):
        load_config(["smok"])


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_configs_load_and_take_another_engine_and_folder(name: str) -> None:
    config = load_config([name], ["engine.kind=silent", "out=DIR"])
    assert config.name == name
    assert config.engine.kind == "silent"
    assert config.folder == Path("DIR")


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ([], "reports/run-oracle"),
        (["engine.kind=degraded", "engine.ability=plan"], "reports/run-degraded-plan"),
        (["name=a b/c"], "reports/a_b_c-oracle"),
    ],
)
def test_the_folder_is_named_after_the_run(settings: list[str], folder: str) -> None:
    assert load_config(settings=settings).folder == Path(folder)


def test_models_with_one_last_name_get_folders_of_their_own() -> None:
    one = load_config(settings=["engine.kind=vllm", "engine.model=/a/model"]).folder
    two = load_config(settings=["engine.kind=vllm", "engine.model=/b/model"]).folder
    assert one != two
    assert one.name.startswith("run-vllm-model-")


@pytest.mark.parametrize(
    "setting",
    [
        "engine.options.api_key=SECRET",
        "engine.options.token=SECRET",
        "engine.options.hf_token=SECRET",
        "engine.options.extra_body={Authorization: SECRET}",
        "engine.options.api_key_env=sk-SECRET",
        "engine.options.base_url=http://user:SECRET@host/v1",
        "engine.options.base_url=[http://a/v1, 'user:SECRET@host']",
    ],
)
def test_a_secret_is_refused_before_it_is_written_anywhere_and_not_repeated(setting: str) -> None:
    with pytest.raises(ConfigError, match="environment variable") as caught:
        load_config(settings=[setting])
    assert "SECRET" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_only_looks_like_a_secret_is_taken() -> None:
    options = {
        "api_key_env": "OPENAI_API_KEY",
        "base_url": ["http://a/v1", "https://b.example/v1"],
        "max_num_batched_tokens": 8,
        "tokenizer": "a@b",
    }
    assert RunConfig(engine=EngineConfig(options=options)).engine.options == options


@pytest.mark.parametrize("mode", ["auto", "on", "off"])
def test_thinking_is_switched_as_yaml_spells_it(mode: str) -> None:
    assert load_config([], [f"engine.thinking={mode}"]).engine.thinking == mode


@pytest.mark.parametrize("setting", ["engine.thinking=maybe", "engine.thinking_tokens=0"])
def test_thinking_takes_no_other_values(setting: str) -> None:
    with pytest.raises(ConfigError, match=setting.partition("=")[0]):
        load_config([], [setting])
