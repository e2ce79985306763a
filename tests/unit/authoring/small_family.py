"""A small family for tests, as YAML that single tests change."""

from __future__ import annotations

from pathlib import Path

SMALL = """
id: small
tags: [weather]
tools:
  - calendar.create_event
  - calendar.find_events
  - contacts.find_contact
  - mail.search_mail
  - mail.send_mail
  - weather.get_alerts
  - weather.get_climate
  - weather.get_current
  - weather.get_forecast
  - flights.find_airports
clock: "2031-05-05T08:00:00"
variants: [slow, other]
slots:
  city: {view: "cities[].name"}
  ahead: {among: [1, 2]}
  day: {text: "{{ today | plus_days(ahead) }}"}
  person: {view: contacts}
  email: {text: "{{ person.id }}", told_by: look_up}
queries:
  - "What will the high be in {{ city }} on {{ day | in_words }}? Mail 'It will be N degrees.' to
    {{ person.name }}, subject 'High'."
  - "Mail the high of {{ city }} on {{ day | in_words }} to {{ person.name }}, subject 'High', text
    'It will be N degrees.'"
  - "To {{ person.name }}, subject 'High': 'It will be N degrees.', the high of {{ city }} on
    {{ day | in_words }}."
steps:
  - id: forecast_slow
    variants: [slow]
    thought: I need the high of {{ city }}.
    also: ["How warm will {{ city }} be?"]
    call: weather.get_forecast
    args: &forecast {city: "{{ city }}", date: "{{ day }}"}
    review: B
    fault: timeout
  - id: forecast_typo
    variants: [other]
    thought: I ask for {{ city }} on {{ day | weekday }}.
    also: ["The forecast of {{ city }} comes first."]
    call: weather.get_forecast
    args: {city: "{{ city }}", day: "{{ day }}"}
    review: C
    fits: false
  - id: forecast_other
    variants: [other]
    thought: The argument has another name, so I ask again.
    also: ["With the right argument this time."]
    call: weather.get_forecast
    args: *forecast
    review: D
    fault: misrouted
  - id: forecast
    thought: Once more the high of {{ city }} on {{ day }}.
    also: ["Again {{ city }}."]
    call: weather.get_forecast
    args: *forecast
    expect: "forecast.high > 0"
  - id: look_up
    thought: I need the address of {{ person.name }}.
    also: ["Where does {{ person.name }} read mail?"]
    call: contacts.find_contact
    args: {name: "{{ person.name }}"}
    accepts: {name: ["{{ person.name.split(' ')[1] }}"]}
  - id: write
    thought: I write to {{ email }} that the high is {{ forecast.high }}.
    also: ["Now the mail to {{ email }}."]
    call: mail.send_mail
    args:
      to: ["{{ email }}"]
      subject: High
      body: "It will be {{ forecast.high }} degrees."
    text:
      subject: {facts: [High]}
      body: {facts: ["{{ forecast.high }}"]}
finish:
  thought: The mail is out.
  also: [That was all.]
answer:
  text: "It will be {{ forecast.high }} degrees in {{ city }}."
  facts: ["{{ forecast.high }}", "{{ city }}"]
"""


def write_family(folder: Path, old: str = "", new: str = "", name: str = "small") -> Path:
    """Write the family with one stretch of its text changed, and return the file."""
    assert old in SMALL, old
    file = folder / f"{name}.yaml"
    file.write_text(SMALL.replace(old, new, 1) if old else SMALL, encoding="utf-8")
    return file
