"""What people say of runs: labels, first errors, spans, corrections, preferences, verdicts, and how far they agree.

Records are appended to one JSONL file an annotator, so nobody overwrites anybody, and an undo is a record too. The taxonomy of
labels is a file that the team owns.
"""

from brownout.annotations.agreement import Agreement, Disagreement, agreement_of, judge_agreement
from brownout.annotations.alpha import krippendorff_alpha
from brownout.annotations.annotation import Annotation, Draft, Kind
from brownout.annotations.human_verdicts import answered, answers_of, graded_with, keep_answers, kept_answers
from brownout.annotations.queue import Queue, QueueStore, progress_of
from brownout.annotations.record_formats import as_csv, as_jsonl
from brownout.annotations.store import AnnotationStore
from brownout.annotations.taxonomy import Label, Taxonomy, read_taxonomy

__all__ = [
    "Agreement",
    "Annotation",
    "AnnotationStore",
    "Disagreement",
    "Draft",
    "Kind",
    "Label",
    "Queue",
    "QueueStore",
    "Taxonomy",
    "agreement_of",
    "answered",
    "answers_of",
    "as_csv",
    "as_jsonl",
    "graded_with",
    "judge_agreement",
    "keep_answers",
    "kept_answers",
    "krippendorff_alpha",
    "progress_of",
    "read_taxonomy",
]
