#!/usr/bin/env bash
# Looks for changes that somebody made outside Terraform; writes a report in Markdown.
#
#   drift.sh [FOLDER]   the root module, after `terraform init`; default: this folder
#
# Exit codes are those of a plan: 0 no drift, 2 drift, 1 the check itself failed. Needs
# bash, jq, and terraform or tofu (TERRAFORM=tofu). Nothing is changed, neither the state
# nor the cloud.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cli=${TERRAFORM:-terraform}
folder=${1:-.}

for program in "$cli" jq; do
  if ! command -v "$program" >/dev/null; then
    echo "drift.sh: $program is not installed" >&2
    exit 1
  fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Without the lock: an apply that runs meanwhile must not be stopped by a look.
status=0
"$cli" "-chdir=$folder" plan -refresh-only -detailed-exitcode -input=false -lock=false \
  -json "-out=$work/plan" >"$work/events.json" || status=$?

case $status in
0)
  echo "No drift: what is in the cloud is what the last apply made."
  ;;
2)
  "$cli" "-chdir=$folder" show -json "$work/plan" >"$work/plan.json"
  jq --raw-output --slurpfile events "$work/events.json" --from-file "$here/report.jq" \
    "$work/plan.json"
  ;;
*)
  echo "## The drift check failed"
  echo
  echo "Whether there is drift is not known."
  # Not every failure is said in JSON: what is not is shown as it is.
  jq --raw-input --raw-output '
    (fromjson? // {type: "text", text: .})
    | if .type == "text" then "\n    " + .text
      elif .type == "diagnostic" and .diagnostic.severity == "error" then
        "\n**" + .diagnostic.summary + "**\n\n" + .diagnostic.detail
      else empty end' "$work/events.json"
  status=1
  ;;
esac
exit "$status"
