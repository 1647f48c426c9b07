#!/bin/sh
#
# Is the code in AFTER slower than the code in BEFORE?
#
#   ./speed.sh BEFORE AFTER [CONFIG [RESULTS]]
#
# BEFORE and AFTER are virtual environments. Both run CONFIG alternately, and after 5, 10 and 20 sessions of each
# nonocsp compares them. The exit code is 1 if a backend got worse by more than chance, or if an answer is wrong. It is
# 0 if nothing got worse, and also if 20 sessions cannot tell: noise never fails the job. After an interruption
# start it again: what is there is not measured again.
set -eu
before=${1:?the environment before the change}
after=${2:?the environment after the change}
config=${3:-speed.yaml}
results=${4:-results/speed}

first=1
for last in 5 10 20; do
  for n in $(seq "$first" "$last"); do
    "$before/bin/nonocsp" bench --repeats "$n" --output "$results/before" "$config"
    "$after/bin/nonocsp" bench --repeats "$n" --output "$results/after" "$config"
  done
  "$after/bin/nonocsp" results history --by cpu "$results/before" "$results/after"
  "$after/bin/nonocsp" results history --by cpu --json "$results/before" "$results/after" >"$results/history.jsonl"
  grep -q '"verdict": "undecided"' "$results/history.jsonl" || exit 0
  first=$((last + 1))
done
