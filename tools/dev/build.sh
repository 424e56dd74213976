# Building, formatting, linting, and what runs on the built binary. Sourced by ./dev.

verb_setup_more() {
  (($# == 0)) || step "Debian packages of group $*" setup_packages "$@"
}

# On a terminal ninja shows one moving line; elsewhere its output goes to the log.
compile() {
  local preset=$1
  shift
  local run=(cmake --build "build/$preset" --parallel "${TENTER_JOBS:-$(nproc)}" "$@")
  if [[ -t 1 ]]; then "${run[@]}"; else quietly "build-$preset" "${run[@]}"; fi
}

# Further arguments name the targets; without them everything is built.
build() {
  local preset=$1
  shift
  local -a targets=()
  (($# == 0)) || targets=(--target "$@")
  [[ $preset == @(dev|fast|release|tsan|fuzz) ]] ||
    { fail "no preset '$preset'; expected dev, fast, release, tsan or fuzz"; return 2; }
  step "configure preset $preset" quietly "configure-$preset" cmake --preset "$preset" &&
    step "compile preset $preset" compile "$preset" "${targets[@]}"
}

demo() {
  setup && build fast || return
  if [[ ! -f examples/orders/demo.sh ]]; then
    fail "examples/orders/demo.sh is not there"
    return 3
  fi
  step "the orders example, day by day" env TENTER_BIN="$root/build/fast/bin/tenter" bash examples/orders/demo.sh
}

bench() {
  local name=${1:-load}
  shift || true
  [[ -f bench/$name.py ]] || { fail "no bench '$name': bench/$name.py is not there"; return 2; }
  setup && build release tenter records_read || return
  step "bench $name" env TENTER_BIN="$root/build/release/bin/tenter" "$venv/bin/python" "bench/$name.py" "$@"
}

cpp_files() { find src faults fuzz -name '*.h' -o -name '*.cpp'; }
python_folders() {
  local folder
  for folder in tools oracles cases bench examples faults; do
    [[ -d $folder ]] && echo "$folder"
  done
}

format() {
  step "Debian packages of group lint" setup_packages lint && step "Python packages" setup_python || return
  local -a sources folders
  mapfile -t sources < <(cpp_files)
  mapfile -t folders < <(python_folders)
  step "clang-format, ${#sources[@]} files" clang-format-19 -i "${sources[@]}" &&
    step "ruff format" "$venv/bin/ruff" format "${folders[@]}" &&
    step "ruff, what it can mend" "$venv/bin/ruff" check --fix "${folders[@]}"
}

# A GCC build folder with a precompiled header means nothing to clang: a second configure without it.
tidy() {
  local -a sources
  quietly configure-tidy cmake --preset dev -B build/tidy -DTENTER_PCH=OFF || return
  mapfile -t sources < <(find src -name '*.cpp' -not -path '*/test/*')
  printf '%s\0' "${sources[@]}" |
    xargs -0 -n 2 -P "${TENTER_JOBS:-$(nproc)}" clang-tidy-19 --quiet -p build/tidy --warnings-as-errors='*' \
      --extra-arg=-Wno-unknown-warning-option \
      2> >(grep -v 'warnings generated' >&2)
}

lint() {
  setup || return
  local -a sources folders
  local code=0
  mapfile -t sources < <(cpp_files)
  mapfile -t folders < <(python_folders)
  step "Debian packages of group lint" setup_packages lint || return
  step "clang-format, ${#sources[@]} files" clang-format-19 --dry-run --Werror "${sources[@]}" || code=1
  step "ruff format" "$venv/bin/ruff" format --check "${folders[@]}" || code=1
  step "ruff" "$venv/bin/ruff" check "${folders[@]}" || code=1
  step "house rules" "$venv/bin/python" tools/check_house.py || code=1
  step "clang-tidy" tidy || code=1
  return "$code"
}
