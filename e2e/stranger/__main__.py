"""``python e2e/stranger``: the newest wheel in an empty folder, as README says."""

import sys

from webmcp_stranger.cli import main

sys.exit(main())
