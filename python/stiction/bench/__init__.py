# SPDX-License-Identifier: BSD-2-Clause
"""Measurements: what runs and solvers cost, and how accurate they are.

    measure, run_table, run_report   one run of a scene: `stiction run`, `demo` and `compare`
    work_precision                   error against work
    scenes, machine                  `stiction bench`
    peers                            `stiction bench --peers`: beside MuJoCo
    profiles                         `stiction compare --problems`: many solvers on many problem files
    long_runs                        solvers inside long simulations

MuJoCo comes with the extra `bench` (pip install 'stiction[bench]').
"""
