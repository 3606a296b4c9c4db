# Runs the parts of the tests. Sourced by `.ci/run`, which sets `results`, a folder, and `failed`, 0.

groups=()
# Runs a command in a process group of its own, so that the end of `.ci/run` ends everything that it started.
# Arguments: the file that keeps its output, the command.
in_group() {
  local log=$1
  shift
  set -m
  ("$@" 2>&1 | tee "$log") </dev/null &
  set +m
  groups+=($!)
  wait $!
}
# A child of bash that has just begun loses a signal for which bash has a trap, so what is left gets it again, for 2 s.
end_groups() {
  local group isLeft
  for _ in {1..10}; do
    isLeft=no
    # The last one may not be noted yet.
    for group in "${groups[@]}" "${!-}"; do kill -- "-$group" 2>/dev/null && isLeft=yes; done
    [ "$isLeft" = yes ] || return 0
    sleep 0.2
  done
}

step() {
  local name=$1 begin=$SECONDS
  echo "== $name"
  shift
  "$@" || failed=1
  echo "== $name: $((SECONDS - begin)) s"
}

# Runs a part of the tests. Files that fail run once more, by themselves: what passes then is printed as flaky. Errors
# outside of tests are final: no repeat of a file shows that they are gone.
# Arguments: the part's name, its report, the command for single files, --, the command for all of them.
part() {
  local name=$1 report=$2 begin=$SECONDS one=() files status took
  shift 2
  while [ "$1" != -- ]; do one+=("$1"); shift; done
  shift
  echo "== $name"
  TEST_REPORT="$results/$report.json" TEST_ERRORS="$results/$report.errors" in_group "$results/$report.log" "$@"
  status=$? took=$((SECONDS - begin))
  if [ "$status" -ne 0 ]; then
    mapfile -t files < <(node .ci/summary.mjs failed "$results/$report.json")
    if [ "${#files[@]}" -eq 0 ] || [ "${#files[@]}" -gt 8 ]; then
      failed=1
    else
      echo "== $name, once more: ${files[*]}"
      TEST_REPORT="$results/$report.again.json" TEST_ERRORS="$results/$report.errors" \
        in_group "$results/$report.again.log" "${one[@]}" "${files[@]}" || failed=1
      # A failed test ends the checks beside it.
      [ "$report" != test ] || step 'Check, once more' npm run --silent check
    fi
  fi
  echo "== $name: $((SECONDS - begin)) s"
  [ "$report" != test ] || [ "$took" -le 150 ] || echo "warning: npm test took more than 150 s"
}
