'use strict'

const { XferError } = require('../errors')

const MiB = 1024 ** 2

/** Binary, as rclone and mc read them: K, KB and KiB are all 1,024 bytes. @type {Record<string, number>} */
const UNITS = { b: 1, k: 1024, m: MiB, g: 1024 ** 3, t: 1024 ** 4 }

/**
 * @param {string | number} value `100` (MiB), `8M`, `1.5GiB`, `5242880B`
 * @param {string} name the option, for the message
 * @param {{ least?: number }} [bounds] in bytes; 1 if absent
 * @returns {number} bytes, whole
 * @throws {XferError} USAGE
 */
function parseSize(value, name, { least = 1 } = {}) {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(?:i?b)?|(b))?$/i.exec(String(value).trim())
  if (match) {
    const unit = match[2] ?? match[3]
    const bytes = Math.round(Number(match[1]) * (unit ? UNITS[unit.toLowerCase()] : MiB))
    if (bytes >= least && Number.isSafeInteger(bytes)) return bytes
  }
  throw new XferError('USAGE', {
    text: `${name} "${value}" is not a size.`,
    advice: 'Give a number of MiB such as 100, or one with a unit such as 8M or 1.5GiB.',
  })
}

/**
 * @param {string | number} value
 * @param {string} name the option, for the message
 * @param {{ least: number, most: number, or?: string }} bounds both included; or: a word that the option also takes, for the message
 * @returns {number}
 * @throws {XferError} USAGE
 */
function parseCount(value, name, { least, most, or }) {
  const text = String(value).trim()
  const count = Number(text)
  if (/^\d+(?:e\d+)?$/i.test(text) && Number.isSafeInteger(count) && count >= least && count <= most) return count
  throw new XferError('USAGE', {
    text: `${name} "${value}" is ${or ? `neither ${or} nor` : 'not'} a whole number from ${least} to ${most.toLocaleString('en-US')}.`,
    advice: `Give ${name} a number in that range${or ? `, or ${or}` : ''}.`,
  })
}

module.exports = { MiB, parseSize, parseCount }
