#!/usr/bin/env bash
# The story of README.md from the first day to the last, on a home whose clock stands still between commands.
#
#   ./demo.sh            in a temporary folder, removed at the end
#   ./demo.sh DIR        in DIR, kept
#
# TENTER_BIN names the program; without it the fast build of this checkout is taken.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tenter=${TENTER_BIN:-$here/../../build/fast/bin/tenter}
if [[ ! -x $tenter ]]; then
  echo "demo.sh: no program at $tenter; build it with ./dev build, or set TENTER_BIN" >&2
  exit 3
fi
tenter=$(cd "$(dirname "$tenter")" && pwd)/$(basename "$tenter")
if [[ $# -gt 0 ]]; then
  mkdir -p "$1"
  place=$(cd "$1" && pwd)
else
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
fi
export TENTER_USER=${TENTER_USER:-demo}

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[[ -t 1 && -z ${NO_COLOR:-} ]] || say() { printf '\n%s\n' "$*"; }

show() {
  local word
  printf '$ tenter'
  for word in "$@"; do
    if [[ $word == *[^A-Za-z0-9_./:+-]* ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
  done
  printf '\n'
}

# run EXIT ARGS…: shows the command, runs it, and insists on how it ends.
run() {
  local expected=$1 ended=0
  shift
  show "$@"
  (cd "$place/orders" && "$tenter" "$@") || ended=$?
  if [[ $ended -ne $expected ]]; then
    echo "demo.sh: tenter ended with $ended, expected $expected" >&2
    exit 1
  fi
}

day() {
  say "Day $1: $2"
  cp "$here/days/$1"/* "$place/orders/landing/orders/"
  run 0 load bronze.orders_raw --batch "day-$1"
  run "$3" load silver.orders
}

if [[ -e $place/orders ]]; then
  echo "demo.sh: $place/orders is there already; name another folder" >&2
  exit 2
fi
mkdir -p "$place/orders/landing/orders"
cp -R "$here/tenter.yml" "$here/Lakehouse" "$here/corrections" "$place/orders/"

say "A home for the project"
run 0 init --test-clock 2026-03-01T06:00:00Z
run 0 check
run 0 build

day 1 "a byte order mark, quoted line breaks, two bad rows" 0
day 2 "a new column, copies, changed orders, keys that are not there" 0
day 3 "late and equal versions, a broken record, a file sent twice" 0
day 4 "three kinds of line end, an empty file" 0

day 5 "the column currency is gone: the batch stops" 1
run 0 batch skip day-5 --because "the export lost its currency column; the shop sends the day again"

day 6 "the corrected file, and exactly as many rejects as the limit lets pass" 0

day 7 "12 rejects in 100 rows: the batch stops" 1
run 0 rejects silver.orders --batch day-7
run 0 load silver.orders --batch day-7 --accept-rejects --because "orders of the fair abroad, settled there"

day 8 "the bytes of day 4 under a new name: nothing changes" 0

say "EUR is traded after all: the rejects of the fair are judged again"
sed -i.before 's/values: \[AUD, NZD, USD\]/values: [AUD, EUR, NZD, USD]/' \
  "$place/orders/Lakehouse/Shop/Tables/silver.orders.yml"
rm "$place/orders/Lakehouse/Shop/Tables/silver.orders.yml.before"
run 0 build
run 0 rejects retry silver.orders --batch day-7

say "Two customers were asked: their rows of day 6 are corrected and applied"
run 0 rejects silver.orders --batch day-6 --format csv -o day-6-open.csv
(cd "$place/orders" && sed -nE -f corrections/day-6.sed day-6-open.csv > corrections/day-6.csv)
run 0 rejects apply silver.orders corrections/day-6.csv --batch day-6-corrected --because "both customers were asked"

say "What became of it"
run 0 batches silver.orders
run 0 history silver.orders
run 0 sql "select currency, count(*) as orders, sum(order_total) as total from silver.orders group by all order by all"
run 0 verify silver.orders

if [[ $# -gt 0 ]]; then
  say "Everything is kept in $place/orders; the tables are in .tenter/onelake, for any tool that reads Delta."
fi
