"""What two commits reach and the other does not, on random histories, against a plain walk of everything."""

from random import Random

import pytest

from brownout.store.git import Signature
from brownout.store.git.history import ancestors, divided, generation, in_topological_order
from brownout.store.git.object_sources import DraftObjects
from brownout.store.git.objects import EMPTY_TREE, encode_commit


def _history(draw: Random, size: int) -> tuple[DraftObjects, list[str]]:
    """Commits with up to three parents among those before them, whose dates are in no order."""
    draft = DraftObjects(None, "drawn")
    commits: list[str] = []
    for number in range(size):
        parents = draw.sample(commits, min(len(commits), draw.choice([0, 1, 1, 1, 2, 3])))
        signed = Signature("A", "a@acme.test", draw.randrange(1_000), 0)
        commits.append(draft.write("commit", encode_commit(EMPTY_TREE, tuple(parents), signed, signed, f"{number}\n")))
    return draft, commits


@pytest.mark.parametrize("seed", range(60))
def test_both_sides_are_what_a_whole_walk_finds(seed: int) -> None:
    draw = Random(seed)
    draft, commits = _history(draw, draw.randint(2, 40))
    for _ in range(12):
        ours, theirs = draw.choice(commits), draw.choice(commits)
        mine, other = ancestors(draft, ours), ancestors(draft, theirs)
        found = divided(draft, ours, theirs)

        assert (found.ours, found.theirs) == (mine - other, other - mine)
        if found.common is not None:
            assert mine & other == ancestors(draft, found.common)
        if found.theirs:
            before = in_topological_order(draft, theirs, mine)
            assert in_topological_order(draft, theirs, found.shared) == before


def test_a_generation_is_one_more_than_that_of_any_parent() -> None:
    draft, commits = _history(Random(7), 50)
    for sha in commits:
        parents = draft.commit(sha).parents
        assert generation(draft, sha) == 1 + max((generation(draft, parent) for parent in parents), default=0)


def test_a_long_history_needs_no_deep_stack() -> None:
    draft, signed, tip = DraftObjects(None, "long"), Signature("A", "a@acme.test", 0, 0), ""
    for number in range(3_000):
        made = encode_commit(EMPTY_TREE, (tip,) if tip else (), signed, signed, f"{number}\n")
        tip = draft.write("commit", made)

    assert generation(draft, tip) == 3_000
