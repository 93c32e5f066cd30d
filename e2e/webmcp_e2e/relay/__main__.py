"""``python -m webmcp_e2e.relay``: the same as ``webmcp-relay``."""

import sys

from webmcp_e2e.relay.cli import main

sys.exit(main())
