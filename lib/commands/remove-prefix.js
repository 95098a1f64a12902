'use strict'

/** `xfer rm -r`: counts what is below a prefix and passes the filters, asks, and deletes that. */

const { XferError, messageOf } = require('../errors')
const { openAsked } = require('../job')
const { readerOf } = require('../options')
const { readSelection } = require('../prefix')
const { countBelow, removeNames } = require('../removal')
const { createSpool } = require('../select')

/**
 * @param {string} location
 * @param {import('../types').RemoveOptions} options checked
 * @param {import('./remove').Outcome} outcome
 * @throws {XferError} NOTHING_FOUND, NOT_CONFIRMED, TOO_MANY_DELETIONS; nothing was deleted then. The store's errors
 */
async function removePrefix(location, options, outcome) {
  const { dryRun = false, confirm } = options
  const one = await openAsked({ name: 'remove', text: location, side: 'destination', as: 'prefix' }, options)
  const spool = createSpool()
  const { text } = one.end
  const fail = (/** @type {string} */ name, /** @type {any} */ failure) => outcome.failed(text + name, failure)
  try {
    const { judge } = selectionOf(options, one.end.key)
    const { listed, ...found } = await countBelow(one, {
      chosen: (name, source) => !judge({ name, source }).filtered,
      async note(name, bytes) {
        if (dryRun) outcome.removed({ location: text + name, bytes })
        else await spool.add(name)
      },
      fail,
    })
    if (listed === 0) throw await nothingBelow(one)
    if (dryRun || found.objects === 0) return
    checkCount(options, { ...found, text })
    const whole = one.end.key === ''
    if (confirm && !(await answerOf(confirm, { location: text, ...found, whole }))) {
      throw new XferError('NOT_CONFIRMED', { location: text, objects: found.objects })
    }
    await removeNames(one, {
      names: spool.names(),
      done: name => outcome.removed({ location: text + name }),
      fail,
    })
  } finally {
    await spool.close()
    await one.close()
  }
}

/**
 * @param {NonNullable<import('../types').RemoveOptions['confirm']>} confirm
 * @param {import('../types').FoundObjects} found
 */
async function answerOf(confirm, found) {
  try {
    return await confirm(found)
  } catch (cause) {
    if (cause instanceof XferError) throw cause
    throw new XferError('HANDLER_FAILED', { handler: 'confirm', reason: messageOf(cause) }, { cause })
  }
}

/** @param {import('../types').RemoveOptions} options @param {string} prefix */
function selectionOf({ filters, newerThan, olderThan, minSize, maxSize }, prefix) {
  return readSelection({ filters, newerThan, olderThan, minSize, maxSize }, { prefix })
}

/**
 * @param {import('../types').RemoveOptions} options
 * @param {{ objects: number, text: string }} found
 * @throws {XferError} TOO_MANY_DELETIONS
 */
function checkCount(options, { objects, text }) {
  const most = readerOf('rm', options)('maxDelete')
  if (most === undefined || objects <= most) return
  throw new XferError('TOO_MANY_DELETIONS', { destination: text, deletions: objects, most })
}

/** @param {import('../job/open-one').One} one @returns {Promise<import('../types').XferError>} with what was perhaps meant */
async function nothingBelow({ end: { store, key, text }, run: { cancel: signal } }) {
  const object = key.slice(0, -1)
  const found = object !== '' && (await store.head(object, { signal }).catch(() => undefined))
  return new XferError('NOTHING_FOUND', { source: text, removes: true, ...(found && { object: text.slice(0, -1) }) })
}

module.exports = { removePrefix }
