# SPDX-License-Identifier: BSD-2-Clause
"""`python -m stiction.cli`."""

from . import main

main()
