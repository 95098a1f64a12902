'use strict'

/** From the listing to the copies: judges each pair of objects, and starts the copies as there is room. */

const { XferError, asXferError, throwIfAborted } = require('../errors')
const { notice } = require('../notices')
const { inBatches } = require('../async')
const { look } = require('../destination')
const { skipOf } = require('./report')

/** @typedef {(pair: import('../types').Pair) => import('./selection').Verdict} Judge */
/** Pairs of `--files-from`, which belong to no range. @typedef {{ type: 'pairs', range: undefined, pairs: import('../types').Pair[], through: undefined }} Named */
/** Pairs of `--manifest`. @typedef {{ type: 'pairs', range: number, pairs: import('./rows').RowPair[], through: string }} Rows */

/**
 * @param {object} flow
 * @param {AsyncIterable<import('../types').WalkStep | Named | Rows>} flow.steps
 * @param {Judge} flow.judge
 * @param {ReturnType<typeof import('./objects').createObjects>} flow.objects
 * @param {ReturnType<typeof import('./deletions').createDeletions>} flow.deletions
 * @param {Awaited<ReturnType<typeof import('./keys').createFolding>>} flow.folding
 * @param {ReturnType<typeof import('./resumed').createCursors>} flow.cursors
 * @param {ReturnType<typeof import('./tally').createTally>} flow.tally
 * @param {Pick<ReturnType<typeof import('./report').createInOrder<import('../types').JobEvent>>, 'room' | 'emit'>} flow.inOrder
 * @param {boolean} [flow.dryRun] it tells each object of the source that is skipped
 * @param {AbortSignal} flow.cancel no new object starts
 * @param {import('../types').ManifestWriter} [flow.manifestOut]
 */
async function flow({
  steps,
  judge,
  objects,
  deletions,
  folding,
  cursors,
  tally,
  inOrder,
  dryRun,
  cancel,
  manifestOut,
}) {
  for await (const step of steps) {
    throwIfAborted(cancel)
    if (step.type === 'odd') {
      if (step.side === 'destination') deletions.sawOdd()
      else if (!judge({ name: step.name, source: step.object }).counted) objects.odd(step)
    } else if (step.type === 'split') {
      cursors.split(step.range, step.until)
      cursors.add(step.into)
    } else if (step.type === 'end') {
      cursors.end(step.range)
      deletions.ended(step)
    } else {
      for (const pair of /** @type {Array<import('../types').Pair & Partial<import('./rows').RowPair>>} */ (
        step.pairs
      )) {
        const room = inOrder.room()
        if (room) await room
        /** What the cursor of the range goes by. */
        const { at = pair.name } = pair
        if (pair.error && step.range !== undefined) {
          cursors.begin(step.range, at)(objects.missing(pair.name, pair.error))
          throwIfAborted(cancel)
          continue
        }
        const verdict = judge(pair)
        if (verdict.counted) {
          if (step.range !== undefined) cursors.counted(step.range)
          continue
        }
        if (pair.source) tally.listed(pair.source.bytes)
        deletions.saw(pair, verdict)
        const clashes = pair.source && !verdict.filtered && folding.clashes(pair.name)
        const as = clashes || verdict.action !== 'skip' ? undefined : verdict.filtered ? 'filtered' : 'skipped'
        if (pair.source && step.range !== undefined) cursors.counted(step.range, verdict.earlier ? undefined : as)
        if (as) {
          if (!pair.source) continue
          tally.left(verdict.earlier ? 'earlier' : as, pair.source.bytes)
          if (as === 'skipped') manifestOut?.skipped(pair, verdict.earlier ? 'earlier' : verdict.why)
          if (dryRun)
            inOrder.emit(skipOf(pair, verdict.earlier ? 'earlier' : verdict.filtered ? 'filtered' : verdict.why))
        } else if (verdict.action === 'delete') await deletions.note(pair.name, pair.destination)
        else {
          const { source } = pair
          const over = step.range === undefined ? () => {} : cursors.begin(step.range, at)
          if (source && clashes) objects.folded({ ...pair, source }, over)
          else if (source) await objects.begin({ ...pair, source }, verdict, over)
          throwIfAborted(cancel)
        }
      }
      if (step.range !== undefined) cursors.gave(step.range, step.through)
    }
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
    if (pair.name !== '' || pair.source?.bytes !== 0 || verdict.filtered || verdict.counted) return verdict
    run.emit(notice('FOLDER_MARKER_SKIPPED', { location: source.text }))
    return { action: 'skip', why: 'folder' }
  }
}

/** `--files-from`: the objects that a file names. Each is looked up by HEAD; nothing is listed. */

/** Objects looked up at once. */
const AT_ONCE = 64

/** @typedef {import('../types').ListedObject} ListedObject */
/** @typedef {{ name: string, source: ListedObject, destination?: ListedObject }} NamedPair */

/**
 * Makes steps as `walk` does, but without ranges: the names come in any order.
 *
 * @param {object} how
 * @param {import('../job/open').Job} how.job
 * @param {AsyncIterable<string> | Iterable<string>} how.names
 * @param {boolean} how.compares whether to look up the destination's objects too
 * @param {(name: string, error: import('../types').XferError) => void} how.missing called for each object that cannot be looked up
 * @returns {AsyncGenerator<{ type: 'pairs', range: undefined, pairs: NamedPair[], through: undefined }>}
 */
async function* namedSteps({ job, names, compares, missing }) {
  const { source, destination } = job
  const { cancel: signal } = job.run
  /** @param {string} name @returns {Promise<NamedPair>} */
  async function ask(name) {
    const [from, to] = await Promise.all([
      source.store.head(source.key + name, { signal }),
      compares ? look({ store: destination.store, key: destination.key + name }, signal) : undefined,
    ])
    const there = to?.object && { destination: { key: destination.key + name, ...to.object } }
    return { name, source: { key: source.key + name, ...from }, ...there }
  }

  for await (const batch of inBatches(names, AT_ONCE)) {
    const found = await Promise.allSettled(batch.map(ask))
    /** @type {NamedPair[]} */
    const pairs = []
    found.forEach((one, i) => {
      if (one.status === 'fulfilled') pairs.push(one.value)
      else missing(batch[i], withAdvice(batch[i], asXferError(one.reason)))
    })
    if (pairs.length > 0) yield { type: 'pairs', range: undefined, pairs, through: undefined }
  }
}

/** Says that names are relative, if this one looks like a location. @param {string} name @param {import('../types').XferError} error */
function withAdvice(name, error) {
  if (error.code !== 'NO_SUCH_KEY' || !/^(?:[a-z][a-z0-9+.-]*:\/)?\//i.test(name)) return error
  return new XferError('NO_SUCH_KEY', { ...error.facts, absolute: true }, { cause: error })
}

module.exports = { flow, skipFolderMarker, namedSteps }
