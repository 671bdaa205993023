"""Typed fields that a task asks for: how they are handed in, as a tool call or as labelled lines, and how they are read."""

from worlds.findings.given_values import Given, read_given, shown
from worlds.findings.lines import label_names, labelled
from worlds.findings.names import artefact_places, artefacts_in, options_in, people_in, plain_name
from worlds.findings.record_findings_tool import RECORD_FINDINGS, findings_tool, read_findings

__all__ = [
    "RECORD_FINDINGS",
    "Given",
    "artefact_places",
    "artefacts_in",
    "findings_tool",
    "label_names",
    "labelled",
    "options_in",
    "people_in",
    "plain_name",
    "read_findings",
    "read_given",
    "shown",
]
