'use strict'

/** A job over a prefix with eyes on it: what it counts, tells every half second, and writes down of how far it is. */

const { createActivity, reportProgress } = require('../../progress')
const { createTally } = require('./tally')

/** @typedef {import('../../job/open').Job} Job */

/** What is done since is met again by another run, which sees that it is there: how often it is written down, of a job that is young, */
const KEEP_FIRST_MS = 500
/** and of one that is old; between these a tenth of its age. */
const KEEP_EVERY_MS = 5_000

/**
 * @param {Job} job
 * @param {{ startMs: number }} work
 */
function watchPrefix(job, { startMs }) {
  const tally = createTally({ startMs })
  const activity = createActivity()
  const report = reportProgress(job.run, { activity, at: tally.at })

  /** What the store copied by itself went through no engine. */
  function wayTold() {
    if (!job.asksServer) return { engine: job.engine.name }
    const byStore = tally.byStore()
    const engine = byStore > 0 || tally.counts.copied === 0 ? 'server' : job.engine.name
    return { engine, byStore }
  }

  return {
    tally,

    /** @type {import('../../job/open').Run['emit']} */
    emit(event) {
      activity.saw(event)
      job.run.emit(event)
    },

    counting: activity.counting,

    /**
     * Writes down, now and then, what is still to be done, and before anything is.
     *
     * @param {import('../../types').JobJournal} journal
     * @param {ReturnType<typeof import('../selection/cursors').createCursors>} cursors
     */
    async keep(journal, cursors) {
      const before = journal.state.prefix?.copied ?? { objects: 0, bytes: 0 }
      let written = ''
      const write = async () => {
        const { counts, bytes } = tally
        const copied = { objects: before.objects + counts.copied, bytes: before.bytes + bytes.copied }
        const ranges = cursors.ranges()
        const done = cursors.done()
        const text = JSON.stringify([ranges, copied, done])
        if (text === written) return
        written = text
        await journal.write({ type: 'ranges', ranges, copied, done })
      }
      /** @type {NodeJS.Timeout | undefined} */
      let keeper
      let ended = !journal.kept
      const keepOn = () => {
        if (ended) return
        const waitMs = Math.min(KEEP_EVERY_MS, Math.max(KEEP_FIRST_MS, (Date.now() - startMs) / 10))
        keeper = setTimeout(() => void write().then(keepOn), waitMs)
      }
      await write()
      keepOn()
      return {
        async end() {
          ended = true
          clearTimeout(keeper)
          await write()
        },
      }
    },

    /** @param {import('../selection/selection').Selection} selection @returns {import('../../types').PrefixSummary} */
    summary(selection) {
      const { source, destination, settings } = job
      const elapsedMs = Date.now() - startMs
      const { invocations, retried, throttled } = activity.counts()
      const bytes = settings.dryRun ? tally.bytes.chosen : tally.bytes.copied
      return {
        recursive: selection.mode,
        source: source.text,
        destination: destination.text,
        ...wayTold(),
        objects: tally.objects(),
        bytes,
        proof: tally.proofs,
        ...(tally.uncompared() > 0 && { uncompared: tally.uncompared() }),
        elapsedMs,
        bytesPerSecond:
          elapsedMs > 0 && !settings.dryRun ? Math.round(((bytes - tally.bytes.before) / elapsedMs) * 1000) : 0,
        invocations,
        retried,
        throttled,
        ...(settings.dryRun && { dryRun: /** @type {const} */ (true) }),
      }
    },

    tell: report.tell,

    end: report.stop,
  }
}

module.exports = { watchPrefix }
