'use strict'

/**
 * The copy of a prefix: list both sides → judge each pair of objects → copy the chosen ones → delete what the source does
 * not have. Listing, judging and copying run at the same time, with a limited number of objects in flight.
 */

const { asXferError } = require('../errors')
const { contextOf } = require('../job')
const { lazily } = require('../lazily')
const { walk } = require('../listing')
const { createSpool, namesIn, readNames } = require('./select')
const { notice } = require('../notices')
const { createCursors, readResumed } = require('./resumed')
const { judgeFilters, judgeNothing, readSelection, checkFiles, checkResumed, prepareOptions } = require('./selection')
const { tellLeftOut, tellUnmatched } = require('./selection')
const { flow, skipFolderMarker } = require('./flow')
const { createDeletions, removeNames } = require('./deletions')
const { announce, createAhead, createFailures, watchPrefix } = require('./report')
const { createBelow, createFolding, createTable } = require('./keys')
const { createObjects } = require('./objects')
const { createWays } = require('./writers')

/** @typedef {import('../types').JobWish} JobWish */
/** @typedef {import('../types').PrefixSummary} PrefixSummary */
/** @typedef {import('../job/open').Job} Job */

/**
 * Copies the objects below a prefix, or resumes their copy.
 *
 * @param {Job} job with its journal, which may be that of an earlier run
 * @param {JobWish} options
 * @returns {Promise<PrefixSummary>} resolves once every chosen object is at the destination
 * @throws {import('../types').XferError} OBJECTS_FAILED if some are not; any error that ends a job
 */
async function copyObjects(job, options) {
  const startMs = Date.now()
  const watch = watchPrefix(job, { startMs })
  const { state } = job.run.journal
  const { prefix: earlier } = state
  const begun = earlier?.ranges !== undefined || (earlier?.objects.size ?? 0) > 0
  try {
    // Ages count from the start of the job, or of its last look at everything: an object that was seven days old then is
    // still chosen.
    const now = () => state.prefix?.agesFromMs ?? state.createdMs ?? startMs
    return await runWatched(job, options, readSelection(options, { ...job, now }), watch)
  } catch (error) {
    // A job that failed before it found an object has nothing to resume.
    // In a state somebody else may go on with it: its end decides.
    const ends = !begun && watch.tally.counts.listed === 0 && job.run.journal.stateAt === undefined
    if (ends) await job.run.journal.over(undefined, asXferError(error).code)
    throw error
  } finally {
    watch.stop()
  }
}

/**
 * @param {Job} job
 * @param {JobWish} options
 * @param {import('./selection').Selection} selection
 * @param {ReturnType<typeof watchPrefix>} watch
 * @returns {Promise<PrefixSummary>}
 */
async function runWatched(job, options, selection, watch) {
  const { source, destination, engine, run } = job
  const { journal, emit, end } = run
  const { state } = journal
  const cancel = /** @type {AbortSignal} */ (run.cancel)
  const { dryRun, move } = job.settings
  const { tally } = watch
  const ways = createWays(job, watch)
  const server = job.asksServer ? await ways.server() : undefined
  const way = server ?? (await ways.engine())
  announce(way.job, selection, way, {
    recursive: selection.mode,
    dryRun,
    ...(move && { move: true }),
    ...(journal.kept && { job: journal.state.id }),
  })
  const failures = createFailures({ job, selection, tally, failure: ways.failure })
  const folding = await createFolding(job)
  if (journal.goesOn && !dryRun) {
    await destination.store.leftovers?.sweep(destination.key, { signal: cancel })
  }
  const deletions = createDeletions(job, selection, { tally, folding })
  const goesOn = journal.state.prefix?.ranges !== undefined
  const compares = selection.compares || ((goesOn || move) && (await mayCompare(job)))
  const earlierRuns = readResumed(job, selection.judge, { compares, folds: folding.foldsAtAll })
  const { judge, ranges, resumed } = earlierRuns
  const all = [...ranges.open, ...ranges.done]
  const cursors = createCursors(all)
  const { manifestOut } = run
  // The ranges of a manifest that is copied are of its rows, and tell nothing of names.
  const isOpen = (/** @type {string} */ name) => selection.manifest !== undefined || !earlierRuns.isDone(name)
  await manifestOut?.begin(isOpen, error => end(error), earlierRuns.doneMsThere)
  const endKeeping = await watch.keep(journal, cursors)
  /** Runs once the copies make the listing wait. @type {ReturnType<typeof createAhead> | undefined} */
  let ahead
  const objects = createObjects({
    selection,
    ways,
    server,
    failures,
    tally,
    job: contextOf(job, { engine, run }),
    concurrency: way.concurrency,
    onWait: () => ahead?.start(),
  })
  const { filesFrom, nul } = selection
  const steps = selection.manifest
    ? require('./named').rowSteps({ job, options, selection, ranges: all, compares })
    : filesFrom
      ? require('./named').namedSteps({ job, names: readNames(filesFrom, { nul }), compares })
      : walkInTurn([ranges.open, ranges.done], {
          source,
          destination: compares ? destination : undefined,
          // One list after the other gives the names in order.
          lists: dryRun ? 1 : undefined,
          skips: selection.skips,
          signal: cancel,
        })
  const below = createBelow(job, all, { ordered: !selection.manifest && !filesFrom, signal: cancel })
  const flowing = { objects, deletions, folding, below, cursors, tally, deletes: selection.deletes, dryRun, cancel }
  try {
    // In a dry run without comparisons this is the only request to the destination.
    if (dryRun && !compares) await mayList(destination, cancel)
    // A file of names is not read twice.
    if (!filesFrom) {
      /** What is filtered out does not count. @param {import('../types').Pair} pair as the source lists it */
      const sizeOf = pair => {
        const { filtered } = judge(pair)
        return filtered ? undefined : pair.source?.bytes
      }
      const ranges = state.within && [state.within]
      ahead = createAhead({ source, skips: selection.skips, ranges }, sizeOf, Object.assign(tally.ahead, tally.seen()))
    }
    await flow(steps, skipFolderMarker(judge, job), flowing)
    await ahead?.end()
    tally.listingEnded()
    for (const { store } of [source, destination]) for (const one of store.notices?.() ?? []) emit(one)
    await objects.ended()
    const { held } = objects
    await held?.sort(deletions.names())
    if (held) await objects.ended()
    const { listed, failed } = tally.counts
    const unmatched = judgeFilters(job, selection, tally.counts)
    if (!dryRun && journal.state.prefix?.objects.size) {
      await require('./large')
        .abortStaleUploads(job)
        .catch(error => {
          failures.check()
          throw error
        })
    }
    if (failed > 0) held?.fail()
    if (failed > 0 && deletions.noted() > 0) emit(notice('NOTHING_DELETED'))
    failures.check()
    // A resumed move may have moved everything already.
    const finished = (move && resumed) || state.within !== undefined
    if (listed + failed === 0 && !finished) await judgeNothing(job, selection, tally.objects())
    await deletions.run(cancel).catch(cause => {
      held?.fail()
      throw Object.assign(cause, { facts: { ...cause.facts, objects: tally.objects() } })
    })
    await held?.write()
    if (held) await objects.ended()
    failures.check()
    if (dryRun) run.usage.plan(job, { ...objects.planned, prefix: true, deleted: tally.counts.deleted })
    return watch.summary(selection, unmatched)
  } catch (error) {
    end(error)
    await objects.ended()
    throw failures.reason() ?? asXferError(error)
  } finally {
    try {
      await ahead?.end()
      await ways.end()
      await endKeeping()
    } finally {
      failures.close()
      await deletions.close()
    }
    const { newer } = tally
    if (newer.objects > 0) emit(notice('NEWER_REPLACED', { ...newer, location: destination.text, dryRun }))
    watch.tell()
    await ways.settle()
  }
}

/**
 * Walks groups of ranges, one group after the other.
 *
 * @param {Array<import('../types').NameRange[]>} groups
 * @param {Omit<import('../types').WalkOptions, 'ranges'>} places
 */
async function* walkInTurn(groups, places) {
  for (const ranges of groups) if (ranges.length > 0) yield* walk({ ...places, ranges })
}

/**
 * A copy does not need permission to list the destination, but its bucket must exist.
 *
 * @param {Job['destination']} destination
 * @param {AbortSignal} signal
 * @returns {Promise<boolean>}
 */
async function mayList({ store, key: prefix }, signal) {
  if (!store.list) return false
  try {
    await store.list({ prefix, most: 1 }, { signal })
    return true
  } catch (cause) {
    if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    return false
  }
}

/** For a resumed job: without permission to list, it cannot see all that earlier runs have copied. @param {Job} job */
async function mayCompare({ destination, run: { cancel, emit } }) {
  const may = await mayList(destination, /** @type {AbortSignal} */ (cancel))
  if (!may) emit(notice('DESTINATION_NOT_LISTED', { location: destination.text }))
  return may
}

const own = {
  checkFiles,
  checkResumed,
  copyObjects,
  createSpool,
  createTable,
  judgeNothing,
  namesIn,
  prepareOptions,
  readSelection,
  removeNames,
  tellLeftOut,
  tellUnmatched,
}

// Most copies need neither.
module.exports = /** @type {typeof own & typeof import('./verify') & typeof import('./split')} */ (
  lazily(own, [
    [() => require('./verify'), ['compareObjects']],
    [() => require('./split'), ['splitNames']],
  ])
)
