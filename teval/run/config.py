"""A run's settings: what may be set, and how files and single settings become one whole."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError, field_validator

from teval import assets
from teval.errors import ConfigError
from teval.schema import Format, Frozen, History, Json, JsonObject, Sampling, Thinking, digest
from teval.yaml_text import YamlError, read_yaml


class Settings(Frozen):
    """A group of settings: frozen, and unknown keys are refused."""

    model_config = ConfigDict(coerce_numbers_to_str=True)


class DataConfig(Settings):
    """Where solution paths come from."""

    source: str = "native"
    """A name of the table of sources, or ``module:Object``."""
    paths: str = "lite"
    """``lite`` or ``full`` for paths that ship, else a file or folder."""
    language: str | None = None
    """Take only paths in this language; None takes all."""
    errata: str | None = "shipped"
    """``shipped`` for the errata that ship, a YAML file of others, or empty for none."""


class CasesConfig(Settings):
    """Which cases are asked."""

    abilities: tuple[str, ...] = ()
    """Empty for all."""
    formats: tuple[Format, ...] = ("json", "string")
    """``json`` and ``string``, which all scores are means of, and ``tools``, a call in the model's
    own syntax, which stands beside them."""
    paths: tuple[str, ...] = ()
    """Ids of paths; empty for all."""
    limit: int | None = Field(default=None, ge=1)
    """The most cases, spread evenly over abilities and formats; None takes all."""


class PromptsConfig(Settings):
    """How cases are put to the model."""

    history: History = "log"
    """``log``: the steps made so far stand in the one user turn, in one neutral form; ``turns``:
    they are turns of the assistant, with calls, and of the tools."""


_SECRETS = frozenset(
    {"api_key", "apikey", "auth", "authorization", "hf_token", "key", "password", "secret", "token"}
)
"""Names of options that would hold a secret."""


class EngineConfig(Settings):
    """Who answers. Settings that the kind does not have are left aside."""

    kind: str = "oracle"
    """A name of the table of engines, ``oracle``, ``silent``, ``degraded``, ``recorded``, or
    ``module:Object``."""
    model: str = ""
    """A folder, a name on a hub, or one that ``teval model get`` knows."""
    dtype: str = "auto"
    max_model_len: int | None = Field(default=None, ge=1)
    """The most tokens of prompt and answer together; None takes the model's own."""
    batch_size: int | None = Field(default=None, ge=1)
    deterministic: bool = False
    """Whether the same run twice must give the same answers, at the price of speed."""
    seed: int = Field(default=0, ge=0)
    constrained: bool = False
    """Whether answers in JSON are held to a schema while they are written."""
    thinking: Thinking = "auto"
    """Whether the model thinks before it answers: ``on`` and ``off`` set its template's switch."""
    thinking_tokens: int | None = Field(default=None, ge=1)
    """The most tokens of a thought, beside those of the answer; None takes 4096."""
    ability: str = ""
    """For ``degraded``: the ability that fails."""
    rate: float = Field(default=0.5, ge=0, le=1)
    """For ``degraded``: the share of its cases that fail."""
    file: str = ""
    """For ``recorded``: a run's completions."""
    options: JsonObject = {}
    """Handed to the engine as they are."""

    @field_validator("thinking", mode="before")
    @classmethod
    def _spell(cls, value: Json) -> Json:
        """Take YAML's ``on`` and ``off``, which it reads as truth values, for what they say."""
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value

    @field_validator("options")
    @classmethod
    def _hold_no_secret(cls, options: JsonObject) -> JsonObject:
        """Refuse keys and passwords: settings are written into the run's record.

        Raises:
            ConfigError: An option is a secret by its name or form; it is not repeated.
        """
        for name, value in _leaf_items(options):
            wrong_name = name == "api_key_env" and not re.fullmatch("[A-Z_][A-Z0-9_]*", str(value))
            user = isinstance(value, str) and re.match(r"(\w+:)?(//)?[^/]*@", value)
            if name.lower() in _SECRETS or wrong_name or (user and "url" in name):
                raise ConfigError(
                    f"engine.options: {name} looks like a secret, and settings are written into"
                    " the run's record; put the key into an environment variable and give its"
                    " name, such as -s engine.options.api_key_env=OPENAI_API_KEY"
                )
        return options


class EmbedderConfig(Settings):
    """Who judges the likeness of texts."""

    kind: str = "hashing"
    model: str = ""
    options: JsonObject = {}


class EpisodesConfig(Settings):
    """How tasks are played end to end."""

    agent: str = "react"
    """``react``, ``plan_act`` or ``module:Object``."""
    steps: int = Field(default=20, ge=1)
    """The most turns that act; an episode that needs more has failed."""
    trials: int = Field(default=1, ge=1)
    """How often each task is played, each time with a seed of its own."""
    tasks: int | None = Field(default=None, ge=1)
    """The most tasks, taken in turn from all families; None takes all."""


class ReportConfig(Settings):
    """How numbers are summed up."""

    resamples: int = Field(default=2000, ge=100)
    """Bootstrap resamples for the intervals."""
    seed: int = Field(default=0, ge=0)
    floors: bool = True
    """Whether answerers that need no ability are scored beside the model."""


class RunConfig(Settings):
    """All settings of a run."""

    name: str = "run"
    """Names the run in tables and charts."""
    out: str = ""
    """The run's folder; empty for one under ``reports`` named after the run and its model."""
    data: DataConfig = DataConfig()
    cases: CasesConfig = CasesConfig()
    prompts: PromptsConfig = PromptsConfig()
    engine: EngineConfig = EngineConfig()
    sampling: Sampling = Sampling()
    max_tokens: dict[str, PositiveInt | dict[Format, PositiveInt]] = {}
    """The most tokens of an answer by ability, or by ability and format
    (``reason: {json: 96, string: 48}``); ``sampling.max_tokens`` for all others."""
    repeats: int = Field(default=1, ge=1)
    """How often each request is asked, each time with a seed of its own."""
    episodes: EpisodesConfig = EpisodesConfig()
    """Counts for end-to-end runs only."""
    embedder: EmbedderConfig = EmbedderConfig()
    report: ReportConfig = ReportConfig()

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return Path(self.out).expanduser() if self.out else Path("reports", self._folder_name())

    def _folder_name(self) -> str:
        engine = self.engine
        parts = [self.name, engine.kind]
        if engine.kind == "degraded":
            parts.append(engine.ability)
        elif engine.model:
            # The last part reads well but two models may share it; the digest keeps them apart.
            parts += [Path(engine.model).name, digest(engine.model, 6)]
        return "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part).strip("._") for part in parts if part)


class _Layer(NamedTuple):
    """Settings from one place."""

    origin: str
    """The place's name in error messages."""
    settings: JsonObject


def load_config(
    files: Sequence[str] = (), settings: Sequence[str] = (), base: RunConfig | None = None
) -> RunConfig:
    """Return the settings of a run, merged left to right: base, files, single settings.

    Args:
        files: Paths of YAML files, or names of configs that ship (``smoke``).
        settings: ``key.sub=value``, the value read as YAML.
        base: What to start from; the defaults where None.

    Raises:
        ConfigError: A file is missing or broken, a key unknown, or a value of the wrong kind.
    """
    layers = [_read_file(name) for name in files] + [_read_setting(text) for text in settings]
    merged: JsonObject = {} if base is None else base.model_dump(mode="json")
    origins: dict[str, str] = {}
    for layer in layers:
        _check_keys(layer, layer.settings, RunConfig)
        merged = _merge(merged, layer.settings)
        origins.update(dict.fromkeys(_leaves(layer.settings), layer.origin))
    try:
        return RunConfig.model_validate(merged)
    except ValidationError as error:
        raise ConfigError(_first_fault(error, origins)) from error


def _read_file(name: str) -> _Layer:
    path = Path(name).expanduser()
    if not path.is_file() and path.name == name:
        path = assets.find("eval_configs", name if path.suffix else f"{name}.yaml")
    if not path.is_file():
        raise ConfigError(f"no config file {name}")
    try:
        read = read_yaml(path.read_bytes())
    except YamlError as error:
        raise ConfigError(f"{name}: not readable as YAML: {error}") from error
    if read is None:
        return _Layer(name, {})
    if not isinstance(read, dict):
        raise ConfigError(f"{name}: must be a mapping of settings, not a {type(read).__name__}")
    return _Layer(name, read)


def _read_setting(text: str) -> _Layer:
    key, equals, value = text.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise ConfigError(f"-s {text}: write key=value, for instance -s engine.kind=silent")
    try:
        nested = read_yaml(value)
    except YamlError as error:
        raise ConfigError(f"-s {text}: value not readable: {error}") from error
    for part in reversed(parts):
        nested = {part: nested}
    assert isinstance(nested, dict)
    return _Layer(f"-s {text}", nested)


def _check_keys(layer: _Layer, settings: JsonObject, model: type[BaseModel], at: str = "") -> None:
    """Refuse the first key that the model does not have.

    Raises:
        ConfigError: With the place, the full key and the nearest known one.
    """
    for key, value in settings.items():
        full = f"{at}{key}"
        if key not in model.model_fields:
            near = difflib.get_close_matches(str(key), model.model_fields, n=1, cutoff=0.5)
            known = near or sorted(model.model_fields)
            hint = ", ".join(f"{at}{name}" for name in known)
            raise ConfigError(f"{layer.origin}: unknown key {full!r}; did you mean {hint}?")
        inner = model.model_fields[key].annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel) and isinstance(value, dict):
            _check_keys(layer, value, inner, f"{full}.")


def _merge(under: JsonObject, over: JsonObject) -> JsonObject:
    """Return both together: mappings key by key, anything else replaced whole."""
    merged = dict(under)
    for key, value in over.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = _merge(old, value) if both else value  # type: ignore[arg-type]
    return merged


def _leaves(settings: Mapping[str, Json], at: str = "") -> Iterator[str]:
    """Dotted names of all values."""
    for key, value in settings.items():
        yield f"{at}{key}"
        if isinstance(value, dict):
            yield from _leaves(value, f"{at}{key}.")


def _first_fault(error: ValidationError, origins: Mapping[str, str]) -> str:
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"])
    origin = next((origins[name] for name in _upwards(key) if name in origins), "config")
    return f"{origin}: {key}: {fault['msg']}, got {fault['input']!r}"


def _leaf_items(value: Json, name: str = "") -> Iterator[tuple[str, Json]]:
    """Each value inside, with the key that it or the list around it stands under."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaf_items(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaf_items(inner, name)
    else:
        yield name, value


def _upwards(key: str) -> Iterator[str]:
    """The dotted name itself, then those of the groups around it."""
    while key:
        yield key
        key = key.rpartition(".")[0]
