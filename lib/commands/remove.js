'use strict'

/** `xfer rm`: deletes objects that are named, or everything below a prefix. */

const { askHandler, eachAtOnce, untilAborted, withHandler } = require('../async')
const { XferError, asXferError, usage } = require('../errors')
const { headObject, openAsked } = require('../job')
const { objectsOf, walk } = require('../listing')
const { notice } = require('../notices')
const { checkArguments, flagsOf, readerOf } = require('../options')
const { parsePlace, readPlaceId } = require('../stores')

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
  if (filters?.length && !filters.some(rule => 'exclude' in rule)) {
    const text = `${flagsOf({ filters })} leaves nothing out: an --include does nothing before the first --exclude.`
    throw usage(text, "To delete only what it matches, give --exclude '*' before it.")
  }
  const outcome = createOutcome(options)
  if (recursive) await removePrefixes(many, options, outcome)
  else {
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
 * Lists and counts what is below the prefixes and passes the filters, asks, and deletes exactly these objects. An object that is written
 * meanwhile under another name stays.
 *
 * @param {string[]} locations
 * @param {RemoveOptions} options checked
 * @param {RemovalOutcome} outcome
 * @throws {XferError} BAD_LOCATION, NOTHING_FOUND, NOT_CONFIRMED, TOO_MANY_DELETIONS; nothing was deleted then. The stores' errors
 */
async function removePrefixes(locations, options, outcome) {
  // Loaded lazily, because most deletions are of objects that are named.
  const { removeNames } = require('../many')
  const { dryRun = false, confirm } = options
  /** @type {import('../job/open-one').One[]} */
  const opened = []
  /** @type {Array<Awaited<ReturnType<typeof findBelow>>>} */
  const found = []
  try {
    for (const location of locations) {
      const asked = /** @type {const} */ ({ name: 'remove', text: location, side: 'destination', as: 'prefix' })
      opened.push(await openAsked(asked, options))
    }
    for (const one of opened.filter(isOutermost)) found.push(await findBelow(one, options, outcome))
    tellFilters(found)
    checkCount(options, found)
    const left = dryRun ? [] : found.filter(({ asked }) => asked.objects > 0)
    for (const { asked } of left) {
      if (!confirm || (await untilAborted(askHandler('confirm', confirm, asked), options.signal))) continue
      throw new XferError('NOT_CONFIRMED', { location: asked.location, objects: asked.objects })
    }
    for (const { one, spool, fail } of left) {
      const { text } = one.end
      const done = (/** @type {string} */ name) => outcome.removed({ location: text + name })
      await removeNames(one, { names: spool.names(), done, fail })
    }
  } finally {
    await Promise.allSettled([...found.map(({ spool }) => spool.close()), ...opened.map(one => one.close())])
  }
}

/** Whether it lies below no other one; of equal ones the first. @param {import('../job/open-one').One} one @param {number} i @param {import('../job/open-one').One[]} all */
function isOutermost({ end }, i, all) {
  const { host, container, key } = readPlaceId(end.place)
  return !all.some((other, j) => {
    const its = readPlaceId(other.end.place)
    const below = host === its.host && container === its.container && key.startsWith(its.key)
    return below && (key !== its.key || j < i)
  })
}

/**
 * What is to be deleted below a prefix; the names are kept in a file.
 *
 * @param {import('../job/open-one').One} one
 * @param {RemoveOptions} options
 * @param {RemovalOutcome} outcome gets what a dry run would delete, and names that cannot be read
 */
async function findBelow(one, options, outcome) {
  const { createSpool, judgeNothing, readSelection } = require('../many')
  const { dryRun = false, filters, newerThan, olderThan, minSize, maxSize } = options
  const spool = createSpool()
  const { store, key: prefix, text } = one.end
  const fail = (/** @type {string} */ name, /** @type {any} */ failure) => outcome.failed(text + name, failure)
  try {
    const selection = readSelection({ filters, newerThan, olderThan, minSize, maxSize }, { source: one.end })
    const counts = { listed: 0, filtered: 0 }
    const asked = { location: text, objects: 0, bytes: 0, whole: prefix === '' }
    for await (const step of walk({ source: one.end, signal: one.run.cancel })) {
      for (const object of objectsOf(step)) {
        const name = object.key.slice(prefix.length)
        counts.listed++
        if (selection.judge({ name, source: object }).filtered) {
          counts.filtered++
          continue
        }
        if (step.type === 'odd') {
          fail(name, new XferError('KEY_UNREADABLE', { ...store.facts, key: object.key }))
          continue
        }
        asked.objects++
        asked.bytes += object.bytes
        if (dryRun) outcome.removed({ location: text + name, bytes: object.bytes })
        else await spool.add(name)
      }
    }
    if (counts.listed === 0) await judgeNothing({ source: one.end, run: one.run }, { removes: true })
    return { one, spool, asked, fail, selection, counts }
  } catch (error) {
    await spool.close()
    throw error
  }
}

/** Tells filters that do nothing below any of the prefixes. @param {Array<Awaited<ReturnType<typeof findBelow>>>} found */
function tellFilters(found) {
  const { tellLeftOut, tellUnmatched } = require('../many')
  const [{ one, selection }] = found
  if (selection.includesFirst) one.run.emit(notice('INCLUDE_ALONE'))
  const [first, ...others] = found.map(({ selection }) => selection.unmatched())
  tellUnmatched(
    one.run,
    first.filter(({ rule }) => others.every(rules => rules.some(other => other.rule === rule))),
  )
  for (const { one, counts } of found) tellLeftOut({ source: one.end, run: one.run }, counts)
}

/**
 * @param {RemoveOptions} options
 * @param {Array<{ asked: { objects: number, location: string } }>} found
 * @throws {XferError} TOO_MANY_DELETIONS
 */
function checkCount(options, found) {
  const most = readerOf('rm', options)('maxDelete')
  const deletions = found.reduce((sum, { asked }) => sum + asked.objects, 0)
  if (most === undefined || deletions <= most) return
  const destination = found.map(({ asked }) => asked.location).join(' and ')
  throw new XferError('TOO_MANY_DELETIONS', { destination, deletions, most })
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
