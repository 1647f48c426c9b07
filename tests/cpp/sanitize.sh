#!/usr/bin/env bash
# Build the core with sanitizers and assertions in build/sanitize/, beside the installed one. Run all its long
# calls in threads (ThreadSanitizer; AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer), then from
# Python its tests, a thousand proofs, and random calls against the oracle. `sanitize.sh MINUTES [THREAD_SECONDS] [TEST...]`
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes=${1:-10} thread_seconds=${2:-60}
tests=("${@:3}")
[ ${#tests[@]} -gt 0 ] || tests=(tests/engine tests/backends tests/grading/census
    tests/formats/test_d[ai]*.py tests/formats/test_spellings.py
    tests/grading/explain tests/grading/test_levels.py tests/grading/test_hardest_family.py
    tests/making/test_adapt.py)
bin=$PWD/.venv/bin address=$PWD/build/sanitize/address
workers=${PYTEST_WORKERS:-auto}

build() { # sanitizers, targets
    local folder=build/sanitize/${1%%,*}
    "$bin/cmake" -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DNONOCSP_SANITIZE="$1" \
        -DCMAKE_MAKE_PROGRAM="$bin/ninja" -DPython_EXECUTABLE="$bin/python" \
        -Dnanobind_DIR="$("$bin/python" -m nanobind --cmake_dir)" >/dev/null
    "$bin/cmake" --build "$folder" --target "${@:2}" >/dev/null
}

# An environment with a copy of the package that has this core, our tests and tools, then the installed
# packages, of which some have a package "tests" too. Their path files are not read, since one of them leads to
# the installed core.
install_package() {
    rm -rf "$address/site" "$address/venv"
    mkdir -p "$address/site"
    cp -r nonocsp "$address/site/"
    ln -s "$PWD/tests" "$PWD/tools" "$address/site/"
    "$bin/cmake" --install "$address" --prefix "$address/site" >/dev/null
    "$bin/python" -m venv --without-pip "$address/venv"
    printf '%s\n' "$address/site" "$(packages_of "$bin")" \
        >"$(packages_of "$address/venv/bin")/sanitized.pth"
}

packages_of() { "$1/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

# Python itself is not built with sanitizers, so LD_PRELOAD loads the runtimes first. What it leaves allocated
# at exit means nothing; nanobind reports what the bindings leak.
python() {
    local library libraries=""
    for library in libasan.so libubsan.so libstdc++.so; do libraries+="$(c++ -print-file-name=$library) "; done
    LD_PRELOAD=$libraries ASAN_OPTIONS=detect_leaks=0:handle_abort=1 UBSAN_OPTIONS=print_stacktrace=1 \
        PYTHONMALLOC=malloc PYTHONSAFEPATH=1 "$address/venv/bin/python" "$@"
}

without_leaks() {
    local log=$address/leaks.log
    "$@" 2> >(tee "$log" >&2)
    if grep --quiet "nanobind: leaked" "$log"; then
        echo "the bindings leak" >&2
        return 1
    fi
}

build thread core_threads
TSAN_OPTIONS=halt_on_error=1 build/sanitize/thread/core_threads "$thread_seconds"
build address,undefined all
"$address/core_threads" "$thread_seconds"
install_package
core=$(python -c 'from nonocsp.engine import _core; print(_core.__file__)')
[[ $core == "$address"/* ]] || { echo "not the sanitized core: $core" >&2; exit 1; }
grep --quiet __assert_fail "$core" || { echo "assertions are off in $core" >&2; exit 1; }
python -m pytest -q -n "$workers" --hypothesis-profile=ci -p no:cacheprovider "${tests[@]}"
without_leaks python -m tools.differential proofs --random 1000
without_leaks python -m tools.differential engine --minutes "$minutes"
