# How a step tells what it does, how long it took, and what it counted. Sourced by ./dev.

now_ms() {
  local us=${EPOCHREALTIME/[.,]/}
  echo $((us / 1000))
}

took() {
  local ms=$(($(now_ms) - $1))
  printf '%d.%d s' $((ms / 1000)) $((ms % 1000 / 100))
}

# step WHAT COMMAND...: runs the command, says what and how long; hands on the exit code.
step() {
  local what=$1 began code=0
  shift
  began=$(now_ms)
  printf '== %s\n' "$what"
  "$@" || code=$?
  if ((code == 0)); then
    printf '   done in %s\n' "$(took "$began")"
  else
    printf '   FAILED after %s (exit code %d)\n' "$(took "$began")" "$code" >&2
  fi
  return "$code"
}

note() { printf '   %s\n' "$*"; }

fail() {
  printf 'dev: %s\n' "$*" >&2
  return 1
}

# not_run WHAT WHY: said now and once more at the end, and never counted as passed.
not_run_lines=()
not_run() {
  printf '\n   !! NOT RUN: %s: %s\n\n' "$1" "$2" >&2
  not_run_lines+=("$1: $2")
}

say_not_run() {
  local line
  for line in "${not_run_lines[@]}"; do printf 'NOT RUN: %s\n' "$line"; done
}

# quietly NAME COMMAND...: output goes to build/log/NAME.log, shown when the command fails or VERBOSE=1.
quietly() {
  local log="$root/build/log/$1.log" code=0
  shift
  mkdir -p "$root/build/log"
  if [[ ${VERBOSE:-} == 1 ]]; then
    "$@"
    return
  fi
  "$@" >"$log" 2>&1 </dev/null || code=$?
  if ((code != 0)); then
    tail -n 80 "$log" >&2
    printf '   (whole output: %s)\n' "${log#"$root"/}" >&2
  fi
  return "$code"
}

# digest FILE...: one hash over the files' content; a stamp holds it.
digest() { cat -- "$@" | sha256sum | cut -d' ' -f1; }

# stamped NAME DIGEST: true when the step NAME was finished for exactly this input.
stamped() { [[ -f $cache/stamps/$1 && $(<"$cache/stamps/$1") == "$2" ]]; }

stamp() {
  mkdir -p "$cache/stamps"
  printf '%s\n' "$2" >"$cache/stamps/$1.new" && mv -f "$cache/stamps/$1.new" "$cache/stamps/$1"
}
