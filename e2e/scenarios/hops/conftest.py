"""These scenarios are about the recording, so it is on whatever the command line says."""

from __future__ import annotations

import pytest

from webmcp_e2e.hops import Mode


@pytest.fixture
def webmcp_hops() -> Mode:
    """Recorded, and kept only when the scenario fails."""
    return "retain-on-failure"
