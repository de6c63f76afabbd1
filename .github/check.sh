#!/bin/bash
# The step of action.yml that runs `sitemap check`. Its inputs are environment variables, so that no text of a workflow
# becomes a command. Annotations are written to standard output, the summary to the file that $GITHUB_STEP_SUMMARY
# names, and `status` and `sarif` to the one that $GITHUB_OUTPUT names.
set -u -o pipefail

arguments=()
words() { printf '%s\n' "$1" | tr -s ', \t\r' '\n' | sed '/^$/d'; }
while IFS= read -r rule; do arguments+=(--deny "$rule"); done < <(words "${DENY-}")
while IFS= read -r rule; do arguments+=(--allow "$rule"); done < <(words "${ALLOW-}")
[ -z "${LOCATION-}" ] || arguments+=(--location "$LOCATION")
[ -z "${CONFIG-}" ] || arguments+=(--config "$CONFIG")
[ "${ADVICE-}" != true ] || arguments+=(--advice)
inputs=()
while IFS= read -r input; do
  input=${input%$'\r'}
  [ -z "$input" ] || inputs+=("$input")
done <<< "${INPUT:-.}"
[ ${#inputs[@]} -gt 0 ] || inputs=(.)

# A version of the program that writes the summary itself is not repeated.
before=$(wc -c < "$GITHUB_STEP_SUMMARY" 2> /dev/null || echo 0)
annotations=$(mktemp)
trap 'rm -f "$annotations"' EXIT
"$PROGRAM" check --color never --format github ${arguments[@]+"${arguments[@]}"} -- "${inputs[@]}" | tee "$annotations"
status=${PIPESTATUS[0]}

if [ "$(wc -c < "$GITHUB_STEP_SUMMARY" 2> /dev/null || echo 0)" -eq "$before" ]; then
  {
    case $status in
      0) printf '### Sitemaps: no errors\n' ;;
      1) printf '### Sitemaps: errors\n' ;;
      *) printf '### Sitemaps: an input could not be read, or the options are invalid\n' ;;
    esac
    # One row per severity and rule. The first five findings of a rule are annotations of their own, and one more has
    # the number of the others. Rules consist of lower-case letters and hyphens, so nothing here needs escaping.
    awk -F '::' '
      /^::(error|warning|notice) / {
        severity = $2; sub(/ .*/, "", severity)
        if (!match($2, /title=[a-z0-9-]+$/)) next
        rule = substr($2, RSTART + 6)
        count = 1
        if ($3 ~ /^and [0-9]+ more$/) { split($3, word, " "); count = word[2] }
        found[severity "`" rule] += count
      }
      END {
        for (key in found) { split(key, part, "`"); printf "| %s | `%s` | %d |\n", part[1], part[2], found[key] }
      }' "$annotations" | sort > "$annotations.rows"
    if [ -s "$annotations.rows" ]; then
      printf '\n| severity | rule | findings |\n|---|---|--:|\n'
      cat "$annotations.rows"
    fi
    rm -f "$annotations.rows"
  } >> "$GITHUB_STEP_SUMMARY"
fi

if [ -n "${SARIF-}" ] || [ "${UPLOAD_SARIF-}" = true ]; then
  sarif=${SARIF:-${RUNNER_TEMP:-.}/sitemaps.sarif}
  "$PROGRAM" check --quiet --format sarif ${arguments[@]+"${arguments[@]}"} -- "${inputs[@]}" > "$sarif"
  # A name of two lines could set other outputs.
  printf 'sarif=%s\n' "${sarif//[$'\r\n']/}" >> "$GITHUB_OUTPUT"
fi
printf 'status=%d\n' "$status" >> "$GITHUB_OUTPUT"
