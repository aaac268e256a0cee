# SPDX-License-Identifier: BSD-2-Clause
"""What reads and writes recordings is an extra. Imported first, so that a missing package is named before anything fails."""

from ..output.extras import need

for _module in ("mcap", "lz4", "zstandard"):
    need(_module)
