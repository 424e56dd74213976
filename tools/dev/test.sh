# The tests and the proofs, and the one line of counts they end with. Sourced by ./dev.

results=
counting=0

# Anything may add a line `NAME PASSED FAILED SKIPPED` to a .count file; tally.py reads those and the
# reports that GoogleTest and pytest write themselves.
closing_line() {
  ((counting)) || return 0
  "$venv/bin/python" tools/tally.py "$results"
}

start_counting() {
  results=$root/build/results/$1
  rm -rf "$results"
  mkdir -p "$results/gtest"
  counting=1
}

# What fails before it could count is one failure under its own name.
counted() {
  local name=$1 code=0
  shift
  "$@" || code=$?
  ((code == 0)) || "$venv/bin/python" tools/tally.py "$results" --has-failure "$name" ||
    echo "$name 0 1 0" >>"$results/$name.count"
  return "$code"
}

unit_tests() {
  GTEST_OUTPUT="json:$results/gtest/" quietly ctest ctest --test-dir build/dev --output-on-failure \
    --parallel "${TENTER_JOBS:-$(nproc)}" --output-junit "$results/ctest.xml" --no-tests=error
}

python_tests() {
  local name=$1
  shift
  TENTER_BIN="$root/build/fast/bin/tenter" "$venv/bin/python" -m pytest -q -rs -p no:cacheprovider \
    -o junit_family=xunit2 --junitxml="$results/$name.xml" "$@"
}

# Each folder is a run of its own: their modules may carry the same names.
case_and_oracle_tests() {
  local folder code=0
  for folder in cases oracles/* faults; do
    [[ $folder == oracles/spark || -z $(compgen -G "$folder/test_*.py") ]] && continue
    counted "${folder//\//-}" step "tests in $folder" python_tests "${folder//\//-}" "$folder" || code=1
  done
  [[ -d cases && -d oracles ]] || not_run "text cases and oracles" "cases or oracles is not there"
  return "$code"
}

spark_tests() {
  local seeds=$1
  if [[ ! -d oracles/spark ]]; then
    not_run "Spark oracle" "oracles/spark is not there"
    return 0
  fi
  if ! command -v java >/dev/null || [[ ! -x $cache/spark/bin/python ]]; then
    not_run "Spark oracle" "Java (or PySpark, see ./dev setup) is not on this machine"
    return 0
  fi
  TENTER_SEEDS=$seeds python_tests spark oracles/spark
}

run_tests() {
  local code=0
  setup || return
  start_counting test
  counted house step "house rules" "$venv/bin/python" tools/check_house.py --count "$results/house.count" || code=1
  if counted build-dev build dev; then
    counted ctest step "unit tests, with sanitizers" unit_tests || code=1
  else
    not_run "unit tests" "the sanitized build failed"
    code=1
  fi
  counted fuzz step "fuzzers, a few seconds each" fuzz_briefly || code=1
  counted tools step "tests of the house itself" python_tests tools tools/test || code=1
  if counted build-fast build fast; then
    case_and_oracle_tests || code=1
    counted spark step "Spark oracle, one seed" spark_tests 1 || code=1
    counted readme step "the tours of README.md and docs, as printed" readme_tour || code=1
  else
    not_run "text cases, oracles, tours of the documents" "the optimised build failed"
    code=1
  fi
  return "$code"
}

# Every call, where `./dev test` tries some of them.
simulate() {
  setup && build fast || return
  start_counting sim
  local code=0
  TENTER_FAULT_EVERY=1 counted faults step "a fault at every call, 200 kills" python_tests faults faults -s || code=1
  counted histories step "2,000 histories against their twin" \
    env TENTER_LIBRARY_FACE="$root/build/fast/bin/tenter_library_face" \
    "$venv/bin/python" oracles/permutation/histories.py --histories 2000 || code=1
  counted canaries step "broken builds that the faults must catch" \
    env TENTER_BIN="$root/build/fast/bin/tenter" "$venv/bin/python" faults/canaries.py || code=1
  return "$code"
}

readme_tour() {
  if [[ ! -f tools/check_readme.py ]]; then
    not_run "README tour" "tools/check_readme.py is not there"
    return 0
  fi
  "$venv/bin/python" tools/check_readme.py --tenter build/fast/bin/tenter --count "$results/readme.count"
}

# tools/prove.txt holds one command a line. Exit code 77 means: could not run here.
prove() {
  local line code=0 rc passed=0 failed=0 number=0 binary=$root/build/fast/bin/tenter
  setup && build dev && build fast || return
  start_counting prove
  while read -r line; do
    [[ -z $line || $line == \#* ]] && continue
    number=$((number + 1))
    rc=0
    step "prove: $line" env TENTER_BIN="$binary" PATH="$venv/bin:$PATH" bash -c "$line" </dev/null ||
      rc=$?
    case $rc in
      0) passed=$((passed + 1)) ;;
      77) not_run "$line" "it says that it cannot run on this machine" ;;
      *) failed=$((failed + 1)) code=1 ;;
    esac
  done <tools/prove.txt
  echo "prove $passed $failed 0" >"$results/prove.count"
  ((number > 0)) || { fail "tools/prove.txt names nothing"; return 1; }
  return "$code"
}
