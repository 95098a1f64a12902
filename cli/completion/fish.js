'use strict'

/** The script for fish: https://fishshell.com/docs/current/completions.html */

/** @typedef {import('./model').CompletedCommand} CompletedCommand */
/** @typedef {import('./model').CompletedOption} CompletedOption */

/** @param {{ commands: CompletedCommand[], globals: CompletedOption[] }} program @returns {string} */
function fishScript({ commands, globals }) {
  return `# Completion of xfer for fish, made by: xfer completion fish

# Whether the command is one of these; without any: whether there is no command yet.
function __xfer_command
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and continue
        contains -- $word $argv
        return
    end
    test (count $argv) -eq 0
end

function __xfer_jobs
    set -l state $XDG_STATE_HOME
    test -n "$state"; or set state $HOME/.local/state
    for file in $state/xfer/jobs/*.journal
        string replace -r '.*/(.*)\\.journal$' '$1' -- $file
    end
end

complete -c xfer -f
${commands.flatMap(commandLines).join('\n')}
complete -c xfer -n __xfer_command -s V -l version -d 'print the version'
${globals.map(option => optionLine(option, [])).join('\n')}
${optionLines(commands).join('\n')}
${commands.flatMap(placeLine).join('\n')}
`
}

/** @param {CompletedCommand} command */
function commandLines({ names, summary }) {
  return names.map(name => `complete -c xfer -n __xfer_command -a ${name} -d ${quoted(summary)}`)
}

/** @param {CompletedCommand[]} commands @returns {string[]} one line for all commands with the same option */
function optionLines(commands) {
  /** @type {Map<string, { option: CompletedOption, names: string[] }>} */
  const lines = new Map()
  for (const { names, options } of commands) {
    for (const option of options) {
      const key = JSON.stringify(option)
      lines.set(key, { option, names: [...(lines.get(key)?.names ?? []), ...names] })
    }
  }
  return [...lines.values()].map(({ option, names }) => optionLine(option, names))
}

/** @param {CompletedOption} option @param {string[]} commands none: before the command */
function optionLine({ short, long, help, value, words }, commands) {
  const flags = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`
  return `complete -c xfer ${condition(commands)} ${flags}${VALUES[value](words)} -d ${quoted(help)}`
}

/** @param {string[]} commands */
function condition(commands) {
  return commands.length === 0 ? '-n __xfer_command' : `-n '__xfer_command ${commands.join(' ')}'`
}

/** @type {Record<CompletedOption['value'], (words: readonly string[]) => string>} */
const VALUES = {
  switch: () => '',
  file: () => ' -r -F',
  words: words => ` -x -a ${quoted(words.join(' '))}`,
  other: () => ' -x',
}

/** @param {CompletedCommand} command @returns {string[]} none if it takes options only */
function placeLine({ names, places }) {
  if (places.length === 0) return []
  const [{ kind, words }] = places
  if (kind === 'job') return [`complete -c xfer ${condition(names)} -F -a '(__xfer_jobs)'`]
  return [`complete -c xfer ${condition(names)} -a ${quoted(words.join(' '))}`]
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

module.exports = { fishScript }
