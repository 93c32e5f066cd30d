"""A long conversation as the panel stores it."""

from __future__ import annotations

from typing import Any

TURNS = 100
CALLS_PER_TURN = 10

_SESSION = "bench-session"
_ANSWER = """\
Here are the **orders** of that day:

| id | customer | total |
|---|---|---:|
| 1001 | Ada Lovelace | 120.50 |
| 1002 | Grace Hopper | 99.00 |

1. The table was read with `query_table_data`.
2. The trend is up, see [the report](https://example.com/report).

```json
{"rows": 2, "sum": 219.5}
```
"""


def stored_chat(model_url: str, origin: str, key: str) -> dict[str, Any]:
    """``chrome.storage.local`` with the model's settings and one session: 200 messages, 1,000 tool calls."""
    turns = [_turn(number) for number in range(TURNS)]
    summary = {"id": _SESSION, "title": "A long day", "createdAt": 1, "updatedAt": 2}
    return {
        "llmConfig": {
            "protocol": "openai-compat",
            "baseUrl": model_url,
            "path": "/chat/completions",
            "model": "bench",
            "maxTokens": 4096,
        },
        "llmKey": key,
        "llmKeyOrigin": origin,
        "agentSessions": [summary],
        f"agentSession/{_SESSION}": {**summary, "turnIds": [turn["id"] for turn in turns]},
        **{f"agentTurn/{turn['id']}": turn for turn in turns},
    }


def _turn(number: int) -> dict[str, Any]:
    calls = [_call(number, index) for index in range(CALLS_PER_TURN)]
    return {
        "id": f"turn-{number}",
        "at": number,
        "text": f"Show me the orders of day {number} and say what you see in them.",
        "agent": {"id": "multi-turn-loop", "name": "Multi-turn loop"},
        "model": "bench",
        "status": "done",
        "messages": [
            {"status": "done", "text": "I look.", "calls": calls},
            {"status": "done", "text": _ANSWER, "calls": []},
        ],
    }


def _call(turn: int, index: int) -> dict[str, Any]:
    return {
        "id": f"call-{turn}-{index}",
        "name": "tab1__query_table_data",
        "kind": "page",
        "source": "Order desk",
        "args": {"filters": {"day": turn}, "page": index},
        "status": "done",
        "duration": 12 + index,
        "result": {"content": [{"type": "text", "text": "1001 Ada Lovelace 120.50\n" * 20}]},
    }
