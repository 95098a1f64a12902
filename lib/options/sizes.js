'use strict'

/** Reads sizes, rates, counts and shares. */

const { usage } = require('../errors')
const { readBytes } = require('./units')

const MiB = 1024 ** 2

/**
 * @param {string | number} value `100` (MiB), `8M`, `1.5GiB`, `8MB`, `5242880B`: units.js has the grammar
 * @param {string} name the option, for the message
 * @param {{ least?: number, most?: number, mostBare?: number, whole?: boolean }} [bounds] in bytes, both included; 1 if `least` is absent; mostBare: of a number without a unit; whole: in whole MiB
 * @returns {number} bytes, whole
 * @throws {XferError} USAGE
 */
function parseSize(value, name, { least = 1, most = Number.MAX_SAFE_INTEGER, mostBare = most, whole = false } = {}) {
  const text = String(value).trim()
  const read = readBytes(text, MiB)
  const usual = 'Give a number of MiB such as 100, or one with a unit such as 8M, 1.5GiB or 8MB.'
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a size'}.`, read.advice ?? usual)
  const bytes = Math.round(read.amount)
  if (read.bare && bytes > mostBare && mostBare < most) throw usage(...beyond(name, text, mostBare))
  if (bytes < least || bytes > most) {
    const range = `from ${least / MiB} to ${(most / MiB).toLocaleString('en-US')} MiB`
    throw usage(`${name} "${value}" is not a size${most === Number.MAX_SAFE_INTEGER ? '' : ` ${range}`}.`, usual)
  }
  if (whole && bytes % MiB !== 0) {
    // Who gives 512MB here means 512 MiB, as the platforms' own tools do.
    const { amount = bytes } = readBytes(text.replace(/(?<=[a-z])B$/i, ''), 1)
    throw usage(`${name} "${value}" is not a whole number of MiB.`, `Give ${Math.ceil(amount / MiB)}, which is in MiB.`)
  }
  return bytes
}

/**
 * For a number without a unit that was most likely meant as bytes.
 *
 * @param {string} name the option
 * @param {string} text
 * @param {number} most bytes
 * @param {string} [per] `/s`: of a rate
 * @returns {[text: string, advice: string]}
 */
function beyond(name, text, most, per = '') {
  const MiBs = (most / MiB).toLocaleString('en-US')
  const whole = Number(text).toLocaleString('en-US', { useGrouping: false })
  return [
    `${name} "${text}" is more than ${MiBs} MiB${per}.`,
    `A number is MiB${per}; ${whole} bytes${per && ' a second'} are "${whole}B${per}".`,
  ]
}

/**
 * @param {string | number} value
 * @param {string} name the option, for the message
 * @param {{ least?: number, most?: number, words?: readonly string[] }} [bounds] both included; words: what the option also takes, for the message
 * @returns {number}
 * @throws {XferError} USAGE
 */
function parseCount(value, name, { least = 0, most = Number.MAX_SAFE_INTEGER, words } = {}) {
  const or = words?.join(' nor ')
  const text = String(value).trim()
  const count = Number(text)
  if (/^\d+(?:e\d+)?$/i.test(text) && Number.isSafeInteger(count) && count >= least && count <= most) return count
  throw usage(
    `${name} "${value}" is ${or ? `neither ${or} nor` : 'not'} a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    `Give ${name} a number in that range${or ? `, or ${or}` : ''}.`,
  )
}

/** With a lower rate a connection would be idle for so long between two pieces that stores close it. */
const LEAST_BYTES = 64 * 1024

/**
 * @param {string | number} value `10M`, `500K`, `10MiB/s`, `10MB/s`, `10` (MiB a second), or `none`: units.js has the grammar
 * @param {string} name the option, for the message
 * @param {{ mostBare?: number }} [bounds] mostBare: bytes a second of a number without a unit
 * @returns {number | undefined} whole bytes per second; undefined: no limit
 * @throws {XferError} USAGE
 */
function parseRate(value, name, { mostBare = Number.POSITIVE_INFINITY } = {}) {
  const text = String(value).trim()
  if (text === 'none') return undefined
  const usual = 'Give bytes a second, such as 10M (MiB), 10MB/s, 500K or 1.5GiB/s, or none.'
  const read = readBytes(text.replace(/\s*\/s$/i, ''), MiB)
  if (read.amount === undefined)
    throw usage(`${name} "${value}" ${read.says ?? 'is not a rate'}.`, read.advice ?? usual)
  const bytes = Math.round(read.amount)
  if (read.bare && bytes > mostBare) throw usage(...beyond(name, text, mostBare, '/s'))
  if (bytes < LEAST_BYTES) throw usage(`${name} "${value}" is less than 64 KiB/s.`, usual)
  return bytes
}

const SHARE = { most: 1e12, words: ['a percentage from 0% to 100%'] }
const PERCENTAGE = /^(\d+(?:\.\d+)?)\s*%$/

/**
 * @param {string | number} value `1000` or `10%`
 * @param {string} name the option, for the message
 * @returns {{ count: number } | { percent: number }}
 * @throws {XferError} USAGE
 */
function parseShare(value, name) {
  const [, percent] = PERCENTAGE.exec(String(value).trim()) ?? []
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) }
  return { count: parseCount(value, name, SHARE) }
}

module.exports = { MiB, parseCount, parseRate, parseShare, parseSize }
