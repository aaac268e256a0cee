# SPDX-License-Identifier: BSD-2-Clause
"""Contact problems made on purpose: for tuning, testing and comparing solvers. docs/generators.md has a table.

    problem = st.generate.wall(6, 8, seed=1)             # kept in body space; form="sparse" or "dense" forms G
    for item in st.generate.sample(seed=1, count=100):   # a mixed set, 1 to 2000 contacts
        impulse, report = st.solve(item.problem)

Everything is drawn from the seed. Problems have no dt: they are judged by B3 and B4 alone, like those of files.
"""

from .bodies import Assembly, GlobalForm
from .boxes import mass_ratio, stack, tower, wall
from .loose import heap, table, train
from .others import arch, duplicated, packing, wedge
from .random_problems import Certificate, adversarial, certificate, infeasible
from .robots import episode, robot
from .sample import FAMILIES, Family, Item, item, of_size, sample

__all__ = [
    "FAMILIES",
    "Assembly",
    "Certificate",
    "Family",
    "GlobalForm",
    "Item",
    "adversarial",
    "arch",
    "certificate",
    "duplicated",
    "episode",
    "heap",
    "infeasible",
    "item",
    "mass_ratio",
    "of_size",
    "packing",
    "robot",
    "sample",
    "stack",
    "table",
    "tower",
    "train",
    "wall",
    "wedge",
]
