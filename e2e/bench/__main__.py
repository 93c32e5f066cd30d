"""``python e2e/bench``: measures the harness and the chain against their peers."""

import sys

from webmcp_bench.cli import main

sys.exit(main())
