'use strict'

const { XferError } = require('../errors')
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
    throw refusal(`${name} "${value}" ${read.says ?? 'is not a size'}.`, read.advice ?? usual)
  const bytes = Math.round(read.amount)
  if (read.bare && bytes > mostBare && mostBare < most) throw refusal(...beyond(name, text, mostBare))
  if (bytes < least || bytes > most) {
    const range = `from ${least / MiB} to ${(most / MiB).toLocaleString('en-US')} MiB`
    throw refusal(`${name} "${value}" is not a size${most === Number.MAX_SAFE_INTEGER ? '' : ` ${range}`}.`, usual)
  }
  if (whole && bytes % MiB !== 0) {
    // Who gives 512MB here means 512 MiB, as the platforms' own tools do.
    const { amount = bytes } = readBytes(text.replace(/(?<=[a-z])B$/i, ''), 1)
    throw refusal(
      `${name} "${value}" is not a whole number of MiB.`,
      `Give ${Math.ceil(amount / MiB)}, which is in MiB.`,
    )
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

/** @param {string} text @param {string} advice */
function refusal(text, advice) {
  return new XferError('USAGE', { text, advice })
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

module.exports = { MiB, beyond, parseSize, parseCount }
