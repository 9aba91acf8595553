#!/bin/sh
# A check for a loop: HEAD is the head of an open pull request that can be merged, and the named check passed on it.
#   dacapo run "…" --check "./pull-request-gate.sh test" --recheck 60s
# Exit 0: passed. Exit 1: the agent has something to do, and the words say what. Exit 75: not yet, look again later.
check=${1:?name the check that CI runs, as in: pull-request-gate.sh test}
todo() { echo "$1"; exit 1; }
not_yet() { echo "$1"; exit 75; }

sha=$(git rev-parse HEAD) || exit 1
branch=$(git symbolic-ref --quiet --short HEAD) || todo "No branch is checked out."
[ -z "$(git status --porcelain)" ] || todo "There is work that is not committed."
pushed=$(git ls-remote origin "refs/heads/$branch") || not_yet "The remote can't be reached."
[ "${pushed%%[!0-9a-f]*}" = "$sha" ] || todo "HEAD is not pushed: git push origin $branch."

fields='.[0] | [.state, .mergeable, .headRefOid] | join(" ")'
pull=$(gh pr list --head "$branch" --state all --json state,mergeable,headRefOid --jq "$fields") || not_yet "GitHub can't be asked."
set -- $pull
[ -n "${3-}" ] || todo "There is no pull request of $branch: gh pr create."
[ "$1" = OPEN ] || todo "The pull request of $branch is $1."
[ "$2" != CONFLICTING ] || todo "The pull request can't be merged: merge its base into $branch."
[ "$2" = MERGEABLE ] && [ "$3" = "$sha" ] || not_yet "GitHub has not looked at the last push."

# Of this very commit. Neutral and skipped are no failures.
runs=$(gh api --paginate "repos/{owner}/{repo}/commits/$sha/check-runs" --jq '.check_runs[] | "\(.status) \(.conclusion) \(.name)"') || not_yet "GitHub can't be asked."
failed=$(echo "$runs" | grep -vE '^completed (success|neutral|skipped) ' | grep '^completed ')
[ -z "$failed" ] || todo "CI failed: $failed. See: gh pr checks"
echo "$runs" | grep -qxF "completed success $check" || not_yet "$check has not passed on $sha yet."
[ -z "$(echo "$runs" | grep -v '^completed ')" ] || not_yet "CI is under way."
