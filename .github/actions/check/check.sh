#!/bin/bash
# The step of action.yml that runs `sitemap check`. Its inputs are environment variables, so that no text of a workflow
# becomes a command. Annotations are written to standard output, the summary to the file that $GITHUB_STEP_SUMMARY
# names, and `status` and `sarif` to the one that $GITHUB_OUTPUT names.
set -u

arguments=()
words() { printf '%s\n' "$1" | tr -s ', \t\r' '\n' | sed '/^$/d'; }
while IFS= read -r rule; do arguments+=(--deny "$rule"); done < <(words "${DENY-}")
while IFS= read -r rule; do arguments+=(--allow "$rule"); done < <(words "${ALLOW-}")
[ -z "${LOCATION-}" ] || arguments+=(--location "$LOCATION")
[ -z "${CONFIG-}" ] || arguments+=(--config "$CONFIG")
[ -z "${BASELINE-}" ] || arguments+=(--baseline "$BASELINE")
[ "${ADVICE-}" != true ] || arguments+=(--advice)
inputs=()
while IFS= read -r input; do
  input=${input%$'\r'}
  [ -z "$input" ] || inputs+=("$input")
done <<< "${INPUT:-.}"
[ ${#inputs[@]} -gt 0 ] || inputs=(.)

# The program appends the summary, too.
"$PROGRAM" check --color never --format github ${arguments[@]+"${arguments[@]}"} -- "${inputs[@]}"
status=$?

if [ -n "${SARIF-}" ] || [ "${UPLOAD_SARIF-}" = true ]; then
  sarif=${SARIF:-${RUNNER_TEMP:-.}/sitemaps.sarif}
  "$PROGRAM" check --color never --quiet --format sarif ${arguments[@]+"${arguments[@]}"} -- "${inputs[@]}" > "$sarif"
  # A name of two lines could set other outputs.
  printf 'sarif=%s\n' "${sarif//[$'\r\n']/}" >> "$GITHUB_OUTPUT"
fi
printf 'status=%d\n' "$status" >> "$GITHUB_OUTPUT"
