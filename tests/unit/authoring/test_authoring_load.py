from __future__ import annotations

from pathlib import Path

import pytest
from small_family import write_family

from teval.authoring import load_families, load_family
from teval.errors import DataError

# What is changed in the family, what it is changed to, what the one line must say.
FAULTS = {
    "unknown_key": ("tags:", "labels:", "labels: Extra inputs are not permitted"),
    "missing_key": ('clock: "2031-05-05T08:00:00"\n', "", "clock: Field required"),
    "wrong_type": ("tags: [weather]", "tags: weather", "tags: Input should be a valid array"),
    "clock": ("2031-05-05T08:00:00", "2031-05-05 08:00", "clock: a clock is written like"),
    "no_such_day": ("2031-05-05T", "2031-02-30T", "clock: "),
    "name": ("id: small", "id: Small Family", "id: a name has small letters"),
    "few_tools": ("  - flights.find_airports\n", "", "tools: Tuple should have at least 10"),
    "two_queries": ("  - \"To {{", "\n# ", "not YAML"),
    "no_source": ('{view: "cities[].name"}', "{}", "slots.city: give exactly one of"),
    "two_sources": ("{among: [1, 2]}", '{among: [1], text: "x"}', "slots.ahead: give exactly one"),
    "template": ("{{ person.id }}", "{{ person.id }", "slots.email.text: not a template"),
    "filter": ("| plus_days(ahead)", "| plus_weeks(ahead)", "slots.day.text: not a template"),
    "condition": ("forecast.high > 0", "forecast.high >", "steps.3.expect: not a condition"),
    "unknown_slot": ("plus_days(ahead)", "plus_days(behind)", "nothing is called behind here"),
    "unknown_in_query": ("What will the high be in {{ city", "High in {{ town", "queries: nothing"),
    "later_step": ("the high of {{ city }}.", "{{ look_up.total }}", "called look_up here"),
    "other_variant": ("thought: I need the a", "thought: The {{ forecast_slow }}", "variant other"),
    "unknown_variant": ("variants: [slow]\n", "variants: [fast]\n", "steps.forecast_slow.variants"),
    "unknown_told_by": ("told_by: look_up", "told_by: look_down", "nothing is called look_down"),
    "unknown_need": ("call: contacts", "needs: [write]\n    call: contacts", "look_up.needs"),
    "twice": ("id: write", "id: forecast", "the name 'forecast' is taken"),
    "slot_and_step": ("id: write", "id: city", "the name 'city' is taken"),
    "key_twice": ("tags: [weather]", "tags: [weather]\ntags: [mail]", "key 'tags' given twice"),
    "jmespath": ('["{{ email }}"]', '{from: look_up, path: "a[["}', "not JMESPath"),
    "binding_key": ('["{{ email }}"]', '{from: look_up, paths: "a"}', "paths: Extra inputs"),
    "no_facts": ('facts: ["{{ forecast.high }}", "{{ city }}"]', "facts: []", "answer.facts: "),
    "no_toolset": ("tools:\n", "tools: picnic\nrest:\n", "_toolsets.yaml: can't be read"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), FAULTS.values(), ids=FAULTS.keys())
def test_a_wrong_file_is_refused_in_one_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    file = write_family(tmp_path, old, new)
    with pytest.raises(DataError) as caught:
        load_family(file)
    text = str(caught.value)
    assert message in text
    assert str(tmp_path) in text
    assert "\n" not in text


def test_a_toolset_is_found_by_name(tmp_path: Path) -> None:
    plain = load_family(write_family(tmp_path))
    listed = "\n".join(f"  - {name}" for name in plain.tools)
    (tmp_path / "_toolsets.yaml").write_text(f"sky:\n{listed}\n", encoding="utf-8")
    file = tmp_path / "small.yaml"
    file.write_text(file.read_text("utf-8").replace(f"tools:\n{listed}", "tools: sky"), "utf-8")
    assert "tools: sky" in file.read_text("utf-8")
    assert load_family(file) == plain


def test_an_unknown_toolset_is_named(tmp_path: Path) -> None:
    (tmp_path / "_toolsets.yaml").write_text("sky: []\n", encoding="utf-8")
    file = write_family(tmp_path, "tools:\n", "tools: picnic\ntags2:\n")
    with pytest.raises(DataError, match=r"no list 'picnic' in _toolsets\.yaml; it has sky"):
        load_family(file)


def test_dates_stay_text(tmp_path: Path) -> None:
    file = write_family(tmp_path, "among: [1, 2]", "among: [2031-05-06]")
    assert load_family(file).slots["ahead"].among == ("2031-05-06",)


def test_a_missing_file_and_a_list_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.yaml: can't be read"):
        load_family(tmp_path / "none.yaml")
    (tmp_path / "list.yaml").write_text("- 1\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected a mapping of keys, got list"):
        load_family(tmp_path / "list.yaml")


def test_families_are_read_in_order_and_ids_are_unique(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no family files"):
        load_families(tmp_path)
    write_family(tmp_path, "id: small", "id: second", name="b")
    write_family(tmp_path, "id: small", "id: first", name="c")
    write_family(tmp_path, "id: small", "id: third", name="a")
    assert [family.id for family in load_families(tmp_path)] == ["third", "second", "first"]
    write_family(tmp_path, "id: small", "id: second", name="d")
    with pytest.raises(DataError, match=r"d\.yaml: id: 'second' is also the id of"):
        load_families(tmp_path)


def test_soundness_follows_from_the_review_unless_given(tmp_path: Path) -> None:
    file = write_family(tmp_path, "review: B\n", "review: B\n    sound: false\n    planned: true\n")
    steps = {step.id: step for step in load_family(file).steps}
    told = {name: (step.is_sound, step.is_planned) for name, step in steps.items()}
    assert told["forecast_slow"] == (False, True)
    assert told["forecast_typo"] == (False, False)
    assert told["forecast_other"] == (True, False)
    assert told["write"] == (True, True)
