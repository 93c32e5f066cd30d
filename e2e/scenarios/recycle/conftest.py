"""What the recycling scenarios share."""

from __future__ import annotations

import pytest
from witness_kit import Witness

from webmcp_e2e.browser import ExtensionBrowser


@pytest.fixture
def witness(extension_browser: ExtensionBrowser) -> Witness:
    """The witness extension, loaded; its worker runs."""
    return Witness(extension_browser)
