# Filled in by the packaging work: install tree and find_package(stiction).
