'use strict'

const { XferError } = require('../errors')
const { parseSize } = require('./sizes')

/** With a lower rate a connection would be idle for so long between two pieces that stores close it. */
const LEAST_BYTES = 64 * 1024

/**
 * @param {string | number} value `10M`, `500K`, `10MiB/s`, `10` (MiB a second), or `none`
 * @param {string} name the option, for the message
 * @returns {number | undefined} whole bytes per second; undefined: no limit
 * @throws {XferError} USAGE
 */
function parseRate(value, name) {
  const text = String(value).trim()
  if (text === 'none') return undefined
  const bytes = bytesOf(text.replace(/\/s$/i, ''), name)
  const advice = 'Give bytes a second, such as 10M (MiB), 500K or 1.5GiB/s, or none.'
  if (bytes === undefined) throw new XferError('USAGE', { text: `${name} "${value}" is not a rate.`, advice })
  if (bytes < LEAST_BYTES) throw new XferError('USAGE', { text: `${name} "${value}" is less than 64 KiB/s.`, advice })
  return bytes
}

/** @param {string} size @param {string} name */
function bytesOf(size, name) {
  try {
    return parseSize(size, name)
  } catch {
    return undefined
  }
}

module.exports = { parseRate }
