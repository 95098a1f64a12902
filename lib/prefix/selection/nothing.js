'use strict'

/** Nothing was found, or filters left nothing, which is mostly a mistake: the user is told what was perhaps meant. */

const { XferError } = require('../../errors')
const { notice } = require('../../notices')
const { flagsOf } = require('../../options')

/** @typedef {import('../../select/filter').Rule} Rule */

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @param {Pick<import('./selection').Selection, 'filesFrom' | 'deletes'>} selection
 * @param {import('../../types').ObjectCounts} [objects] for the error
 * @throws {XferError} NOTHING_FOUND
 */
async function judgeNothing({ source, destination, run }, { filesFrom, deletes }, objects) {
  if (filesFrom !== undefined) return run.emit(notice('NOTHING_FOUND', { filesFrom }))
  const places = { source: source.text, destination: destination.text }
  throw new XferError('NOTHING_FOUND', { ...places, deletes, objects, ...(await insteadOf(source, run.cancel)) })
}

/**
 * Names the filters that matched nothing, and says if they left nothing. To be called when every name was judged by this run.
 *
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job of the prefix
 * @param {Pick<import('./selection').Selection, 'filesFrom' | 'unmatched'>} selection
 * @param {{ listed: number, filtered: number, failed: number }} counts
 * @returns {Rule[]} the filters that matched no name
 */
function judgeFilters({ source, run: { emit } }, { filesFrom, unmatched }, { listed, filtered, failed }) {
  // A name of --files-from that failed to be looked up was not judged.
  if (listed === 0 || (filesFrom !== undefined && failed > 0)) return []
  const found = unmatched()
  if (found.length > 0) {
    const meant = found.flatMap(({ meant }) => (meant ? [flagOfRule(meant)] : []))
    emit(notice('FILTERS_UNMATCHED', { filters: found.map(({ rule }) => flagOfRule(rule)), meant }))
  }
  if (filtered === listed) emit(notice('NOTHING_FOUND', { location: source.text, objects: listed }))
  return found.map(({ rule }) => rule)
}

/** @param {Rule} rule */
const flagOfRule = rule => flagsOf({ filters: [rule] })

/**
 * What was perhaps meant.
 *
 * @param {import('../../job/open').Job['source']} source
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ object?: string, pattern?: true }>} object: the location of the object of that key; pattern: the
 *   prefix looks like one
 */
async function insteadOf({ store, key, text }, signal) {
  const object = key.slice(0, -1)
  const found = object !== '' && (await store.head(object, { signal }).catch(() => undefined))
  if (found) return { object: text.slice(0, -1) }
  return /[*?[]/.test(key) ? { pattern: true } : {}
}

module.exports = { judgeFilters, judgeNothing }
