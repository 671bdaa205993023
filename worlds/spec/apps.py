"""The products of a world that stand behind an author's words."""

from collections import Counter
from collections.abc import Iterable, Iterator

from brownout.core.app_roles import Role
from brownout.core.apps import App
from brownout.core.errors import PluginError
from brownout.core.plugins import load_plugin, plugin_names
from worlds.spec.storylines import Action, Storyline

__all__ = ["app_for", "app_with", "apps_with", "carried", "installed_apps"]


def installed_apps(names: Iterable[str]) -> Iterator[App]:
    """The apps of those names that are installed, in that order."""
    for name in names:
        try:
            found = load_plugin("apps", name)
        except PluginError:
            continue
        if isinstance(found, App):
            yield found


def app_for(verb: str, apps: Iterable[str]) -> str:
    """The first of a world's apps that a verb comes to where the author names none: `jira` for `opens`; else empty."""
    return next((app.name for app in installed_apps(apps) if verb in app.verbs), "")


def app_with(role: type[Role], apps: Iterable[str]) -> str:
    """The first of a world's apps that has a role: the one that keeps repositories; empty where none does."""
    return next((app.name for app in installed_apps(apps) if app.role(role)), "")


def apps_with(verb: str) -> list[str]:
    """All apps that are installed and have the verb."""
    return [app.name for app in installed_apps(plugin_names("apps")) if verb in app.verbs]


def carried(story: Storyline, apps: Iterable[str]) -> Storyline:
    """The storyline with the app of everything that names none and whose verb is one app's; of several, none is chosen."""
    installed = [*installed_apps(apps)]
    takers = Counter(verb for app in installed for verb in app.verbs)
    known = {verb: app.name for app in installed for verb in app.verbs if takers[verb] == 1}

    def action_of(action: Action) -> Action:
        app = known.get(action.verb)
        return action if action.via or not app else action.model_copy(update={"via": app})

    return story.model_copy(
        update={
            "beats": {
                name: beat.model_copy(update={"does": [*map(action_of, beat.does)]})
                for name, beat in story.beats.items()
            },
            "talks": {
                name: talk if talk.via else talk.model_copy(update={"via": known.get("talks", "")})
                for name, talk in story.talks.items()
            },
        }
    )
