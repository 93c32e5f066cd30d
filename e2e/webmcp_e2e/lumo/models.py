"""Messages and limits of the extension protocol, as pydantic models.

The models are strict about types and tolerate unknown members. Where a peer must answer with exactly the
contract's shapes, validate with ``extra="forbid"``: ``ProbeSuccess.model_validate(answer, extra="forbid")``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from webmcp_e2e.lumo.rules import is_extension_id

PROBE_CHANNEL: Final = "lumo:probe"
PORT_NAME: Final = "lumo:mcp"
PROBE_VERSION: Final = 1
PROBE_TIMEOUT_MS: Final = 1_500
MCP_REVISION: Final = "2025-11-25"
PROVIDERS_KEY: Final = "providers"


def _extension_id(value: object) -> object:
    if not is_extension_id(value):
        raise ValueError("an extension id is 32 letters from a to p")
    return value


ExtensionId = Annotated[str, BeforeValidator(_extension_id)]
"""32 letters from a to p."""


class _Message(BaseModel):
    """Members are camelCase on the wire; types are not coerced."""

    model_config = ConfigDict(
        strict=True, frozen=True, alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


class ProbeClient(_Message):
    """Who asks, in its own words: for display only."""

    id: str
    name: str
    version: str


class ProbeRequest(_Message):
    """L0 request. ``id`` is the host's own mark of this probe."""

    channel: Literal["lumo:probe"]
    version: Annotated[int, Field(ge=PROBE_VERSION, le=PROBE_VERSION)]
    id: Annotated[str, Field(min_length=1)]
    client: ProbeClient


class ProbeService(_Message):
    """``namespace`` names the provider's tools; ``name`` is for display only."""

    namespace: str
    name: str
    version: str


class ProbeStatus(_Message):
    """The provider's policy towards the asking extension. ``reason`` belongs to ``ready=False``."""

    enabled: bool
    authorized: bool
    ready: bool
    pending_approval: bool
    reason: str | None = None


class ProbeSuccess(_Message):
    """Also the answer for every policy failure."""

    ok: Literal[True]
    service: ProbeService
    status: ProbeStatus


ProbeErrorCode = Literal["unsupported_version", "bad_request", "internal"]
PROBE_ERROR_CODES: Final[tuple[str, ...]] = get_args(ProbeErrorCode)


class ProbeError(_Message):
    """Why the probe itself failed."""

    code: ProbeErrorCode
    message: str


class ProbeFailure(_Message):
    """The answer to a protocol failure."""

    ok: Literal[False]
    error: ProbeError


ProbeAnswer: Final[TypeAdapter[ProbeSuccess | ProbeFailure]] = TypeAdapter(
    Annotated[ProbeSuccess | ProbeFailure, Field(discriminator="ok")]
)
"""Validates a probe's answer of either kind."""

AuditResult = Literal["ok", "error", "denied", "rate_limited", "pending", "approved", "refused"]
AUDIT_RESULTS: Final[tuple[str, ...]] = get_args(AuditResult)


class AuditEntry(_Message):
    """One write or refused write. ``at`` is ISO 8601 in UTC, ``arguments_digest`` hex SHA-256."""

    at: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")]
    tool: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
    sender_id: ExtensionId
    result: AuditResult
    target_uuid: Annotated[str, Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")] | None
    arguments_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
