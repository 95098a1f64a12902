'use strict'

/** The script for zsh: https://zsh.sourceforge.io/Doc/Release/Completion-System.html */

/** @typedef {import('./model').CompletedCommand} CompletedCommand */
/** @typedef {import('./model').CompletedOption} CompletedOption */
/** @typedef {import('./model').CompletedPlace} CompletedPlace */

/** @param {{ commands: CompletedCommand[], globals: CompletedOption[] }} program @returns {string} */
function zshScript({ commands, globals }) {
  return `#compdef xfer
# Completion of xfer for zsh, made by: xfer completion zsh

_xfer_commands() {
  local -a commands=(
${commands.flatMap(({ names, summary }) => names.map(name => `    ${quoted(`${name}:${summary}`)}`)).join('\n')}
  )
  _describe command commands
}

_xfer_jobs() {
  local -a found=(\${XDG_STATE_HOME:-$HOME/.local/state}/xfer/jobs/*.journal(N:t:r))
  compadd -a found
  _files -g '*.journal'
}

_xfer() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C -s \\
    '(-V --version)'{-V,--version}'[print the version]' \\
${globals.map(option => `    ${specOf(option)} \\\n`).join('')}    '(-): :_xfer_commands' \\
    '(-)*:: :->rest' && return
  [[ $state == rest ]] || return
  curcontext="\${curcontext%:*:*}:xfer-$words[1]:"
  case $words[1] in
${commands.map(rowOf).join('\n')}
  esac
}

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
if [[ $funcstack[1] == _xfer ]]; then
  _xfer "$@"
else
  compdef _xfer xfer
fi
`
}

/** @param {CompletedCommand} command */
function rowOf({ names, options, places }) {
  const specs = [
    ...options.map(specOf),
    ...places.map((place, at) => quoted(`${at + 1}:${place.name}:${actionOf(place)}`)),
  ]
  return `    ${names.join('|')})\n      _arguments -s ${specs.map(spec => `\\\n        ${spec}`).join(' ')} ;;`
}

/** What _arguments takes for one option. @param {CompletedOption} option */
function specOf({ short, long, help, value, words, repeatable }) {
  const told = `[${help.replace(/[\\[\]]/g, '\\$&')}]${VALUES[value](words)}`
  if (repeatable) return quoted(`*${equals(long, value)}${told}`)
  if (!short) return quoted(`${equals(long, value)}${told}`)
  return `${quoted(`(${short} ${long})`)}{${short},${long}}${quoted(told)}`
}

/** An option with a value also takes it behind \`=\`. @param {string} long @param {CompletedOption['value']} value */
function equals(long, value) {
  return value === 'switch' ? long : `${long}=`
}

/** @type {Record<CompletedOption['value'], (words: readonly string[]) => string>} */
const VALUES = {
  switch: () => '',
  file: () => ':file:_files',
  words: words => `:value:(${listed(words)})`,
  other: () => ':value: ',
}

/** @param {CompletedPlace} place */
function actionOf({ kind, words }) {
  if (kind === 'job') return '_xfer_jobs'
  if (kind === 'location') return `compadd -S "" ${words.join(' ')}`
  return `(${listed(words)})`
}

/** @param {readonly string[]} words */
function listed(words) {
  return words.map(word => word.replaceAll(':', '\\:')).join(' ')
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

module.exports = { zshScript }
