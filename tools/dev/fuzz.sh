# The fuzzers: by clang's libFuzzer for some time each, and a canary that must fail. Sourced by ./dev.

fuzzer_names() {
  local file
  for file in fuzz/seeds/*/; do
    file=$(basename "$file")
    [[ $file == canary ]] || echo "$file"
  done
}

# What is found new stays in build/fuzz/corpus; an input that fails in build/fuzz/found.
fuzz_one() {
  local name=$1 seconds=$2
  mkdir -p "build/fuzz/corpus/$name" build/fuzz/found
  quietly "fuzz-$name" "build/fuzz/bin/fuzz_$name" "build/fuzz/corpus/$name" "fuzz/seeds/$name" \
    -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$name-" || return
  [[ ${VERBOSE:-} == 1 ]] || note "$(sed -n 's/^stat::number_of_executed_units: */runs: /p' "build/log/fuzz-$name.log")"
}

# From no seed at all: what must be found is found by coverage.
fuzz_canary() {
  mkdir -p build/fuzz/found
  if build/fuzz/bin/fuzz_canary -max_total_time=60 -artifact_prefix=build/fuzz/found/canary- \
    >build/log/fuzz-canary.log 2>&1; then
    fail "the canary lives: the fuzzers find nothing"
    return 1
  fi
  grep -q 'no moth in the cloth' build/log/fuzz-canary.log
}

# fuzz [NAME] [SECONDS]
fuzz() {
  local -a names
  local name code=0 seconds=600
  mapfile -t names < <(fuzzer_names)
  if (($# > 0)) && [[ $1 != *[!0-9]* ]]; then
    seconds=$1
  elif (($# > 0)); then
    [[ -d fuzz/seeds/$1 ]] || { fail "no fuzzer '$1'; expected one of ${names[*]}"; return 2; }
    names=("$1")
    seconds=${2:-600}
  fi
  setup && step "Debian packages of group fuzz" setup_packages fuzz || return
  fuzz_for "$seconds" "${names[@]}"
}

fuzz_for() {
  local name code=0 seconds=$1
  shift
  build fuzz "${@/#/fuzz_}" fuzz_canary || return
  step "the canary that must fail" fuzz_canary || code=1
  for name in "$@"; do step "fuzz $name for $seconds s" fuzz_one "$name" "$seconds" || code=1; done
  return "$code"
}

# A few seconds each, where clang is there; their seeds are replayed by the unit tests anyway.
fuzz_briefly() {
  local -a names
  if ! command -v clang++-19 >/dev/null; then
    not_run "fuzzers" "clang++-19 is not on this machine (./dev setup fuzz); only their seeds were replayed"
    return 0
  fi
  mapfile -t names < <(fuzzer_names)
  fuzz_for 5 "${names[@]}"
}
