# SPDX-License-Identifier: BSD-2-Clause
"""Options of laws, solvers and steppers as objects, with completion. They are made from the catalog; nothing is typed twice.

For example:

    import stiction as st
    sim = st.Simulator(world, law=st.options.PyramidLaw(facets=8), solver=st.options.Pgs(max_iterations=200))
    sim = st.scene("pile", solver="nsgs", solver_options=st.options.Nsgs(anderson=0))
    impulse, report = st.solve(problem, solver=st.options.Admm(rho_rule="linear"))

An object is a dict of the options that differ from their defaults, so it goes wherever a dict of options goes. It also knows which
method it belongs to, so it goes where the name of a method is asked for.

A solver `interior_point` gives the class InteriorPoint, a law `coulomb` CoulombLaw, a stepper `moreau` MoreauStepper. What type
checkers and editors read is options.pyi, the text of stub().
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from .catalog import Entry, catalog
from .output.suggest import unknown_name


class Options(dict[str, Any]):
    """Options of one method: a dict of those that differ from their defaults.

    Parameters
    ----------
    values
        Options of the method by name; an unknown one is refused.
    """

    kind: ClassVar[str] = ""  # law, solver or stepper
    method: ClassVar[str] = ""  # its name
    defaults: ClassVar[dict[str, Any]] = {}

    def __init__(self, **values: Any) -> None:
        for name in values:
            if name not in self.defaults:
                raise unknown_name(f"option of the {self.kind} '{self.method}'", name, self.defaults)
        changed = {name: value for name, value in values.items() if not _same(value, self.defaults[name])}
        super().__init__(changed)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.items())})"


class LawOptions(Options):
    """Options of a contact law."""

    kind = "law"


class SolverOptions(Options):
    """Options of a solver."""

    kind = "solver"


class StepperOptions(Options):
    """Options of a stepper."""

    kind = "stepper"


_KINDS: dict[str, tuple[type[Options], str]] = {
    "laws": (LawOptions, "Law"),
    "solvers": (SolverOptions, ""),
    "steppers": (StepperOptions, "Stepper"),
}


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def class_name(entry: Entry, ending: str) -> str:
    """interior_point -> InteriorPoint"""
    return "".join(word.capitalize() for word in entry.name.split("_")) + ending


def _document(entry: Entry) -> str:
    lines = [f"{entry.summary}", "", "Parameters", "----------"]
    for option in entry.options:
        lines += [f"{option.name} : {type(option.default).__name__}", f"    {option.doc}"]
    return "\n".join(lines if entry.options else lines[:1])


def _make(base: type[Options], entry: Entry, name: str) -> type[Options]:
    values = {"method": entry.name, "defaults": entry.defaults, "__doc__": _document(entry), "__module__": __name__}
    made = type(name, (base,), values)
    keywords = [
        inspect.Parameter(o.name, inspect.Parameter.KEYWORD_ONLY, default=o.default, annotation=type(o.default))
        for o in entry.options
    ]
    made.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    return made


__all__ = ["LawOptions", "Options", "SolverOptions", "StepperOptions"]
for _kind, (_base, _ending) in _KINDS.items():
    for _entry in catalog()[_kind]:
        _name = class_name(_entry, _ending)
        globals()[_name] = _make(_base, _entry, _name)
        __all__ += [_name]


def stub() -> str:
    """The text of options.pyi."""
    out = [
        "# SPDX-License-Identifier: BSD-2-Clause",
        "# Made by stiction.options.stub() from the catalog: python tools/write_options_stub.py; do not edit.",
        "from typing import Any, ClassVar",
        "",
        "class Options(dict[str, Any]):",
        "    kind: ClassVar[str]",
        "    method: ClassVar[str]",
        "    defaults: ClassVar[dict[str, Any]]",
        "",
        *(f"class {base.__name__}(Options): ..." for base, _ in _KINDS.values()),
    ]
    for kind, (base, ending) in _KINDS.items():
        for entry in catalog()[kind]:
            keywords = "".join(f"{o.name}: {type(o.default).__name__} = {o.default!r}, " for o in entry.options)
            words = _document(entry).replace("\n", "\n    ").replace("\n    \n", "\n\n")
            out += ["", f"class {class_name(entry, ending)}({base.__name__}):", f'    """{words}', '    """']
            out += [f"    def __init__(self, {'*, ' if keywords else ''}{keywords.removesuffix(', ')}) -> None: ..."]
    return "\n".join(out) + "\n"
