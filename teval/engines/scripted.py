"""An engine that answers from a map: the oracle, the degraded oracle, recordings, silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from teval.errors import DataError
from teval.schema import Completion, JsonObject, Request, digest


class ScriptedEngine:
    """Answers each request with the text that stands under its prompt hash.

    Tokens are counted as words between white space, since there is no tokenizer.

    Args:
        answers: Prompt hash to answer.
        kind: What the answers are, for the manifest: ``"oracle"``, ``"silent"``, …
        missing: What a prompt without an answer gets: ``"silent"`` an empty text, ``"error"`` a
            completion with ``finish`` ``error``.
    """

    def __init__(
        self, *, answers: Mapping[str, str], kind: str = "scripted", missing: str = "silent"
    ) -> None:
        self._answers = dict(answers)
        self._kind = kind
        self._missing = missing

    def describe(self) -> JsonObject:
        """Return the kind and a hash of all answers."""
        return {"kind": self._kind, "answers": digest(self._answers), "tokens": "words"}

    def generate(self, requests: Iterable[Request]) -> Iterator[Completion]:
        """Yield one completion a request, in the order given."""
        return map(self._complete, requests)

    def close(self) -> None:
        """Do nothing: there is nothing to free."""

    def _complete(self, request: Request) -> Completion:
        text = self._answers.get(request.prompt, "")
        failed = self._missing == "error" and request.prompt not in self._answers
        return Completion(
            request=request.key,
            prompt=request.prompt,
            text=text,
            finish="error" if failed else "stop",
            error="no answer is scripted for this prompt" if failed else "",
            prompt_tokens=_words(request),
            completion_tokens=len(text.split()),
        )


def _words(request: Request) -> int:
    return sum(len(message.content.split()) for message in request.messages)


def recorded_answers(path: Path) -> dict[str, str]:
    """Return prompt hash to answer from the completions that a run left behind.

    Completions that failed are left out; of several for one prompt the first counts.

    Args:
        path: A ``completions.jsonl``, or the run folder that holds it.

    Raises:
        DataError: The file is missing or a line in it is not a completion.
    """
    file = path / "completions.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise DataError(f"{file}: no such file; name a run folder or its completions.jsonl")
    answers: dict[str, str] = {}
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            completion = _completion(line, f"{file}, line {number}")
            if completion.finish in ("stop", "length"):
                answers.setdefault(completion.prompt, completion.text)
    return answers


def _completion(line: str, where: str) -> Completion:
    try:
        return Completion.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "line"
        raise DataError(f"{where}: not a completion ({field}: {first['msg']})") from error
