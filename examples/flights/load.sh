#!/usr/bin/env bash
# The year 2013 month by month, as README.md tells it.
#
#   ./load.sh DIR        makes the project and its home in DIR, which must be empty or new
#
# TENTER_BIN names the program; without it the fast build of this checkout is taken.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tenter=${TENTER_BIN:-$here/../../build/fast/bin/tenter}
if [[ $# -ne 1 ]]; then
  echo "usage: load.sh DIR" >&2
  exit 2
fi
if [[ ! -x $tenter ]]; then
  echo "load.sh: no program at $tenter; build it with ./dev build, or set TENTER_BIN" >&2
  exit 3
fi
tenter=$(cd "$(dirname "$tenter")" && pwd)/$(basename "$tenter")
if [[ -e $1/tenter.yml ]]; then
  echo "load.sh: there is a project in $1 already; name another folder" >&2
  exit 2
fi
mkdir -p "$1"
cp -R "$here/tenter.yml" "$here/Lakehouse" "$1/"
cd "$1"

"$tenter" init --test-clock 2014-01-06T06:00:00Z
"$tenter" build

python3 "$here/prepare.py" . 2013
for table in planes airports airlines; do
  "$tenter" load "bronze.$table" --batch 2013
done
for month in 2013-{01..12}; do
  python3 "$here/prepare.py" . "$month"
  "$tenter" load bronze.flights --batch "$month"
  "$tenter" load bronze.weather --batch "$month"
done
for table in planes weather flights; do
  "$tenter" load "silver.$table"
done
