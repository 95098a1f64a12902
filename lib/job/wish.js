'use strict'

/** Which engine is wished for, and how its requests go. */

const { XferError } = require('../errors')
const { engineNames } = require('../engines')
const { readChoice } = require('../options')

/** @typedef {import('../types').JobWish['engine']} EngineName */

/** Allows to fall back to Node's HTTP client if the action's own has a defect. @param {Record<string, string | undefined>} env */
function readTransport({ XFER_TRANSPORT: name }) {
  if (!name) return undefined
  return /** @type {'socket' | 'http'} */ (readChoice(name, 'XFER_TRANSPORT', ['socket', 'http']))
}

/** @param {EngineName} [name] value of `--engine` @throws {XferError} USAGE */
function readEngineName(name = 'auto') {
  const names = engineNames()
  if (names.includes(name)) return name
  throw new XferError('USAGE', { text: `There is no engine "${name}".`, advice: `Choose one of ${names.join(', ')}.` })
}

module.exports = { readEngineName, readTransport }
