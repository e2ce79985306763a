"""How responses are made hard to tell by their wording, and which of them are reviewed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from small_family import write_family

from teval.authoring import compile_family, compile_path, load_families, load_family
from teval.authoring.reviews import PLAIN, SUCCESSES, answered, chances, failed
from teval.errors import DataError
from teval.schema import Call, JsonObject, Observation, ReviewLabel, SolutionPath, Step, canonical
from teval.slicing import review_steps
from teval.sources.native import read_paths

EFFECTS = {
    "weather.get_forecast": "read",
    "contacts.find_contact": "read",
    "mail.send_mail": "write",
}
SURE = dict.fromkeys(EFFECTS, 1.0)


def response(step: Step) -> JsonObject:
    assert step.observation is not None
    return step.observation.content


def told(step: Step) -> list[str]:
    notices = response(step).get("notices", [])
    assert isinstance(notices, list)
    return [str(notice) for notice in notices]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[SolutionPath]:
    return compile_family(write_family(tmp_path_factory.mktemp("families")), seed=3, count=40)


def test_a_failed_read_loses_what_is_needed_later(small: list[SolutionPath]) -> None:
    for path in small[::2]:
        lacking, whole = path.steps[:2]
        assert lacking.review == "B"
        assert path.world is not None
        lost = set(path.world.faults[0].lost)
        assert "high" in lost
        assert response(lacking).keys() == response(whole).keys() - lost | {"notices"}
        assert any(notice.startswith(f"{', '.join(sorted(lost))}: ") for notice in told(lacking))
        later = canonical([step.call.args for step in path.steps[2:]]) + path.answer.text
        assert all(str(response(whole)[key]) in later for key in lost), "some by chance"


def test_what_the_call_itself_tells_is_not_lost(tmp_path: Path) -> None:
    (path,) = compile_family(
        write_family(tmp_path, "high is {{ forecast.high }}.", "{{ city }} has that high."), count=1
    )
    assert path.world is not None
    assert [fault.lost for fault in path.world.faults] == [("high",)]
    assert response(path.steps[0])["city"] == path.steps[0].call.args["city"]


def test_what_is_told_later_is_lost_as_well(tmp_path: Path) -> None:
    told_low = "high is {{ forecast.high }} and the low {{ forecast.low }}."
    file = write_family(tmp_path, "high is {{ forecast.high }}.", told_low)
    (path,) = compile_family(file, count=1)
    assert path.world is not None
    assert [fault.lost for fault in path.world.faults] == [("high", "low")]


def test_what_is_needed_is_read_off_the_answer_that_was_hoped_for(tmp_path: Path) -> None:
    retry = "  - id: forecast\n"
    file = write_family(tmp_path, retry, MIXED_UP)
    for path in compile_family(file, seed=3, count=9)[::2]:
        assert [step.review for step in path.steps[:3]] == ["B", "D", "A"]
        assert path.world is not None
        assert "high" in path.world.faults[0].lost


MIXED_UP = """\
  - id: forecast_mixed
    variants: [slow]
    thought: It did not answer, so once more {{ city }}.
    also: ["Again the day in {{ city }}."]
    call: weather.get_forecast
    args: *forecast
    review: D
    fault: misrouted
  - id: forecast
"""


def test_a_text_that_holds_a_lost_one_is_lost_as_well() -> None:
    family = next(f for f in load_families() if f.id == "alarm_before_flight")
    path = compile_path(family, 0)
    assert path.world is not None
    lost = {key for fault in path.world.faults for key in fault.lost}
    assert lost == {"time", "next_ring"}, "the next ring tells the time"


def test_a_family_can_name_what_is_lost(tmp_path: Path) -> None:
    file = write_family(tmp_path, "fault: timeout", "fault: timeout\n    lost: [low, condition]")
    (path,) = compile_family(file, count=1)
    assert path.world is not None
    assert [fault.lost for fault in path.world.faults] == [("low", "condition")]
    assert response(path.steps[0])["high"] == response(path.steps[1])["high"]


def test_where_the_rows_would_be_counted_they_are_lost_with_their_number(tmp_path: Path) -> None:
    retry = "  - id: look_up\n"
    file = write_family(tmp_path, retry, SLOW_CONTACTS, name="counted")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('text: "It will', 'text: "{{ look_up.total }}. It will'))
    (path,) = compile_family(file, count=1)
    lacking = next(step for step in path.steps if step.call.name == "contacts.find_contact")
    assert "notices" not in response(lacking), "nothing else would be left"
    file = write_family(tmp_path, retry, SLOW_CONTACTS, name="checked")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('text: "It will', 'text: "1 mail. It will'))
    (path,) = compile_family(file, count=1)
    lacking = next(step for step in path.steps if step.call.name == "contacts.find_contact")
    assert response(lacking)["total"] == 1


SLOW_CONTACTS = """\
  - id: look_up_slow
    thought: Which address has {{ person.name }}?
    also: ["I look {{ person.name }} up."]
    call: contacts.find_contact
    args: {name: "{{ person.name }}"}
    review: B
    fault: timeout
  - id: look_up
    expect: "look_up.total == 1"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("fault: timeout", "fault: timeout\n    lost: [warmth]", "lost: no warmth in the answer"),
        ("fault: timeout", "lost: [high]", "lost: only a failed service takes keys"),
        ("fault: misrouted", "fault: misrouted\n    lost: [high]", "lost: only a failed service"),
        ("  - id: write\n", "", "changes something"),
    ],
)
def test_what_can_not_be_lost_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    lossy = FAILED_WRITE.replace("fault: unavailable", "fault: unavailable\n    lost: [to]")
    with pytest.raises(DataError, match=message):
        compile_family(write_family(tmp_path, old, new or lossy), count=2)


def test_a_failed_write_fails_as_a_whole(tmp_path: Path) -> None:
    file = write_family(tmp_path, "  - id: write\n", FAILED_WRITE)
    (path,) = compile_family(file, count=1)
    lacking = next(s for s in path.steps if s.call.name == "mail.send_mail")
    assert lacking.review == "B"
    assert response(lacking).keys() >= {"error"}
    assert "notices" not in response(lacking)


FAILED_WRITE = """\
  - id: write_first
    thought: Out it goes to {{ email }}.
    also: ["I send {{ forecast.high }} to {{ email }}."]
    call: mail.send_mail
    args:
      to: ["{{ email }}"]
      subject: High
      body: "It will be {{ forecast.high }} degrees."
    text:
      subject: {facts: [High]}
      body: {facts: ["{{ forecast.high }}"]}
    review: B
    fault: unavailable
  - id: write
"""


def test_a_refused_read_is_answered_with_what_was_taken_instead(tmp_path: Path) -> None:
    old = 'args: {city: "{{ city }}", day: "{{ day }}"}'
    new = 'args: {city: "{{ city }}", date: "{{ day | in_words }}"}'
    file = write_family(tmp_path, f"{old}\n    review: C\n    fits: false", f"{new}\n    review: C")
    path = compile_family(file, seed=3, count=2)[1]
    refused, right = path.steps[0], path.steps[2]
    assert refused.review == "C"
    assert refused.observation is not None
    assert refused.observation.status == "input_error"
    date, given = response(refused)["date"], refused.call.args["date"]
    assert any(
        f"got '{given}'; " in notice and "taken instead" in notice for notice in told(refused)
    )
    assert date != right.call.args["date"]
    assert "error" not in response(refused)


def test_answers_that_are_reviewed_have_notices_of_no_matter(small: list[SolutionPath]) -> None:
    for path in small[1::2]:
        other = path.steps[1]
        assert (other.review, other.reviewed) == ("D", True)
        assert told(other)
    for path in small:
        for step in path.steps[:-1]:
            reads = EFFECTS[step.call.name] == "read"
            assert bool(told(step)) == (step.review == "B" or (step.reviewed and reads)) or (
                step.review == "C"
            )


def test_other_labels_are_reviewed_always_but_plain_errors_seldom() -> None:
    families = read_paths("full")
    plain = Counter[bool]()
    for path in families:
        met = Counter(str(step.review) for step in path.steps)
        found = Counter(str(step.review) for step in review_steps(path))
        assert {x: found[x] for x in "DE"} == {x: met[x] for x in "DE"}
        assert all(found[x] <= 1 for x in "BC")
        for label in "BC":
            steps = [s for s in path.steps if s.review == label]
            if steps and all("error" in response(s) for s in steps):
                plain[bool(found[label])] += 1
    assert PLAIN / 2 < plain[True] / plain.total() < 2 * PLAIN


def test_successes_are_reviewed_in_proportion_to_the_other_responses_of_a_tool(
    tmp_path: Path,
) -> None:
    new = 'args: {city: "{{ city }}", date: "{{ day }}", unit: celsius}\n    expect: "forecast'
    family = load_family(write_family(tmp_path, 'args: *forecast\n    expect: "forecast', new))
    found = chances([family], EFFECTS)
    # Each variant has one success; one has one other response, one has two.
    assert found["weather.get_forecast"] == pytest.approx(SUCCESSES / (1 - SUCCESSES) * 1.5)
    assert found["contacts.find_contact"] == found["mail.send_mail"] == 0


def test_successes_of_calls_that_were_made_before_count_for_nothing(tmp_path: Path) -> None:
    found = chances([load_family(write_family(tmp_path))], EFFECTS)
    assert "weather.get_forecast" not in found


def step(number: int, label: ReviewLabel, content: JsonObject, **args: str) -> Step:
    call = Call(name="weather.get_forecast", args={**args})
    seen = Observation(status="ok", content=content)
    return Step(id=number, thought="I look.", call=call, observation=seen, review=label)


def test_a_call_that_was_made_before_is_no_reviewed_success() -> None:
    steps = [step(0, "D", {"city": "B"}, city="A"), step(1, "A", {"city": "A"}, city="A")]
    assert answered(steps, SURE, Random(0)) == {0}
    alone = [step(0, "A", {"city": "A"}, city="A")]
    assert answered(alone, SURE, Random(0)) == {0}
    assert answered(alone, {}, Random(0)) == set()


def test_what_was_right_by_chance_is_not_reviewed_as_refused() -> None:
    right: JsonObject = {"city": "A", "high": 3}
    noted: JsonObject = {**right, "notices": ["unknown city; A taken instead"]}
    lucky = [step(0, "C", noted, city="a"), step(1, "A", right, city="A")]
    assert failed(lucky, Random(0)) == set()
    wrong = [lucky[0], step(1, "A", {"city": "B", "high": 4}, city="B")]
    assert failed(wrong, Random(0)) == {0}


def test_of_several_failures_those_that_hold_more_than_an_error_come_first() -> None:
    bare: JsonObject = {"error": "unknown argument"}
    steps = [step(0, "C", bare), step(1, "C", {"city": "B", "notices": []}), step(2, "C", bare)]
    assert all(failed(steps, Random(n)) == {1} for n in range(20))
    often = sum(bool(failed(steps[::2], Random(n))) for n in range(1000)) / 1000
    assert PLAIN / 2 < often < 2 * PLAIN


def test_labels_of_the_full_set_are_in_balance() -> None:
    labels = Counter(step.review for path in read_paths("full") for step in review_steps(path))
    assert {x: 0.15 <= labels[x] / labels.total() <= 0.28 for x in labels} == dict.fromkeys(
        "ABCDE", True
    )
