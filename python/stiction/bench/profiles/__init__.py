# SPDX-License-Identifier: BSD-2-Clause
"""Performance profiles: many solvers on many problem files, judged from outside.

Modules:

    records     what was measured, and the profiles of it
    run         runs that are started, each in a process of its own by worker
    tables      what is printed, and report: what is drawn
    compare     `stiction compare --problems`, which puts them together
"""
