# SPDX-License-Identifier: BSD-2-Clause
"""What commands say and write: whole files, tables, pages, progress bars, and answers to wrong names."""
