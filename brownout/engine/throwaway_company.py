"""The company at one moment, to do things in that nobody will have done."""

from typing import Self

from brownout.core.apps import VendorError
from brownout.core.blocking_steps import run_inline
from brownout.core.values import Json, JsonObject
from brownout.engine.company_assembly import company
from brownout.engine.session_state import State, save_state
from brownout.engine.shared_state import SharedState
from brownout.store import StoreSession

__all__ = ["Trial"]


class Trial:
    """A copy of the company in which time stands still and operations are really carried out; closing it forgets them.

    with preview.trial() as trial:
        answer = trial.call("slack_send_message", {"channel": "#ops", "text": "Hello"}, "ember")
    """

    def __init__(self, shared: SharedState, store: StoreSession, state: State) -> None:
        """Take over a copy of the storage and of the state; outages do not hold in it."""
        self._shared, self._store, self._state = shared, store, state
        state.active.clear()
        self._simulation = company(
            shared.setting,
            lambda: store.rows,
            state,
            lambda event: None,
            plan=shared.plan,
            proves=self._proves,
        )

    def _proves(self, service: str, commit: str, test: str) -> bool:
        with self._store.pinned():  # whoever asks goes on with the rows that they have
            return self._shared.proofs.proves(lambda: self._store.rows, service, commit, test)

    def call(self, operation: str, arguments: JsonObject, person: str) -> Json:
        """The answer of an app's operation as that person gets it.

        Raises:
            KeyError: no such operation or person.
            VendorError: the app refuses, or the arguments do not fit.
            SandboxError: the operation runs code, and it could not be run.
        """
        setting = self._shared.setting
        account = setting.people[person].account
        answer = run_inline(self._simulation.request(setting.operations[operation], arguments, account))
        if answer.is_error:
            content = answer.value if isinstance(answer.value, dict) else {}
            raise VendorError(str(content.get("error", "")), content, status=answer.status)
        return answer.value

    def fork(self) -> "Trial":
        """An independent trial that has come as far as this one."""
        save_state(self._store.rows, self._state)
        return Trial(self._shared, self._store.fork(), self._state.copy())

    def close(self) -> None:
        """Forget what was done."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
