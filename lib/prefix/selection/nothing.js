'use strict'

/** Nothing was found, or filters left nothing, which is mostly a mistake: the user is told what was perhaps meant. */

const { XferError } = require('../../errors')
const { notice } = require('../../notices')
const { flagsOf } = require('../../options')

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job of the prefix
 * @param {Pick<import('./selection').Selection, 'mode' | 'filesFrom' | 'allowEmptySource' | 'deletes'>} selection
 * @throws {XferError} NOTHING_TO_COPY, of a copy
 */
async function judgeNothing(job, { mode, filesFrom, allowEmptySource, deletes }) {
  const { source } = job
  const { emit } = job.run
  if (filesFrom !== undefined) return emit(notice('NO_NAMES', { filesFrom }))
  const { other, pattern } = await insteadOf(job)
  if (mode === 'copy' && !allowEmptySource) {
    const advice = other && `There, ${other}.`
    throw new XferError('NOTHING_TO_COPY', { source: source.text, ...(other && { advice, pattern }) })
  }
  // If the deletions are refused as well, their error says that nothing was found.
  const refused = deletes && !allowEmptySource
  if (!refused || other) emit(notice('NOTHING_FOUND', { location: source.text, instead: other }))
}

/**
 * Names the filters that matched nothing, and says if they left nothing. To be called when every name was judged by this run.
 *
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job of the prefix
 * @param {Pick<import('./selection').Selection, 'filesFrom' | 'unmatched'>} selection
 * @param {{ listed: number, filtered: number, failed: number }} counts
 * @returns {import('../../select/filter').Rule[]} the filters that matched no name
 */
function judgeFilters({ source, run: { emit } }, { filesFrom, unmatched }, { listed, filtered, failed }) {
  // A name of --files-from that failed to be looked up was not judged.
  if (listed === 0 || (filesFrom !== undefined && failed > 0)) return []
  const rules = unmatched()
  if (rules.length > 0) emit(notice('FILTERS_UNMATCHED', { filters: rules.map(rule => flagsOf({ filters: [rule] })) }))
  if (filtered === listed) emit(notice('FILTERS_LEFT_NOTHING', { location: source.text, objects: listed }))
  return rules
}

/**
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} job
 * @returns {Promise<{ other?: string, pattern?: true }>} other: a clause that says what was perhaps meant; pattern: that was
 *   a pattern
 */
async function insteadOf({ source: { store, key, text }, run: { cancel: signal } }) {
  const object = key.slice(0, -1)
  const found = object !== '' && (await store.head(object, { signal }).catch(() => undefined))
  if (found) return { other: `${text.slice(0, -1)} is an object: copy it by itself, by xfer copy without -r` }
  if (!/[*?[]/.test(key)) return {}
  return { other: 'a key is taken as it is written, and patterns are for --include', pattern: true }
}

module.exports = { judgeFilters, judgeNothing }
