from __future__ import annotations

from pathlib import Path

import pytest
from run_cases import make_case, review_case

from teval.errors import DataError
from teval.run.errata import SHIPPED, case_hash, overlay, read_errata
from teval.schema import Case, Erratum, JsonObject


def exclude(case: Case, hash_: str = "") -> Erratum:
    found = hash_ or case_hash(case)
    return Erratum(case=case.id, hash=found, action="exclude", reason="unanswerable")


def amend(case: Case, **gold: str) -> Erratum:
    changed: JsonObject = dict(gold)
    return Erratum(
        case=case.id, hash=case_hash(case), action="amend", gold=changed, reason="wrong label"
    )


def test_the_hash_is_of_prompt_and_gold() -> None:
    case = review_case("a", "B")
    assert case_hash(case) == case_hash(review_case("a", "B", family="other"))
    assert case_hash(case) != case_hash(review_case("a", "C"))
    assert case_hash(case) != case_hash(review_case("b", "B"))


def test_cases_are_excluded_and_amended_in_their_order() -> None:
    cases = [review_case(name) for name in "abcd"]
    entries = [amend(cases[2], review="C"), exclude(cases[1])]
    found = overlay(cases, entries)
    mended = list(found.mend(cases))
    assert [(case.id, case.gold["review"]) for case in mended] == [
        *[("a", "B"), ("c", "C"), ("d", "B")]
    ]
    assert found.applied == tuple(entries)
    assert found.warnings == ()
    assert mended[0] is cases[0]


def test_fields_that_are_not_amended_stay() -> None:
    gold: JsonObject = {"name": "mail.send", "thought": "t", "fields": [["name", "tool"]]}
    case = make_case("a", "instruct", "json", gold)
    (mended,) = overlay([case], [amend(case, name="mail.search")]).mend([case])
    assert mended.gold == {**gold, "name": "mail.search"}


def test_an_erratum_for_another_case_is_ignored_and_named() -> None:
    case = review_case("a")
    found = overlay([case], [exclude(case, "0" * 16), exclude(review_case("gone"))])
    assert (list(found.mend([case])), found.applied) == ([case], ())
    first, second = found.warnings
    assert "case 'a'" in first
    assert f"hash {'0' * 16}, but the case's is {case_hash(case)}" in first
    assert "case 'gone'" in second
    assert "no such case" in second


def test_a_gold_that_is_none_is_refused() -> None:
    case = review_case("a")
    with pytest.raises(DataError, match="gold of case 'a': review"):
        overlay([case], [amend(case, review="F")])
    with pytest.raises(DataError, match="gold of case 'a': letter"):
        overlay([case], [amend(case, letter="A")])


def test_the_shipped_file_has_no_entry_and_none_is_none() -> None:
    assert read_errata(SHIPPED) == read_errata("") == read_errata(None) == ()


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "errata.yaml"
    file.write_text(
        "errata:\n"
        "- {case: a, hash: '01', action: exclude, reason: bad}\n"
        "- {case: b, hash: '02', action: amend, gold: {review: A}, reason: worse}\n",
        encoding="utf-8",
    )
    first, second = read_errata(str(file))
    assert (first.case, first.action, first.gold, first.reason) == ("a", "exclude", {}, "bad")
    assert (second.hash, second.gold) == ("02", {"review": "A"})


ENTRY = "case: a, hash: '01', action: exclude, reason: bad"
AMEND = ENTRY.replace("exclude", "amend")
DROP = ENTRY.replace("exclude", "drop")
NO_REASON = ENTRY.replace("bad", "''")
NUMBER = ENTRY.replace("'01'", "1")
BAD: dict[str, str] = {
    "": "valid dictionary",
    "errata: 5": "errata: ",
    "errata: [": "YAML",
    "other: []": "errata: Field required",
    "errata: [{case: a}]": "errata.0.hash: Field required",
    f"errata: [{{{ENTRY}, more: 1}}]": "errata.0.more",
    f"errata: [{{{ENTRY}, gold: {{a: 1}}}}]": "amend needs gold, and exclude has none",
    f"errata: [{{{AMEND}}}]": "amend needs gold",
    f"errata: [{{{DROP}}}]": "errata.0.action",
    f"errata: [{{{NO_REASON}}}]": "errata.0.reason",
    f"errata: [{{{NUMBER}}}]": "errata.0.hash",
    f"errata: [{{{ENTRY}}}, {{{ENTRY}}}]": "two errata are about case 'a'",
}


@pytest.mark.parametrize(("text", "part"), BAD.items())
def test_a_bad_file_is_one_clear_line(text: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "errata.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_errata(str(file))
    assert str(caught.value).startswith(f"{file}: ")
    assert part in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.yaml: can't be read"):
        read_errata(str(tmp_path / "nowhere.yaml"))
    with pytest.raises(DataError, match="can't be read"):
        read_errata(str(tmp_path))
