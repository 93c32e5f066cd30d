"""``webmcp_e2e.lumo`` and ``extensions/contract/lumo*.ts`` must not drift: same tables, same answers."""

import json
import re
import string
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from webmcp_e2e.lumo import audit, models, rules

EXTENSIONS = Path(__file__).parents[2] / "extensions"

# Bundles the contract once, prints its plain values, then answers one call a line.
SERVE = """
import { build } from "esbuild";
import { createInterface } from "node:readline";
const modules = ["lumo", "lumo-state", "lumo-names", "lumo-audit"];
const contents = modules.map((name) => `export * from "./contract/${name}.ts";`).join("");
const out = await build({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "esm" });
const code = Buffer.from(out.outputFiles[0].text).toString("base64");
const contract = await import("data:text/javascript;base64," + code);
console.log(JSON.stringify(contract));
for await (const line of createInterface({ input: process.stdin })) {
  const [name, args] = JSON.parse(line);
  if (name === "admitTools" && args[2]) args[2] = new Set(args[2]);
  if (args[0]?.kind === "undefined") args[0] = { kind: "answer", value: undefined };
  console.log(JSON.stringify({ result: await contract[name](...args) }));
}
"""

Call = Callable[..., Any]
quick = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class TypeScript:
    """The contract in a node process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            ["node", "--input-type=module", "-e", SERVE],
            cwd=EXTENSIONS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.values: dict[str, Any] = self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout
        return cast(dict[str, Any], json.loads(self.process.stdout.readline()))

    def call(self, name: str, *args: object) -> Any:
        assert self.process.stdin
        self.process.stdin.write(json.dumps([name, args]) + "\n")
        self.process.stdin.flush()
        return self._read().get("result")

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def typescript() -> Iterator[TypeScript]:
    started = TypeScript()
    yield started
    started.close()


# ---- tables ----


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *((models, name) for name in ("PROBE_CHANNEL", "PORT_NAME", "PROBE_VERSION", "PROBE_TIMEOUT_MS")),
        *((models, name) for name in ("MCP_REVISION", "PROVIDERS_KEY", "PROBE_ERROR_CODES", "AUDIT_RESULTS")),
        *((rules, name) for name in ("NAMESPACE_PATTERN", "TOOL_NAME_PATTERN", "RESERVED_NAMESPACES")),
        *((rules, name) for name in ("NAME_RULES", "HOST_ERROR_TEXTS", "INVALID_ID")),
    ],
)
def test_values_are_the_same(typescript: TypeScript, module: Any, name: str) -> None:
    assert typescript.values[name] == json.loads(json.dumps(getattr(module, name)))


def test_limits_and_their_reasons_are_the_same(typescript: TypeScript) -> None:
    assert typescript.values["LUMO_LIMITS"] == {name: limit._asdict() for name, limit in rules.LIMITS.items()}


def test_rows_are_checked_in_the_same_order(typescript: TypeScript) -> None:
    assert list(typescript.values["HOST_ERROR_TEXTS"]) == list(rules.HOST_ERROR_TEXTS)


# ---- ids and names ----

ids = st.one_of(
    st.text(alphabet="abcdefghijklmnop", min_size=31, max_size=33),
    st.text(alphabet="abcdefghijklmnopqA0\n", min_size=30, max_size=33),
    st.sampled_from([None, 1, True, [], {}, "a" * 32 + "\n"]),
)
namespaces = st.one_of(
    st.from_regex(rules.NAMESPACE_PATTERN, fullmatch=True),
    st.text(alphabet="ab0_A-\n", max_size=20),
    st.sampled_from([*rules.RESERVED_NAMESPACES, "a" * 16, "a" * 17, "a__b", "a_", "_a", ""]),
)
tool_names = st.one_of(
    st.text(alphabet=string.ascii_letters + "_-", min_size=38, max_size=42),
    st.text(alphabet="aZ09_-. é\n", max_size=8),
)


@quick
@given(value=ids)
def test_extension_ids(typescript: TypeScript, value: object) -> None:
    assert typescript.call("isExtensionId", value) == rules.is_extension_id(value)


@quick
@given(namespace=namespaces, tool=tool_names)
def test_names_and_their_problems(typescript: TypeScript, namespace: str, tool: str) -> None:
    assert typescript.call("namespaceProblem", namespace) == rules.namespace_problem(namespace)
    assert typescript.call("toolProblem", namespace, tool) == rules.tool_problem(namespace, tool)
    assert typescript.call("modelName", namespace, tool) == rules.model_name(namespace, tool)


@quick
@given(
    namespace=st.one_of(namespaces, st.just("notes")),
    names=st.lists(st.one_of(tool_names, st.sampled_from(["a", "b", "c"])), max_size=70),
    owner=st.sampled_from([None, "a" * 32, "b" * 32]),
    taken=st.sets(st.sampled_from(["ext__notes__a", "ext__notes__b"])),
)
def test_admission(
    typescript: TypeScript, namespace: str, names: list[str], owner: str | None, taken: set[str]
) -> None:
    provider = {"id": "a" * 32, "namespace": namespace} | ({"owner": owner} if owner else {})
    theirs = typescript.call("admitTools", provider, names, sorted(taken))
    ours = rules.admit_tools("a" * 32, namespace, names, owner=owner, taken=taken)
    assert theirs["accepted"] == ours.accepted
    assert [(one["index"], one["rule"]) for one in theirs["rejected"]] == ours.rejected


# ---- state machine ----

json_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
)
json_values = st.recursive(
    json_scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
flags = st.booleans()
good_services = st.fixed_dictionaries({"namespace": st.text(), "name": st.text(), "version": st.text()})
good_statuses = st.fixed_dictionaries(
    {"enabled": flags, "authorized": flags, "ready": flags, "pendingApproval": flags},
    optional={"reason": st.text(max_size=250)},
)


@st.composite
def spoiled(draw: st.DrawFn, of: st.SearchStrategy[dict[str, Any]]) -> Any:
    """A right object, or one with a member missing or mistyped, or something else."""
    value = dict(draw(of))
    how = draw(st.sampled_from(["right", "missing", "mistyped", "other"]))
    if how == "right":
        return value
    if how == "other":
        return draw(json_values)
    member = draw(st.sampled_from(sorted(value)))
    if how == "missing":
        del value[member]
    else:
        value[member] = draw(json_values)
    return value


successes = st.fixed_dictionaries(
    {"ok": st.sampled_from([True, 1, "true"]) | st.just(True)},
    optional={"service": spoiled(good_services), "status": spoiled(good_statuses)},
)
failures = st.fixed_dictionaries(
    {"ok": st.just(False)},
    optional={"error": st.one_of(st.fixed_dictionaries({"message": st.text(max_size=250)}), json_values)},
)
right = st.fixed_dictionaries({"ok": st.just(True), "service": good_services, "status": good_statuses})
answers = st.one_of(right, successes, failures, json_values)
messages = st.one_of(st.text(), st.just("the message channel closed before a response was received"))
outcomes = st.one_of(
    answers.map(rules.Answered),
    messages.map(rules.Rejected),
    st.just(rules.TimedOut()),
    st.just(rules.Undefined()),
)


def wire(outcome: rules.ProbeOutcome) -> dict[str, Any]:
    match outcome:
        case rules.Answered(value):
            return {"kind": "answer", "value": value}
        case rules.Rejected(message):
            return {"kind": "rejected", "message": message}
        case rules.TimedOut():
            return {"kind": "timeout"}
        case rules.Undefined():
            return {"kind": "undefined"}


@settings(quick, max_examples=800)
@given(outcome=outcomes)
def test_state_machine(typescript: TypeScript, outcome: rules.ProbeOutcome) -> None:
    theirs = typescript.call("classify", wire(outcome))
    assert (theirs["state"], theirs.get("code", ""), theirs.get("text", "")) == rules.classify(outcome)
    assert typescript.call("diedInProbe", wire(outcome)) == rules.died_in_probe(outcome)


def valid_as(model: Any, value: object) -> bool:
    try:
        model.model_validate(value)
    except ValueError:
        return False
    return True


@quick
@given(service=spoiled(good_services), status=spoiled(good_statuses))
def test_models_agree_with_the_parsers(typescript: TypeScript, service: Any, status: Any) -> None:
    assert (typescript.call("parseService", service) is not None) == valid_as(models.ProbeService, service)
    explicit_null = isinstance(status, dict) and "reason" in status and status["reason"] is None
    if not explicit_null:  # a pydantic optional cannot tell null from missing
        assert (typescript.call("parseStatus", status) is not None) == valid_as(models.ProbeStatus, status)


good_requests = st.fixed_dictionaries(
    {
        "channel": st.just(models.PROBE_CHANNEL),
        "version": st.just(1),
        "id": st.text(min_size=1),
        "client": st.fixed_dictionaries({"id": st.text(), "name": st.text(), "version": st.text()}),
    }
)


@quick
@given(request=spoiled(good_requests))
def test_requests_parse_alike(typescript: TypeScript, request: Any) -> None:
    # JSON's 1 and 1.0 are one number in JavaScript and two in Python
    assume(not isinstance(request, dict) or not isinstance(request.get("version"), float))
    ours = typescript.call("isProbe", request)
    parsed = typescript.call("parseProbeRequest", request) if ours else None
    accepted = parsed is not None and "ok" not in parsed
    assert accepted == valid_as(models.ProbeRequest, request)
    if accepted:
        assert models.ProbeRequest.model_validate(parsed, extra="forbid").model_dump() == parsed
    elif ours:
        models.ProbeFailure.model_validate(parsed, extra="forbid")


# ---- audit ----


@quick
@given(value=json_values)
def test_canonical_json(typescript: TypeScript, value: Any) -> None:
    assert typescript.call("canonicalJson", value) == audit.canonical_json(value)


@settings(quick, max_examples=100)
@given(salt=st.text(alphabet="0123456789abcdef", max_size=64), value=json_values)
def test_digest(typescript: TypeScript, salt: str, value: Any) -> None:
    digest = typescript.call("argumentsDigest", salt, value)
    assert digest == audit.arguments_digest(salt, value)
    assert re.fullmatch("[0-9a-f]{64}", digest)


window_steps = st.one_of(
    st.sampled_from([0, 1, 1_000, 1_999, 2_000, 2_001, 59_999, 60_000, 60_001]), st.integers(-5_000, 7_000)
)


@quick
@given(
    steps=st.lists(window_steps, min_size=1, max_size=80),
    start=st.integers(1_700_000_000_000, 1_900_000_000_000),
)
def test_window(typescript: TypeScript, steps: list[int], start: int) -> None:
    window: list[int] = []
    now = start
    for step in steps:
        now += step
        ours = audit.admit_write(window, now)
        theirs = typescript.call("admitWrite", window, now)
        assert (theirs["admitted"], theirs["window"], theirs.get("waitSeconds")) == (
            ours.admitted,
            ours.window,
            ours.wait_seconds,
        )
        window = ours.window
