"""What goes wrong for people who evaluate models, by group, and the tests that it can't here.

A test that is renamed or taken away shows here, and so does a row without any.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

CHAT = "unit/engines/test_engines_chat.py"
HABITS = "unit/engines/test_engines_habits.py"
INSTALLED = "engines/test_installed_templates.py"
THINKING = "unit/engines/test_engines_thinking.py"
THOUGHTS = "engines/test_engines_thoughts.py"
REAL = "engines/test_engines_real.py"
SERVERS = "unit/engines/test_engines_openai.py"
REASONING = "unit/formats/test_formats_reasoning.py"
SCORE = "unit/run/test_run_score.py"
ALARMS = "unit/run/test_run_alarms.py"
GENERATE = "unit/run/test_run_generate.py"
STORE = "unit/run/test_run_store.py"
PROGRESS = "unit/cli/test_cli_progress.py"
SWEEP = "engines/test_sweep_command.py"
RESUME = "properties/test_run_resume.py"
INVARIANTS = "unit/abilities/test_abilities_invariants.py"

TEMPLATES: dict[str, tuple[str, ...]] = {
    "B1 the template refuses a system turn": (
        f"{CHAT}::test_a_refused_system_turn_stands_at_the_head_of_the_first_user_turn",
        f"{HABITS}::test_messages_are_fitted_only_where_the_template_needs_it",
    ),
    "B2 the template wants roles to alternate": (
        f"{CHAT}::test_turns_of_one_role_are_merged_only_where_they_must_be",
        f"{HABITS}::test_no_conversation_loses_anything",
    ),
    "B3 the template knows no tool or function turn": (
        f"{CHAT}::test_a_tool_result_is_never_lost",
        f"{CHAT}::test_a_nameless_tool_result_has_a_marker_too",
        f"{SERVERS}::test_turns_stay_as_they_are_but_for_results_of_tools",
    ),
    "B4 a template written by hand": (
        f"{INSTALLED}::test_every_installed_template_renders_all_or_is_refused",
        f"{PROGRESS}::test_a_person_may_see_the_template_and_the_first_answer",
    ),
    "B5 nobody sees what the model is shown": (
        f"{PROGRESS}::test_a_person_may_see_the_template_and_the_first_answer",
    ),
    "B6 a model without a template": (
        f"{HABITS}::test_no_template_at_all_is_refused_with_the_way_out",
        f"{CHAT}::test_a_useless_template_is_told_with_the_way_out",
    ),
    "B7 two tokens that begin a prompt, or none": (
        f"{CHAT}::test_a_prompt_begins_with_one_bos_or_none",
        f"{CHAT}::test_two_bos_in_a_template_are_refused",
        f"{HABITS}::test_a_prompt_has_one_bos_wherever_it_comes_from",
        f"{HABITS}::test_a_model_without_bos_gets_none",
        f"{REAL}::test_the_prompt_begins_with_exactly_one_bos",
    ),
    "B8 nobody knows which template was used": (
        f"{CHAT}::test_the_description_changes_with_the_template",
        f"{REAL}::test_the_description_names_what_could_move_an_answer",
    ),
    "B9 arguments of calls as text in the history": (
        f"{HABITS}::test_arguments_written_as_text_are_read_once",
        f"{HABITS}::test_arguments_are_given_as_the_template_wants_them",
    ),
    "B10 an empty list of calls": (
        f"{HABITS}::test_the_key_for_calls_is_there_only_with_calls",
        "unit/test_messages.py::test_only_a_message_with_calls_tells_of_them",
    ),
    "B11 the history loses the call": (
        f"{HABITS}::test_a_call_in_words_can_be_read_back",
        "unit/test_prompting.py::test_a_history_of_turns_shows_what_the_log_shows",
    ),
    "B12 turns with calls come out empty": (
        f"{HABITS}::test_no_conversation_loses_anything",
        f"{INSTALLED}::test_every_installed_template_renders_all_or_is_refused",
    ),
    "B13 a result before its call": (
        "unit/test_messages.py::test_another_order_is_refused_with_the_case",
        f"{HABITS}::test_results_bear_the_ids_of_their_calls",
    ),
    "B14 the same case with another prompt": (
        "unit/test_prompting.py::test_the_hash_of_a_prompt_moves_with_role_and_text",
        f"{REAL}::test_greedy_answers_are_those_of_the_plain_loop",
    ),
    "B15 one number out of two ways of asking": (
        "unit/run/test_run_summary.py::"
        "test_abilities_are_means_of_formats_and_overall_is_the_mean_of_abilities",
    ),
    "B16 special tokens known by heart": (
        f"{CHAT}::test_an_answer_ends_where_the_tokenizer_says",
        f"{THOUGHTS}::test_the_closing_token_ends_the_thought_although_decoding_would_hide_it",
    ),
    "B17 words put into the model's mouth": (
        f"{HABITS}::test_the_model_answers_right_after_the_templates_own_words",
    ),
    "B18 earlier thoughts shown again": (
        "unit/e2e/test_e2e_agent.py::test_react_shows_the_task_then_each_answer_and_what_it_led_to",
    ),
    "B19 a template that some turn breaks": (
        f"{HABITS}::test_no_conversation_loses_anything",
        f"{INSTALLED}::test_every_installed_template_renders_all_or_is_refused",
    ),
    "B20 nobody knows how roles were rendered": (
        f"{CHAT}::test_probing_finds_what_a_template_accepts",
        f"{CHAT}::test_the_description_changes_with_the_template",
    ),
    "B21 a tool's description that hides what is required": (
        "unit/test_tool_schema.py::test_a_tools_schema_says_what_is_required_inside",
    ),
}

THOUGHT: dict[str, tuple[str, ...]] = {
    "T1 the thought is graded": (
        f"{INVARIANTS}::test_a_thought_before_the_answer_changes_nothing",
        f"{REASONING}::test_reasoning_comes_off",
    ),
    "T2 a thought that was cut off is read": (
        f"{SCORE}::test_each_answer_ends_in_one_status",
        f"{THOUGHTS}::test_a_thought_that_uses_up_its_budget_is_no_answer",
        f"{SERVERS}::test_what_is_surely_a_thought",
    ),
    "T3 stop strings end a thought": (
        f"{SERVERS}::test_stop_strings_are_refused_where_they_may_end_a_thought",
        f"{SERVERS}::test_sampling_is_sent_whole_and_nothing_that_servers_may_refuse",
        f"{THOUGHTS}::test_no_text_ends_an_answer",
    ),
    "T4 only the closing tag": (
        f"{REASONING}::test_reasoning_comes_off",
        f"{THINKING}::test_the_tags_tokens_tell_thought_from_answer",
        f"{THOUGHTS}::test_the_template_that_opens_the_thought_is_in_the_record",
    ),
    "T5 the whole answer in the server's field for thoughts": (
        f"{SERVERS}::test_without_thinking_a_lone_thought_is_the_answer",
        f"{SCORE}::test_what_the_engine_noticed_is_flagged",
    ),
    "T6 a thought without tags": (
        f"{ALARMS}::test_long_prose_before_the_json_may_be_a_thought_without_tags",
    ),
    "T7 nobody knows whether thoughts came off": (
        "unit/run/test_run_summary.py::test_how_many_answers_held_a_thought_is_summed_up",
        "unit/report/test_report_table.py::test_details_say_how_many_answers_held_a_thought",
    ),
    "T8 a model that talks about the tags": (
        f"{THINKING}::test_a_tag_that_is_only_spelled_is_none",
        f"{SCORE}::test_where_the_engine_knows_the_thought_its_word_counts",
        f"{REASONING}::test_a_tag_inside_a_value_is_no_tag_whatever_stands_before",
    ),
    "T9 thinking eats the answer's tokens": (
        f"{THINKING}::test_thought_and_answer_have_budgets_of_their_own",
        f"{THOUGHTS}::test_an_answer_has_its_own_budget_behind_the_thought",
        f"{SERVERS}::test_thinking_sets_the_switches_and_the_sum_of_both_budgets",
        f"{PROGRESS}::test_what_there_is_to_know_of_thoughts_is_told",
    ),
    "T10 braces in the thought": (
        f"{REASONING}::test_reading_keeps_the_flags_of_both",
        f"{INVARIANTS}::test_a_thought_before_the_answer_changes_nothing",
    ),
    "T11 a thought that can't be stored": (f"{STORE}::test_all_records_come_back_as_they_were",),
    "T12 reasoning comes off only if asked for": (
        f"{INVARIANTS}::test_a_thought_before_the_answer_changes_nothing",
    ),
}

INFERENCE: dict[str, tuple[str, ...]] = {
    "D1 one request after the other": (
        f"{GENERATE}::test_requests_are_unique_and_in_the_order_of_their_text",
        f"{PROGRESS}::test_an_estimate_follows_the_first_answers_then_a_line_now_and_then",
    ),
    "D2 one answer of another kind, or one prompt too long, ends all": (
        f"{REAL}::test_an_overlong_prompt_is_set_aside_and_the_rest_runs",
    ),
    "D3 a prompt that is too long": (
        f"{REAL}::test_an_overlong_prompt_is_set_aside_and_the_rest_runs",
        f"{SERVERS}::test_a_prompt_that_is_too_long_overflows",
        f"{SCORE}::test_each_answer_ends_in_one_status",
    ),
    "D4 answers that shift by one": (
        f"{REAL}::test_an_overlong_prompt_is_set_aside_and_the_rest_runs",
        f"{SERVERS}::test_answers_come_as_they_are_there_and_to_their_own_request",
    ),
    "D5 work that is lost": (
        f"{RESUME}::test_however_a_run_is_stopped_and_torn_it_ends_in_the_same_records",
        "engines/test_kills.py::test_a_run_stopped_mid_way_goes_on_to_the_same_records",
    ),
    "D6 nothing left to ask": (
        f"{GENERATE}::test_a_finished_run_asks_nothing",
        f"{REAL}::test_no_requests_is_a_normal_case",
    ),
    "D7 repeats that are all one": (
        f"{GENERATE}::test_repeats_have_keys_of_their_own",
        f"{REAL}::test_repeats_draw_differently_and_the_same_request_alike",
    ),
    "D8 a resume that decides from memory": (
        f"{RESUME}::test_however_a_run_is_stopped_and_torn_it_ends_in_the_same_records",
    ),
    "D9 a resume that trusts any file": (
        f"{STORE}::test_other_answers_are_refused_with_the_difference",
        f"{STORE}::test_unknown_files_are_left_alone",
    ),
    "D10 memory that is not freed between models": (
        f"{SWEEP}::test_a_sweep_goes_on_whatever_becomes_of_a_model",
    ),
    "D11 memory that runs out": (
        f"{SWEEP}::test_a_start_short_of_memory_is_tried_once_more",
        "unit/api/test_api_memory.py::test_only_what_takes_memory_is_made_smaller",
    ),
    "D12 greedy answers that hang on the batch": (
        f"{REAL}::test_greedy_answers_are_those_of_the_plain_loop",
        "engines/test_engines_decoding.py::test_batches_write_what_each_prompt_alone_would_get",
    ),
    "D13 first answers that differ from later ones": (
        f"{REAL}::test_the_description_names_what_could_move_an_answer",
    ),
    "D14 sampling by the model's defaults": (
        f"{SERVERS}::test_sampling_is_sent_whole_and_nothing_that_servers_may_refuse",
        f"{REAL}::test_penalties_mean_the_same_to_both",
    ),
    "D15 answers that were cut off": (
        f"{REAL}::test_an_answer_ends_at_its_limit_and_at_the_windows",
        f"{ALARMS}::test_answers_that_ended_at_the_limit",
        f"{ALARMS}::test_thoughts_that_never_end_are_told_from_one_in_a_hundred_on",
    ),
    "D16 why there is no answer": ("unit/run/test_run_summary.py::test_one_cell_by_hand",),
    "D17 a setting without effect": (
        "unit/run/test_run_config.py::test_wrong_settings_are_told_in_one_line",
        "unit/api/test_api_make.py::test_what_is_missing_or_unknown_is_named",
        f"{PROGRESS}::test_the_first_line_names_who_answers",
    ),
    "D18 runs compared that differ in more than the model": (
        "unit/api/test_api_compare.py::test_what_makes_a_comparison_unfair_is_named",
    ),
    "D19 a folder's name that loses the model's": (
        "unit/run/test_run_config.py::test_models_with_one_last_name_get_folders_of_their_own",
    ),
    "D20 a failure that nobody sees": (
        f"{SWEEP}::test_why_a_model_failed_stands_in_every_file",
        f"{SERVERS}::test_a_fault_of_ours_is_not_swallowed",
    ),
    "D21 a grammar that nobody asked for": (
        f"{SERVERS}::test_sampling_is_sent_whole_and_nothing_that_servers_may_refuse",
    ),
    "D22 answers that go round in circles": (
        f"{ALARMS}::test_answers_that_go_round_in_circles_are_told_of_as_that",
        f"{SCORE}::test_an_answer_that_loops_to_its_limit_is_flagged",
        "unit/metrics/test_metrics_repetition.py::"
        "test_a_loop_is_one_piece_over_and_over_at_the_end",
    ),
}

ROWS = {**TEMPLATES, **THOUGHT, **INFERENCE}


@cache
def names_in(file: str) -> frozenset[str]:
    """Names of the tests of a file."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS)
def test_each_pitfall_has_its_tests(row: str) -> None:
    """Each is named by its file, and is there."""
    assert ROWS[row]
    for name in ROWS[row]:
        file, _, test = name.partition("::")
        assert test in names_in(file), f"{row}: no {test} in {file}"


@pytest.mark.parametrize(
    ("group", "letter", "last"), [(TEMPLATES, "B", 21), (THOUGHT, "T", 12), (INFERENCE, "D", 22)]
)
def test_no_pitfall_of_a_group_is_left_out(
    group: dict[str, tuple[str, ...]], letter: str, last: int
) -> None:
    """Numbers without a gap."""
    numbers = [int(row.split()[0].removeprefix(letter)) for row in group]
    assert numbers == list(range(1, last + 1))
