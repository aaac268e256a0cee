# Filled in by the packaging work: the nanobind extension.
