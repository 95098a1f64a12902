'use strict'

/** From the listing to the copies: judges each pair of objects, and starts the copies as the limits allow. */

const { abortReason } = require('../errors')
const { notice } = require('../notices')

/** @typedef {(pair: import('../types').Pair) => import('../types').Verdict} Judge */
/** Pairs that files name; through, range: absent where they belong to no range. @typedef {{ type: 'pairs', range: number | undefined, pairs: import('./named').NamedPair[], through: string | undefined }} Named */

/**
 * @param {AsyncIterable<import('../types').WalkStep | Named>} steps
 * @param {Judge} judge
 * @param {object} to
 * @param {ReturnType<typeof import('./objects').createObjects>} to.objects
 * @param {ReturnType<typeof import('./deletions').createDeletions>} to.deletions
 * @param {Awaited<ReturnType<typeof import('./keys').createFolding>>} to.folding
 * @param {ReturnType<typeof import('./keys').createBelow>} to.below
 * @param {ReturnType<typeof import('./resumed').createCursors>} to.cursors
 * @param {ReturnType<typeof import('./tally').createTally>} to.tally
 * @param {boolean} to.deletes what the source does not have
 * @param {boolean} [to.dryRun]
 * @param {AbortSignal} to.cancel no new object starts
 */
async function flow(steps, judge, { objects, deletions, folding, below, cursors, tally, deletes, dryRun, cancel }) {
  for await (const step of steps) {
    if (cancel.aborted) throw abortReason(cancel)
    if (step.type === 'odd') {
      if (step.side === 'destination') deletions.sawOdd()
      else objects.odd(step)
    } else if (step.type === 'split') {
      cursors.split(step)
      below.split(step)
    } else if (step.type === 'end') {
      cursors.end(step.range)
      deletions.ended(step)
    } else {
      const pairs = /** @type {import('./named').NamedPair[]} */ (step.pairs)
      const watches = below.isNeeded()
      const verdicts = dryRun ? await Promise.all(pairs.map(judgeAll)) : undefined
      for (let i = 0; i < pairs.length; i++) {
        const begun = take(step.range, pairs[i], watches, verdicts?.[i])
        if (begun) await begun
        if (cancel.aborted) throw abortReason(cancel)
      }
      cursors.gave(step.range, step.through)
    }
  }

  /** A dry run tells what it finds in order, so all pairs of a step are compared first. @param {import('./named').NamedPair} pair */
  async function judgeAll(pair) {
    const verdict = judge(pair)
    if (pair.error || verdict.action !== 'compare') return verdict
    return await objects.compared(/** @type {import('./objects').ChosenPair} */ (pair), verdict)
  }

  /**
   * @param {number | undefined} range
   * @param {import('./named').NamedPair} pair
   * @param {boolean} watches whether names below an object matter
   * @param {import('../types').Verdict} [judged]
   * @returns {Promise<void> | void} absent: the next one need not wait
   */
  function take(range, pair, watches, judged) {
    const { name, at = name, source, destination, error } = pair
    if (error) return cursors.begin(range, at)(objects.missing(name, error))
    const verdict = judged ?? judge(pair)
    if (source) tally.listed(source.bytes)
    if (deletes) deletions.saw(pair, verdict)
    const { action, filtered, earlier } = verdict
    const askAbove = watches && (destination || !filtered) ? below.saw(range, name) : undefined
    const clashes = folding.foldsAtAll && source && !filtered && folding.clashes(name)
    const left = clashes || action !== 'skip' ? undefined : filtered ? 'filtered' : earlier ? 'earlier' : 'skipped'
    if (action === 'delete') {
      // A folder's mark is all that the source has of that name.
      if (source) tally.left('skipped', source.bytes)
      return deletions.note(name, destination)
    }
    if (!source) return
    const found = /** @type {import('./objects').ChosenPair} */ (pair)
    if (left) return objects.leave(found, left === 'skipped' ? verdict.why : left, left)
    const over = cursors.begin(range, at)
    return clashes
      ? objects.folded(found, over)
      : objects.begin(found, askAbove ? { ...verdict, askAbove } : verdict, over)
  }
}

/**
 * An empty object whose key is the prefix itself: consoles create `photos/` to show a folder. Below the root of a bucket
 * its copy would have no key, so it is skipped there. An object of that key that has bytes fails: they would be lost.
 *
 * @param {Judge} judge
 * @param {Pick<import('../job/open').Job, 'source' | 'destination' | 'run'>} job of the prefix
 * @returns {Judge}
 */
function skipFolderMarker(judge, { source, destination, run }) {
  if (destination.key !== '') return judge
  return pair => {
    const verdict = judge(pair)
    if (pair.name !== '' || pair.source?.bytes !== 0 || verdict.filtered) return verdict
    run.emit(notice('FOLDER_MARKER_SKIPPED', { location: source.text }))
    return { action: 'skip', why: 'folder' }
  }
}

module.exports = { flow, skipFolderMarker }
