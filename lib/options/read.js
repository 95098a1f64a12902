'use strict'

/** Reads the values of options, each as its row of the table says. */

const { XferError, redact, usage } = require('../errors')
const { parseDuration, parseTime } = require('./durations')
const { parseCount, parseRate, parseShare, parseSize } = require('./sizes')
const { OPTIONS, commandsOf, flagOf, valueTypeOf } = require('./table')
const { isHostRule } = require('../../actions/copy-range/access')

/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('./values').OptionValues} Values */

/**
 * The parsers, by kind of value. Each finds its bounds in the row of the option.
 *
 * @type {Partial<Record<import('./contract').ValueType, (value: any, flag: string, spec: OptionSpec, now: () => number) => unknown>>}
 */
const READERS = {
  choice: readChoice,
  count: parseCount,
  share: parseShare,
  size: parseSize,
  rate: parseRate,
  duration: parseDuration,
  date: (value, flag, _, now) => parseTime(value, flag, now()),
  hosts: parseHosts,
}

/**
 * @template {keyof Values} C
 * @param {C} command
 * @param {object} options as the caller of the library gave them
 * @param {{ now?: () => number }} [world] now: epoch milliseconds, from which ages are counted
 * @returns {<N extends keyof Values[C]>(name: N) => Values[C][N]} the value of an option: a count, bytes, bytes per second (undefined: no limit), milliseconds, a
 *   point in time; a word that the option also takes is returned as it is; undefined if nothing was given and there is no default
 */
function readerOf(command, options, { now = Date.now } = {}) {
  const given = /** @type {Record<string, unknown>} */ (options)
  /** @param {any} name @returns {any} */
  const read = name => {
    const spec = OPTIONS.find(one => one.name === name && commandsOf(one).includes(command))
    if (!spec) throw new TypeError(`xfer ${command} has no option ${name}.`)
    const value = given[name] === undefined ? spec.default : given[name]
    if (value === undefined || spec.words?.includes(/** @type {any} */ (value))) return value
    const reader = READERS[valueTypeOf(spec)]
    return reader ? reader(value, flagOf(spec), spec, now) : value
  }
  return read
}

/** @param {unknown} value @param {string} name of the option @param {Pick<OptionSpec, 'choices'>} spec @throws {XferError} USAGE */
function readChoice(value, name, { choices = [] }) {
  if (choices.includes(/** @type {any} */ (value))) return /** @type {string} */ (value)
  throw new XferError('USAGE', {
    mistake: 'choice',
    word: name,
    text: `${name} "${value}" is unknown.`,
    advice: `Choose one of ${choices.join(', ')}.`,
  })
}

/** How long a store, a function or the platform may be silent. */
const SILENCE_MS = 30_000

/** @param {{ env?: Record<string, string | undefined> }} options of a command @returns {number} milliseconds; the variable is for tests, which do not wait that long */
const silenceOf = ({ env = process.env }) => Number(env.XFER_SILENCE_MS ?? SILENCE_MS)

/** `--allow-hosts`: the hosts that functions may connect to, in the action's own syntax. */

/**
 * @param {string | string[]} given names, `*.` and the end of a name, addresses, ranges of addresses, `*`; as a text, joined
 *   by commas
 * @param {string} option the option's name, for the message
 * @returns {string[]} at least one
 * @throws {XferError} USAGE
 */
function parseHosts(given, option) {
  const hosts = (typeof given === 'string' ? given.split(',') : given).map(host => String(host).trim())
  const advice = 'Give it as *.example.org,store.example.net,10.0.0.0/8, or as some of these; * is any host.'
  if (hosts.every(host => host === '')) throw usage(`${option} names no host.`, advice)
  const odd = hosts.find(host => !isHostRule(host))
  if (odd === undefined) return hosts
  const text = `${option} has "${redact(odd)}", which is neither the name of a host nor an address or a range of them.`
  throw usage(text, advice)
}

module.exports = { readerOf, silenceOf }
