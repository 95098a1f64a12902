'use strict'

/** Which engine is asked for, and whether a store is asked to copy by itself. */

const { usage } = require('../errors')
const { checkEngineOptions, engineNames } = require('../engines')

/** @typedef {import('../types').JobWish['engine']} EngineName */

/**
 * Reads which engine the options name.
 *
 * @param {{ engine?: EngineName }} options of the command
 * @returns {EngineName & string} `auto`, or an engine's
 * @throws {XferError} USAGE
 */
function readEngine(options) {
  const { engine = 'auto' } = options
  const names = engineNames()
  if (!names.includes(engine)) {
    throw usage(`There is no engine "${engine}".`, `Choose one of ${names.join(', ')}.`)
  }
  checkEngineOptions(options)
  return engine
}

/** Whether a store can copy by itself, and no option needs an engine. Pure. */

/** @typedef {Pick<import('../types').Identity, 'copies' | 'lends' | 'pulls' | 'name'>} Identity of the store */
/** @typedef {'auto' | 'server' | 'engine'} Route */

/**
 * `auto` never asks two unlike stores: the destination would get a URL with which it reads the source.
 *
 * @param {Route} route the value of `--route`
 * @param {{ source: Identity, destination: Identity, bytesPerSecond?: number, readsAll?: boolean, prefixes?: boolean }} job
 *   readsAll: every object, once it is copied; prefixes: all objects below one are copied
 * @returns {'copies' | 'pulls' | false} copies: the store of both sides is asked first; pulls: the destination is asked to read
 *   the source by itself
 * @throws {XferError} USAGE if `server` was asked for and is not possible
 */
function asksServer(route, { source, destination, bytesPerSecond, readsAll = false, prefixes = false }) {
  if (route === 'engine') return false
  const same = source.copies !== undefined && source.copies === destination.copies
  if (same && bytesPerSecond === undefined && !readsAll) return 'copies'
  if (route === 'auto') return false
  const pulls = !same && source.lends === true && destination.pulls === true
  if (!same && !pulls) {
    const why =
      source.name === destination.name
        ? `${source.name} does not copy by itself`
        : `source and destination are not in one store (${source.name} and ${destination.name})`
    throw refusal(why, 'Leave it out, and the bytes go through the engine.')
  }
  if (readsAll) throw refusal('--verify full reads all that lies below a prefix', 'Give one of them only.')
  if (bytesPerSecond !== undefined) throw refusal('no store holds a --bandwidth', 'Give one of them only.')
  if (prefixes)
    throw refusal('between two stores it copies single objects only', 'Leave it out, and the engine copies.')
  return 'pulls'
}

/** @param {string} why @param {string} advice */
function refusal(why, advice) {
  return usage(`--route server leaves the copy to the store, and ${why}.`, advice)
}

module.exports = { asksServer, readEngine }
