# SPDX-License-Identifier: BSD-2-Clause
# Sourced by ./run and ./test: sets $python to an interpreter >= 3.10 that can make virtual environments, or explains.
find_python() {
  for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.10 python; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
      python=$candidate
      return 0
    fi
  done
  echo "stiction needs Python >= 3.10 with the venv module, and found none." >&2
  if found=$(python3 --version 2>/dev/null); then
    echo "  found: $found, which is too old or cannot make virtual environments" >&2
  fi
  echo "  Debian, Ubuntu: apt install python3 python3-venv     or name one: PYTHON=/path/to/python3 $0" >&2
  return 1
}
find_python || exit 1
