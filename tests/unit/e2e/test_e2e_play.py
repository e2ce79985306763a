"""Episodes: mistakes become observations, waves stay full, and every end is told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest
from e2e_examples import lite, played, rules, says, shipped, standard
from factories import make_path

from teval.e2e.outcome import outcome
from teval.e2e.play import Asked, Task, play
from teval.errors import DataError
from teval.schema import Completion

PATH = shipped("called_off-0")


def call(name: str, **args: object) -> str:
    return json.dumps({"thought": "", "name": name, "args": args})


@pytest.mark.parametrize(
    ("text", "mistake", "told"),
    [
        ("I will look.", "unreadable", "no call could be read"),
        (call("mail.serch_mail", words="x"), "unknown_tool", "mail.search_mail"),
        (call("flights.book_flight"), "unknown_tool", "unknown tool"),
        (call("mail.search_mail", word="x"), "invalid_arguments", "words"),
        (call("calendar.delete_event", event_id=5), "invalid_arguments", "string"),
        (call("mail.read_mail", mail_id="MSG-NONE"), "refused", "MSG-NONE"),
    ],
)
def test_mistakes_become_observations(text: str, mistake: str, told: str) -> None:
    (episode,) = played([Task(PATH)], says(text, call("FinishAction", answer="Sorry.")))
    first = episode.turns[0]
    assert first.mistake == mistake
    assert first.observation is not None
    assert first.observation.status == "input_error"
    assert told in str(first.observation.content["error"])
    assert (episode.end, episode.answer) == ("finished", "Sorry.")


@pytest.mark.parametrize("args", [{}, {"answer": 5}, {"answer": None}])
def test_an_answer_that_is_no_text_tells_nothing(args: dict[str, object]) -> None:
    (episode,) = played([Task(PATH)], says(call("FinishAction", **args)))
    assert (episode.end, episode.answer, len(episode.turns)) == ("finished", "", 1)


def test_turns_are_limited_and_a_plan_is_not_counted() -> None:
    (react,) = played([Task(PATH)], says(), steps=3)
    assert (react.end, len(react.turns)) == ("out_of_steps", 3)
    (planner,) = played([Task(PATH)], says(), "plan_act", steps=3)
    assert (planner.end, len(planner.turns)) == ("out_of_steps", 4)
    assert (planner.turns[0].kind, planner.turns[0].mistake) == ("plan", "unreadable")


def test_waves_hold_one_turn_of_every_episode_that_goes_on() -> None:
    waves: list[list[tuple[str, int]]] = []

    def speaker(asked: Sequence[Asked]) -> Iterator[Completion]:
        waves.append([(q.task.path.id, len(q.turns)) for q in asked])
        for question in reversed(asked):
            done = question.task.path is PATH or len(question.turns) == 2
            text = call("FinishAction", answer="") if done else ""
            key, prompt = question.request.key, question.request.prompt
            yield Completion(request=key, prompt=prompt, text=text, finish="stop")

    other = lite()[0]
    ends = [e.path for e in play([Task(PATH), Task(other)], rules(), speaker)]
    assert waves == [[(PATH.id, 0), (other.id, 0)], [(other.id, 1)], [(other.id, 2)]]
    assert ends == [PATH.id, other.id]


@pytest.mark.parametrize(
    ("finish", "end"), [("overflow", "context_overflow"), ("error", "engine_error")]
)
def test_what_the_engine_could_not_answer_ends_that_episode_alone(finish: str, end: str) -> None:
    def speaker(asked: Sequence[Asked]) -> Iterator[Completion]:
        for q in asked:
            bad = q.task.trial == 1
            yield Completion.model_validate(
                {
                    "request": q.request.key,
                    "prompt": q.request.prompt,
                    "text": "" if bad else call("FinishAction", answer="ok"),
                    "finish": finish if bad else "stop",
                    "error": "too much" if bad else "",
                }
            )

    good, bad = sorted(play([Task(PATH), Task(PATH, 1)], rules(), speaker), key=lambda e: e.trial)
    assert (good.end, good.answer) == ("finished", "ok")
    assert (bad.end, bad.error, bad.turns) == (end, "too much", ())


def test_a_turn_that_was_cut_off_is_marked() -> None:
    def speaker(asked: Sequence[Asked]) -> Iterator[Completion]:
        for q in asked:
            key, prompt = q.request.key, q.request.prompt
            yield Completion(request=key, prompt=prompt, text="I will", finish="length")

    (episode,) = play([Task(PATH)], rules(steps=2), speaker)
    assert [turn.hit_limit for turn in episode.turns] == [True, True]
    assert outcome(episode, standard(PATH.id)).hit_limit == 2


def test_trials_are_asked_apart() -> None:
    first, second = (next(iter(_asked(trial))).request.key for trial in (0, 1))
    assert first != second


def _asked(trial: int) -> list[Asked]:
    seen: list[Asked] = []

    def speaker(asked: Sequence[Asked]) -> Iterator[Completion]:
        seen.extend(asked)
        for q in asked:
            key, prompt = q.request.key, q.request.prompt
            yield Completion(request=key, prompt=prompt, finish="error")

    assert len(list(play([Task(PATH, trial)], rules(), speaker))) == 1
    return seen


def test_a_path_without_world_is_refused() -> None:
    with pytest.raises(DataError, match=r"trip_01.*world"):
        played([Task(make_path())], says())
