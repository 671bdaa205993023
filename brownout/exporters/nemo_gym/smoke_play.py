"""Plays scripts through a resources server's own routes, as an agent does, without a model and without a port."""
# mypy: disable-error-code="import-not-found"

from typing import Any

from httpx import ASGITransport, AsyncClient, Response
from nemo_gym.server_utils import ServerClient

from brownout.core.errors import RunError
from brownout.core.values import JsonObject
from brownout.exporters.nemo_gym.server import CompanyServer, CompanyServerConfig
from brownout.exporters.smoke_test import Play, Script

__all__ = ["app_of", "play_routes", "responded"]


def app_of(server: type[CompanyServer]) -> Any:
    """The app of a resources server that no other server of the framework knows."""
    config = CompanyServerConfig(host="127.0.0.1", port=1, entrypoint="app.py", domain="agent", name="company")
    return server(config=config, server_client=ServerClient.model_construct()).setup_webserver()


def play_routes(server: type[CompanyServer]) -> Play:
    """A player: each episode is a client with a cookie of its own."""
    app = app_of(server)

    async def play(script: Script) -> JsonObject:
        row: JsonObject = {"task": script.row.task, "seed": script.row.seed}
        transport = ASGITransport(app=app)
        async with AsyncClient(transport=transport, base_url="http://company", timeout=None) as agent:
            _checked(await agent.post("/seed_session", json=row))
            for call in script.calls:
                await agent.post(f"/{call.name}", json=call.arguments)
            asked: JsonObject = {**row, "responses_create_params": {"input": []}, "response": responded(script)}
            found = _checked(await agent.post("/verify", json=asked)).json()
        return {**found["brownout"], "reward": None if found["mask_sample"] else found["reward"]}

    return play


def responded(script: Script) -> JsonObject:
    """What a model that plays a script has answered in the end, as OpenAI's Responses have it."""
    said: JsonObject = {
        "id": "message", "type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": script.answer, "annotations": []}],
    }  # fmt: skip
    return {
        "id": "response", "created_at": 0, "model": "script", "object": "response", "output": [said],
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
    }  # fmt: skip


def _checked(answer: Response) -> Response:
    if answer.status_code != 200:
        raise RunError(f"{answer.request.url.path} answers {answer.status_code}: {answer.text}")
    return answer
