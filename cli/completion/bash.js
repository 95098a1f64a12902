'use strict'

/** The script for bash: https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */

/** @typedef {import('./model').CompletedCommand} CompletedCommand */
/** @typedef {import('./model').CompletedOption} CompletedOption */

/** @param {{ commands: CompletedCommand[], globals: CompletedOption[] }} program @returns {string} */
function bashScript({ commands, globals }) {
  const names = commands.flatMap(({ names }) => names)
  return `# Completion of xfer for bash 3.2 and later, made by: xfer completion bash

# The options of a command; without one, those that may stand before it.
_xfer_options() {
  case $1 in
${casesOf([
  ...commands.map(({ names, options }) => rowOf(names, printing(flagsOf(options)))),
  rowOf(["''"], printing(['-V', '--version', ...flagsOf(globals)])),
])}
  esac
}

# The words that may follow an option. Fails for an option without a value.
_xfer_values() {
  case $1 in
${casesOf(commands.flatMap(({ options }) => options).flatMap(valueRow))}
    *) return 1 ;;
  esac
}

# What may follow a command besides options.
_xfer_places() {
  case $1 in
${casesOf([...commands.flatMap(placeRow), rowOf(["''"], printing(names))])}
  esac
}

_xfer_jobs() {
  local file
  for file in "\${XDG_STATE_HOME:-$HOME/.local/state}"/xfer/jobs/*.journal; do
    file=\${file##*/}
    [[ $file == '*.journal' ]] || printf '%s\\n' "\${file%.journal}"
  done
  printf '%s\\n' '<file>'
}

# $2: the part of the current word that bash replaces. It begins behind the last sign of COMP_WORDBREAKS, as = and :.
_xfer() {
  local line=\${COMP_LINE:0:COMP_POINT} words word current='' previous='' command='' option='' replaced offered
  COMPREPLY=()
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    current=\${words[\${#words[@]} - 1]}
    unset "words[\${#words[@]} - 1]"
  fi
  for word in "\${words[@]:1}"; do
    [[ -z $command && $word != -* ]] && command=$word
    previous=$word
  done
  replaced=\${current%"$2"}
  if [[ $current == --*=* ]]; then
    option=\${current%%=*}=
    previous=\${current%%=*}
  fi
  if ! offered=$(_xfer_values "$previous"); then
    if [[ $current == -* ]]; then offered=$(_xfer_options "$command"); else offered=$(_xfer_places "$command"); fi
  fi
  # Where nothing is offered, bash would complete names of files.
  [[ $offered == *'<file>'* ]] || compopt +o default 2>/dev/null
  while read -r word; do
    [[ $word && $word != '<'* && $option$word == "$current"* ]] || continue
    word=$option$word
    COMPREPLY+=("\${word#"$replaced"}")
  done <<<"$offered"
  [[ \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}

complete -o default -F _xfer xfer
`
}

/** @param {CompletedOption[]} options @returns {string[]} */
function flagsOf(options) {
  return options.flatMap(({ short, long }) => (short ? [short, long] : [long]))
}

/** @typedef {{ patterns: string[], does: string }} Row of a case statement */

/** @param {string[]} patterns @param {string} does @returns {Row} */
function rowOf(patterns, does) {
  return { patterns, does }
}

/** @param {readonly string[]} words @returns {string} a command that prints each word on a line */
function printing(words) {
  return `printf '%s\\n' ${words.map(quoted).join(' ')}`
}

/** @param {string} word */
function quoted(word) {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** @param {CompletedOption} option @returns {Row[]} none for a switch */
function valueRow({ long, value, words }) {
  if (value === 'switch') return []
  return [rowOf([long], printing(words.length > 0 ? words : [`<${value}>`]))]
}

/** @param {CompletedCommand} command @returns {Row[]} none if it takes options only */
function placeRow({ names, places }) {
  if (places.length === 0) return []
  const [{ kind, words }] = places
  return [rowOf(names, kind === 'job' ? '_xfer_jobs' : printing(words))]
}

/** The lines of a case statement. Rows that do the same become one. @param {Row[]} rows */
function casesOf(rows) {
  const bodies = [...new Set(rows.map(({ does }) => does))]
  const patternsOf = (/** @type {string} */ body) =>
    new Set(rows.filter(({ does }) => does === body).flatMap(({ patterns }) => patterns))
  return bodies.map(body => `    ${[...patternsOf(body)].join('|')}) ${body} ;;`).join('\n')
}

module.exports = { bashScript }
