'use strict'

/** Which engine is asked for, and the choice of it. */

const { XferError } = require('../errors')
const { checkEngineOptions, chooseEngine, engineNames } = require('../engines')

/** @typedef {import('../types').JobWish['engine']} EngineName */

/** @param {EngineName} [name] value of `--engine` @throws {XferError} USAGE */
function readEngineName(name = 'auto') {
  const names = engineNames()
  if (names.includes(name)) return name
  throw new XferError('USAGE', { text: `There is no engine "${name}".`, advice: `Choose one of ${names.join(', ')}.` })
}

/**
 * Reads what the options say of the engine.
 *
 * @param {{ engine?: EngineName }} options of the command
 * @returns {{ name: EngineName & string }} name: `auto`, or an engine's
 * @throws {XferError} USAGE
 */
function readWish(options) {
  const name = readEngineName(options.engine)
  checkEngineOptions(options)
  return { name }
}

/**
 * @param {Awaited<ReturnType<typeof import('../engines').findEngines>>} engines that may be chosen
 * @param {ReturnType<typeof readWish>} wish
 * @param {object} job
 * @param {Pick<import('./contract').Settings, 'silenceMs' | 'concurrency' | 'bytesPerSecond'>} job.settings
 * @param {import('../types').Store[]} job.stores that the engine must reach
 * @param {boolean} [job.manySmall] tasks will be of a few kilobytes
 * @returns {ReturnType<typeof chooseEngine>}
 * @throws {XferError} if the named engine is not configured, or cannot be used with these stores
 */
function chooseWished(engines, wish, { settings, stores, manySmall = false }) {
  const { silenceMs, concurrency, bytesPerSecond } = settings
  return chooseEngine(engines, { ...wish, stores, silenceMs, concurrency, bytesPerSecond, manySmall })
}

module.exports = { chooseWished, readWish }
