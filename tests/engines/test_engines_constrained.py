"""Native calls and answers held to a schema, on the small chat model with vLLM."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from native_examples import offer

from teval import api
from teval.abilities import ABILITIES, card_of
from teval.api.job import requests_of
from teval.engines.models import get_model
from teval.engines.transformers import TransformersEngine
from teval.engines.vllm import VllmEngine
from teval.errors import EngineError
from teval.run.record_file import Spooled
from teval.run.score import read_answer
from teval.schema import Case, Engine

pytestmark = [pytest.mark.engine, pytest.mark.long, pytest.mark.filterwarnings("ignore")]

TOOLS_TEMPLATE = (
    "{% for t in tools or [] %}<|im_start|>system\nTool: {{ t | tojson }}<|im_end|>\n{% endfor %}"
)
"""What a template that takes tools has before its own text."""


@pytest.fixture(scope="module")
def model() -> Path:
    return get_model("smollm2-135m-instruct")


@pytest.fixture(scope="module")
def taking(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model with a template that takes tools."""
    folder = tmp_path_factory.mktemp("taking")
    for file in model.iterdir():
        (folder / file.name).symlink_to(file)
    template = folder / "chat_template.jinja"
    own = template.read_text(encoding="utf-8")
    template.unlink()
    template.write_text(TOOLS_TEMPLATE + own, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def vllm_engine(taking: Path) -> Iterator[Engine]:
    if importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here")
    engine = VllmEngine(model=str(taking), max_model_len=4096, kv_cache_gib=0.5, constrained=True)
    yield engine
    engine.close()


@pytest.mark.parametrize("kind", [TransformersEngine, VllmEngine])
def test_the_small_model_has_no_place_for_tools_and_says_so_before_it_is_loaded(
    kind: type[TransformersEngine] | type[VllmEngine], model: Path
) -> None:
    if kind is VllmEngine and importlib.util.find_spec("vllm") is None:
        pytest.skip("vLLM is not installed here")
    engine = kind(model=str(model))
    with pytest.raises(EngineError, match=r"no place for tools.*cases\.formats"):
        list(engine.generate([offer()]))
    assert not {"_llm", "_decoder"} & vars(engine).keys()


def test_right_answers_keep_to_their_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    config = api.load_config(
        settings=[
            "engine.kind=vllm",
            "engine.model=any",
            "engine.constrained=true",
            "cases.formats=[json]",
            "cases.limit=60",
        ]
    )
    for case in api.slice_cases(config):
        answer = json.loads(card_of(case.ability).answer(case))
        jsonschema.validate(answer, case.constraint)


def test_answers_held_to_a_schema_can_all_be_read(vllm_engine: Engine) -> None:
    config = api.load_config(
        settings=[
            "engine.kind=vllm",
            "engine.model=any",
            "engine.constrained=true",
            "cases.formats=[json]",
            "cases.limit=6",
            "sampling.max_tokens=1024",
        ]
    )
    cases = api.slice_cases(config)
    found = {c.prompt: c for c in vllm_engine.generate(requests_of(config, Spooled(cases, Case)))}
    assert {case.ability for case in cases} == set(ABILITIES)
    for case in cases:
        reading = read_answer(case, found[case.prompt])
        assert reading.status == "ok", found[case.prompt].text
        assert reading.reply.well_formed, found[case.prompt].text
        assert reading.reply.rule == "json"


def test_offered_tools_are_in_the_prompt_and_change_the_answer(vllm_engine: Engine) -> None:
    native = offer()
    plain = native.model_copy(update={"functions": (), "prompt": "plain"})
    found = {c.prompt: c for c in vllm_engine.generate([native, plain])}
    assert found[native.prompt].prompt_tokens > found["plain"].prompt_tokens + 30
    assert all(c.finish in ("stop", "length") for c in found.values())
    assert "<|im_end|>" not in found[native.prompt].text


def test_a_schema_that_can_not_be_used_is_that_request_s_error(vllm_engine: Engine) -> None:
    bad = offer("bad", constraint={"type": "no such type"})
    good = offer("good", constraint={"type": "integer"})
    found = {c.prompt: c for c in vllm_engine.generate([bad, good])}
    assert found["bad"].finish == "error"
    assert found["bad"].error
    assert found["good"].text.lstrip("-").isdigit()
