'use strict'

/** Reads a command line as it was typed, and writes it again as another command, without the secrets that stand in it. */

const { redact } = require('../../lib/errors')
const { flagsOfCommand, quoted } = require('../../lib/options')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */

/**
 * @typedef {{ words: string[], place: boolean, spec?: OptionSpec }} LineItem a location, or an option with its value; spec: of an option
 *   that the command has
 *
 * @typedef {object} TypedLine
 * @property {string} command without an alias; '' if none was named
 * @property {LineItem[]} items
 * @property {string[]} places
 */

/** @param {string} [name] */
const commandOf = (name = '') => (name === 'cp' ? 'copy' : name)

/** @param {string} command @param {string} flag with its dashes @returns {OptionSpec | undefined} */
function specOf(command, flag) {
  const flags = flagsOfCommand(/** @type {import('../../lib/options/contract').Command} */ (commandOf(command)))
  return flags.find(({ flag: long, spec }) => long === flag || spec.short?.includes(flag))?.spec
}

/** @param {string} word @returns {string} an option without its value */
const flagOf = word => word.replace(/^(--[^=]*)=.*$/s, '$1')

/** @param {string[]} args the command first @returns {TypedLine} */
function readLine([name, ...rest]) {
  const command = commandOf(name)
  /** @type {LineItem[]} */
  const items = []
  let literal = false
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]
    if (word === '--' && !literal) literal = true
    else if (literal || word === '-' || !word.startsWith('-')) items.push({ words: [word], place: true })
    else {
      const spec = specOf(command, flagOf(word))
      const separate = spec?.takes.as !== undefined && flagOf(word) === word && at + 1 < rest.length
      items.push({ words: separate ? [word, rest[++at]] : [word], place: false, spec })
    }
  }
  return { command, items, places: items.filter(({ place }) => place).map(({ words }) => words[0]) }
}

/** @param {string[]} words behind the program's name @returns {string} for a POSIX shell, without secrets */
function written(words) {
  return ['xfer', ...words].map(word => quoted(withoutSecret(word))).join(' ')
}

/**
 * The same line as another command. Options that this command does not have are left out.
 *
 * @param {TypedLine} line
 * @param {object} as
 * @param {string} [as.command]
 * @param {string[]} [as.flags] behind the command
 * @param {string[]} [as.places] default: those of the line
 * @param {string[]} [as.added] behind the places
 * @param {(spec: OptionSpec) => boolean} [as.takes] whether an option stays
 * @returns {string}
 */
function lineAs(line, { command = line.command, flags = [], places = line.places, added = [], takes = () => true }) {
  const options = line.items.flatMap(({ words, spec }) =>
    spec && takes(spec) && specOf(command, flagOf(words[0])) && !flags.includes(words[0]) ? words : [],
  )
  return written([command, ...flags, ...places, ...added, ...options])
}

/** @param {string} word of the command line @returns {string} without what an address in it has of a password or a signature */
function withoutSecret(word) {
  const [option] = /^--[a-z][a-z-]*=/.exec(word) ?? ['']
  const text = word.slice(option.length)
  // A connection string, or a SAS without an address.
  if (/(?:^|[;&?])(?:AccountKey|SharedAccessSignature)=/i.test(text) || /(?:^|&)sig=/i.test(text)) {
    return `${option}${redact(text)}`
  }
  const [, scheme, authority] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?([^/?#]*)/i.exec(text) ?? []
  const query =
    scheme === undefined
      ? /[?&](?:X-Amz-|Signature=|sig=)/i.test(text)
      : !/^(?:s3|az|gs)$/i.test(scheme) || /[?&]sig=/i.test(text)
  const secret = /:.*@/.test(authority) || (query && /[?#]/.test(text))
  return option + (secret ? redact(text) : text)
}

/**
 * Some errors quote what was typed, and it may be an address in the wrong place.
 *
 * @param {string[]} words of the command line
 * @returns {(text: string) => string} removes from a text what those words have of secrets
 */
function discreetAbout(words) {
  const typed = [...new Set(words.flatMap(word => [word, word.replace(/^--[a-z][a-z-]*=/, '')]))]
  const pairs = typed.map(word => [word, withoutSecret(word)]).filter(([word, safe]) => word !== safe)
  return text => pairs.reduce((rest, [word, safe]) => rest.replaceAll(word, safe), text)
}

module.exports = { commandOf, discreetAbout, flagOf, lineAs, readLine, specOf, withoutSecret, written }
