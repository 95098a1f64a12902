'use strict'

/** `xfer rm`: deletes objects that are named, or everything below a prefix. */

const { askHandler, eachAtOnce, withHandler } = require('../async')
const { XferError, asXferError, usage } = require('../errors')
const { headObject, openAsked } = require('../job')
const { objectsOf, walk } = require('../listing')
const { checkArguments, flagsOf, readerOf } = require('../options')
const { parsePlace } = require('../stores')

/** Objects that are deleted at the same time, each by requests of its own. */
const AT_ONCE = 8
/** Failures that the error names. */
const MOST_TOLD = 10

/** @typedef {import('../types').Removed} Removed */
/** @typedef {import('../types').RemovedObject} RemovedObject */
/** @typedef {import('../types').RemoveOptions} RemoveOptions */

/**
 * @param {string | string[]} locations `s3://bucket/key`; with `recursive` prefixes, to which a slash is added
 * @param {RemoveOptions} [options]
 * @returns {Promise<Removed>} once the stores have confirmed that all of it is deleted
 * @throws {XferError} NO_SUCH_KEY of one object, OBJECTS_FAILED if some of many could not be deleted, NOT_CONFIRMED,
 *   TOO_MANY_DELETIONS, NOTHING_FOUND
 */
async function remove(locations, options = {}) {
  return await withHandler('onObject', options, one => withHandler('onEvent', one, given => run(locations, given)))
}

/** @type {typeof remove} */
async function run(locations, options = {}) {
  const many = Array.isArray(locations) ? locations : [locations]
  if (many.length === 0) throw usage('No location is named.', 'Name an object.')
  for (const location of many) checkArguments('remove', { destination: location }, options)
  const { recursive = false, versionId, filters, newerThan, olderThan, minSize, maxSize, maxDelete } = options
  const ofPrefix = { filters, newerThan, olderThan, minSize, maxSize, maxDelete }
  const stray = Object.entries(ofPrefix).find(([name, value]) => value !== undefined && !isEmpty(name, value))
  if (!recursive && stray) throw refused(stray, 'It selects from what is below a prefix: add -r, or leave it out.')
  if (versionId !== undefined && (recursive || many.length > 1)) {
    throw refused(['versionId', versionId], 'It names a version of one object: name that object alone.')
  }
  const outcome = createOutcome(options)
  if (recursive) {
    for (const location of many) await removePrefix(location, options, outcome)
  } else {
    const alone = many.length === 1
    for (const location of many) checkObject(location)
    await eachAtOnce(many, AT_ONCE, location => removeNamed(location, options, { outcome, alone }))
  }
  return outcome.end()
}

/** @param {string} name @param {unknown} value */
const isEmpty = (name, value) => name === 'filters' && Array.isArray(value) && value.length === 0

/** @param {[name: string, value: any]} option @param {string} advice */
function refused([name, value], advice) {
  return usage(`${flagsOf({ [name]: value })} cannot be used here.`, advice)
}

/** @param {string} location @throws {XferError} BAD_LOCATION if it names no key */
function checkObject(location) {
  const { key } = parsePlace(location, 'destination')
  if (key !== '') return
  const reason = 'it names no key'
  throw new XferError('BAD_LOCATION', { side: 'destination', location, reason, lacks: 'key', forms: 's3://bucket/key' })
}

/**
 * @param {string} location
 * @param {RemoveOptions} options
 * @param {{ outcome: RemovalOutcome, alone: boolean }} how alone: its failure is that of the call
 */
async function removeNamed(location, options, { outcome, alone }) {
  const { dryRun = false } = options
  const given = { versionId: options.versionId }
  const one = await openAsked({ name: 'remove', text: location, side: 'destination' }, options, given)
  try {
    const { store, key, versionId } = one.end
    const { cancel: signal } = one.run
    // A store confirms the deletion of an object that it does not have, so it is looked up first. Without the permission to
    // read it nobody knows whether it was there.
    const object = await headObject(one.end, signal).catch(cause => {
      const error = asXferError(cause)
      if (error.code !== 'ACCESS_DENIED' || dryRun) throw error
    })
    if (!dryRun) await store.remove({ key, versionId }, { signal })
    outcome.removed({ location: one.end.text, ...(object && { bytes: object.bytes }) })
  } catch (cause) {
    const error = asXferError(cause)
    if (alone || one.run.cancel?.aborted) throw error
    outcome.failed(one.end.text, error)
  } finally {
    await one.close()
  }
}

/**
 * Lists and counts what is below a prefix and passes the filters, asks, and deletes exactly these objects, whose names are
 * kept in a file. An object that is written meanwhile under another name stays.
 *
 * @param {string} location
 * @param {RemoveOptions} options checked
 * @param {RemovalOutcome} outcome
 * @throws {XferError} NOTHING_FOUND, NOT_CONFIRMED, TOO_MANY_DELETIONS; nothing was deleted then. The store's errors
 */
async function removePrefix(location, options, outcome) {
  // Loaded lazily, because most deletions are of objects that are named.
  const { createSpool, judgeNothing, readSelection, removeNames } = require('../many')
  const { dryRun = false, confirm, filters, newerThan, olderThan, minSize, maxSize } = options
  const one = await openAsked({ name: 'remove', text: location, side: 'destination', as: 'prefix' }, options)
  const spool = createSpool()
  const { store, key: prefix, text } = one.end
  const fail = (/** @type {string} */ name, /** @type {any} */ failure) => outcome.failed(text + name, failure)
  try {
    const { judge } = readSelection({ filters, newerThan, olderThan, minSize, maxSize }, { source: one.end })
    let listed = 0
    const found = { objects: 0, bytes: 0 }
    for await (const step of walk({ source: one.end, signal: one.run.cancel })) {
      for (const object of objectsOf(step)) {
        const name = object.key.slice(prefix.length)
        listed++
        if (judge({ name, source: object }).filtered) continue
        if (step.type === 'odd') {
          fail(name, new XferError('KEY_UNREADABLE', { ...store.facts, key: object.key }))
          continue
        }
        found.objects++
        found.bytes += object.bytes
        if (dryRun) outcome.removed({ location: text + name, bytes: object.bytes })
        else await spool.add(name)
      }
    }
    if (listed === 0) await judgeNothing({ source: one.end, run: one.run }, { removes: true })
    if (dryRun || found.objects === 0) return
    checkCount(options, { ...found, text })
    const asked = { location: text, ...found, whole: prefix === '' }
    if (confirm && !(await askHandler('confirm', confirm, asked))) {
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
 * @param {RemoveOptions} options
 * @param {{ objects: number, text: string }} found
 * @throws {XferError} TOO_MANY_DELETIONS
 */
function checkCount(options, { objects, text }) {
  const most = readerOf('rm', options)('maxDelete')
  if (most === undefined || objects <= most) return
  throw new XferError('TOO_MANY_DELETIONS', { destination: text, deletions: objects, most })
}

/** @typedef {ReturnType<typeof createOutcome>} RemovalOutcome */

/**
 * Counts and tells what becomes of each object.
 *
 * @param {RemoveOptions} options
 */
function createOutcome({ dryRun = false, onObject }) {
  const counts = { removed: 0, failed: 0 }
  /** @type {Array<{ name: string, code: string, message: string }>} */
  const first = []
  return {
    /** @param {Pick<RemovedObject, 'location' | 'bytes'>} object */
    removed(object) {
      counts.removed++
      onObject?.({ ...object, outcome: dryRun ? 'left' : 'removed' })
    },

    /** @param {string} location @param {{ code: import('../types').XferErrorCode, message: string }} error */
    failed(location, { code, message }) {
      counts.failed++
      if (first.length < MOST_TOLD) first.push({ name: location, code, message })
      onObject?.({ location, outcome: 'failed', error: { code, message } })
    },

    /** @returns {Removed} @throws {XferError} OBJECTS_FAILED */
    end() {
      const { removed, failed } = counts
      if (failed > 0) {
        const objects = { chosen: removed + failed, failed, deleted: removed }
        throw new XferError('OBJECTS_FAILED', { objects, verb: 'deleted', first })
      }
      return { objects: removed, ...(dryRun && { dryRun: /** @type {const} */ (true) }) }
    },
  }
}

module.exports = { remove }
