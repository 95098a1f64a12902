'use strict'

const { XferError } = require('../errors')
const { MiB, beyond } = require('./sizes')
const { readBytes } = require('./units')

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
  const bytes = Math.round(read.amount ?? 0)
  if (read.amount === undefined || bytes === 0 || !Number.isSafeInteger(bytes)) {
    const { says = 'is not a rate', advice = usual } = /** @type {{ says?: string, advice?: string }} */ (read)
    throw new XferError('USAGE', { text: `${name} "${value}" ${says}.`, advice })
  }
  if (read.bare && bytes > mostBare) {
    const [says, instead] = beyond(name, text, mostBare, '/s')
    throw new XferError('USAGE', { text: says, advice: instead })
  }
  if (bytes < LEAST_BYTES) {
    throw new XferError('USAGE', { text: `${name} "${value}" is less than 64 KiB/s.`, advice: usual })
  }
  return bytes
}

module.exports = { parseRate }
