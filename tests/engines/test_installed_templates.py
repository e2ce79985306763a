"""Every chat template that an installed package or a fetched model brings, read where it lies."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from chat_templates import BOS, Letters
from conversations import assert_whole, conversations, say

from teval.engines.chat import Chat
from teval.engines.models import cache_folder
from teval.engines.thinking import Wish
from teval.errors import EngineError

pytestmark = pytest.mark.engine

PACKAGES = ("transformers", "vllm", "mistral_common", "llama_cpp", "sglang", "trl")
LOOP = re.compile(rb"for \w+ in (?:\w+_)?messages")


@cache
def installed() -> dict[str, str]:
    """Templates by where they come from."""
    found: dict[str, str] = {}
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in spec.submodule_search_locations or () if spec else ():
            found |= dict(_in_files(Path(folder), package)) | dict(_in_code(Path(folder), package))
    found |= dict(_in_files(cache_folder(), "models"))
    return found | dict(_made())


def _in_files(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*.jinja")):
        if LOOP.search(file.read_bytes()):
            yield f"{name}:{file.relative_to(folder)}", file.read_text(encoding="utf-8")
    for file in sorted(folder.rglob("tokenizer_config.json")):
        template = json.loads(file.read_text(encoding="utf-8")).get("chat_template")
        if isinstance(template, str):
            yield f"{name}:{file.relative_to(folder)}", template


def _in_code(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Templates that stand in a module as text."""
    for file in sorted(folder.rglob("*.py")):
        source = file.read_bytes()
        if b"{%" in source and LOOP.search(source):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    text = node.value
                    if LOOP.search(text.encode()) and re.match(r"\s*(\{|<\||\[)", text):
                        yield f"{name}:{file.relative_to(folder)}:{node.lineno}", text


def _made() -> Iterator[tuple[str, str]]:
    """Templates that mistral_common writes, one a tokenizer version and way of thinking."""
    if importlib.util.find_spec("mistral_common") is None:
        return
    written = importlib.import_module("mistral_common.integrations.chat_templates.chat_templates")
    versions = importlib.import_module("mistral_common.tokens.tokenizers.base").TokenizerVersion
    for version, spm, thinks in product(versions, (False, True), (False, True)):
        settings = {
            "tokenizer_version": version,
            "spm": spm,
            "image_support": False,
            "audio_support": False,
            "thinking_support": thinks,
            "default_system_prompt": None,
            "plain_thinking_support": False,
            "use_special_token_variables": True,
            "model_settings_fields": None,
        }
        for efforts in ((None, None), (("none", "high"), "none")):
            values, default = efforts
            more = {"reasoning_effort_values": values, "reasoning_effort_default": default}
            try:
                template = written.generate_chat_template(**settings, **more)
            except ValueError:
                continue  # that version has no such way
            yield f"mistral_common:{version.name}{'-spm' * spm}{'-thinks' * thinks}", template


def test_there_are_templates_to_try() -> None:
    if importlib.util.find_spec("vllm") is not None:
        assert any(name.startswith("vllm:") for name in installed())
    assert installed()


def test_every_installed_template_renders_all_or_is_refused() -> None:
    """What can be used loses nothing of any conversation; what can't is told in one line."""
    used = []
    for name, template in installed().items():
        chat = Chat(Letters(template, bos_token_id=BOS))
        if is_refused(chat):
            continue
        used.append(name)
        for messages in conversations(longest=1):
            try:
                assert_whole(chat, messages)
            except Exception as error:
                error.add_note(f"in {name} with {messages}, fitted as {chat.roles}")
                raise
    assert len(used) > len(installed()) / 2


def is_refused(chat: Chat) -> bool:
    """Tell whether a template can't be used; anything but one clear line is an error."""
    try:
        chat.describe()
    except EngineError as error:
        return "can't render one plain user turn" in str(error)
    return False


def test_a_template_with_a_switch_for_thinking_obeys_it() -> None:
    """Of the installed ones, those in which the probe finds a switch; without vLLM none may be."""
    found = {}
    for name, template in installed().items():
        off, on = (
            Chat(Letters(template, bos_token_id=BOS), {}, Wish(mode)) for mode in ("off", "on")
        )
        if not is_refused(on) and on.thought.switch:
            ask = [say("user", "first ask")]
            found[name] = (on.render(ask) != off.render(ask), on.thought.thinks, off.thought.thinks)
    assert all(told == (True, True, False) for told in found.values()), found
    if importlib.util.find_spec("vllm") is not None:
        assert found
