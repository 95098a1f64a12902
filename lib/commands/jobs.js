'use strict'

/** The jobs that are not finished, and those that a state remembers: `xfer jobs` lists them, `attach` watches one, `stop` asks it to stop. */

const { isDeepStrictEqual } = require('node:util')
const { pause, withHandler } = require('../async')
const { startRunner } = require('../engines')
const { XferError, asXferError } = require('../errors')
const { openState, withRanges } = require('../job')
const { ignoreGone, lifeOf, openJournals } = require('../journal')
const { joinTold } = require('../notices')
const { checkArguments } = require('../options')

/** @typedef {import('../types').JobReport} JobReport */

/**
 * The unfinished jobs, including those that are running.
 *
 * @param {import('../types').JobsOptions} [options]
 * @returns {Promise<JobReport[]>} newest first
 * @throws {import('../types').XferError} BAD_JOURNAL where the folder cannot be read
 */
async function jobs(options = {}) {
  checkArguments('jobs', {}, options)
  return await withJournals(options, async journals => {
    const tell = await reporter(options)
    const oldestMs = Date.now() - KEPT_MS
    const isOld = (/** @type {import('../types').ListedJob} */ job) =>
      job.problem === undefined && job.over !== undefined && job.over.atMs < oldestMs
    const all = (await journals.list()).filter(job => !isOld(job))
    return await Promise.all(
      all.map(async job => {
        const told = tell(job)
        return { ...told, ...(isForsaken(job, told) && (await callRunner(told, options))) }
      }),
    )
  })
}

/** A runner begins within seconds, and an owner writes every thirty. */
const QUIET_MS = 60_000

/** Whether a job waits for a runner that does not come: the platform has lost a call, or refused one. @param {import('../types').ListedJob} job @param {JobReport} told of it */
function isForsaken(job, { runner, state }) {
  if (!runner || state !== 'waiting') return false
  const silent = withRanges(job).flatMap(one =>
    one.problem === undefined ? [one.silentMs ?? Date.now() - one.updatedMs] : [],
  )
  return Math.min(...silent) > QUIET_MS
}

/**
 * Calls the runner of a job again. Two runs at once are harmless: one has the job.
 *
 * @param {JobReport} job
 * @param {{ state?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Pick<JobReport, 'restarted' | 'runnerError'>>}
 */
async function callRunner({ id, runner, ranges = [] }, { state, env = process.env }) {
  const waiting = ranges.filter(range => range.state === 'waiting').length
  try {
    const found = /** @type {NonNullable<typeof runner>} */ (runner)
    await startRunner(found, { state: state ?? env.XFER_STATE ?? '', job: id }, { env, count: waiting })
    return { restarted: true }
  } catch (cause) {
    return { runnerError: asXferError(cause).message }
  }
}

/**
 * @param {Pick<import('../types').JobsOptions, 'cost' | 'prices'>} options
 * @returns {Promise<typeof report>} with what its functions cost, if that is asked
 * @throws {XferError} USAGE
 */
async function reporter({ cost, prices: path }) {
  if (!cost) return report
  const { costOfRunner, readPrices } = require('../cost')
  const prices = await readPrices(path)
  return job => {
    const told = report(job)
    if (job.problem !== undefined || !job.runner || !told.runner) return told
    const cost = costOfRunner({ ...told.runner, provider: job.runner.provider }, prices)
    return { ...told, runner: { ...told.runner, cost } }
  }
}

/** How long a job that is over is told. */
const KEPT_MS = 30 * 24 * 60 * 60_000

/**
 * @template T
 * @param {{ state?: string, env?: NodeJS.ProcessEnv }} options
 * @param {(journals: import('../types').Journals, place?: import('../types').JournalPlace) => Promise<T>} use place: of a state
 * @returns {Promise<T>}
 */
async function withJournals(options, use) {
  const { place, close } = await openState(options)
  try {
    return await use(openJournals({ env: options.env ?? process.env, place }), place)
  } finally {
    await close()
  }
}

/** @param {import('../types').ListedJob} job @returns {JobReport} */
function report(job) {
  const { id, path } = job
  if (job.problem !== undefined) return { id, path, state: 'damaged', problem: job.problem }
  const own = reportOne(job)
  return job.ranges ? sumOf(own, job.ranges) : own
}

/** What all of them have told, if anything. @param {Array<Pick<JobReport, 'notices' | 'failures'>>} all @returns {Pick<JobReport, 'notices' | 'failures'>} */
function toldBy(all) {
  const told = all.map(({ notices = [], failures = [] }) => ({ notices, failures }))
  const { notices, failures } = joinTold(told)
  return { ...(notices.length > 0 && { notices }), ...(failures.length > 0 && { failures }) }
}

/**
 * A job that is split does what its ranges do, and has copied what they have.
 *
 * @param {JobReport} own
 * @param {Array<import('../types').ListedJob | undefined>} listed
 * @returns {JobReport}
 */
function sumOf(own, listed) {
  const ranges = listed.flatMap(job => (job ? [report(job)] : []))
  const sum = (/** @type {(range: JobReport) => number | undefined} */ of) =>
    ranges.reduce((all, range) => all + (of(range) ?? 0), 0)
  const has = (/** @type {JobReport['state'][]} */ ...states) => ranges.some(({ state }) => states.includes(state))
  const isOver = ranges.length === listed.length && !has('running', 'waiting', 'stopped', 'damaged')
  const stopped = ranges.filter(({ state }) => state === 'stopped' || state === 'damaged')
  return {
    ...own,
    ...(own.state !== 'running' && {
      state: has('running') ? 'running' : own.ended ? 'stopped' : has('waiting') || isOver ? 'waiting' : 'stopped',
    }),
    updatedMs: Math.max(own.updatedMs ?? 0, ...ranges.map(({ updatedMs = 0 }) => updatedMs)),
    ...(own.runner && {
      runner: {
        ...own.runner,
        runs: own.runner.runs + sum(({ runner }) => runner?.runs),
        gbSeconds: own.runner.gbSeconds + sum(({ runner }) => runner?.gbSeconds),
        calls: own.runner.calls + sum(({ runner }) => runner?.calls),
        functionGbSeconds: own.runner.functionGbSeconds + sum(({ runner }) => runner?.functionGbSeconds),
      },
    }),
    copied: { objects: sum(({ copied }) => copied?.objects), bytes: sum(({ copied }) => copied?.bytes) },
    bytesDone: sum(({ bytesDone }) => bytesDone),
    partsDone: sum(({ partsDone }) => partsDone),
    ...(stopped[0]?.ended && { ended: stopped[0].ended }),
    ...toldBy([own, ...ranges]),
    ranges,
  }
}

/** @param {Exclude<import('../types').ListedJob, { problem: string }>} job @returns {JobReport} */
function reportOne(job) {
  const { id, path } = job
  const { running, owner, over, source, destination, createdMs, updatedMs, object, plan, upload, options, prefix } = job
  // A run that was about to end may not have come to its end, as after a second Ctrl-C.
  const ended = over ? endedBy(over) : (job.ended ?? job.ending)
  const done = progressOf(job)
  const isDone = over !== undefined && over.code === undefined
  return {
    id,
    path,
    state: over
      ? over.code === undefined
        ? 'done'
        : 'failed'
      : running
        ? 'running'
        : job.waiting || (job.runner && owner && !job.ended)
          ? 'waiting'
          : 'stopped',
    ...(owner && { owner: { pid: owner.pid, host: owner.host } }),
    source: source.typed ?? source.text,
    destination: destination.typed ?? destination.text,
    createdMs,
    updatedMs,
    ...(options.recursive && { recursive: options.recursive, copied: prefix?.copied ?? { objects: 0, bytes: 0 } }),
    ...(object && { bytes: object.bytes }),
    ...(plan && { parts: plan.parts }),
    // A job that is done keeps no parts.
    bytesDone: isDone ? (object?.bytes ?? 0) : done.bytes,
    partsDone: isDone ? (plan?.parts ?? 0) : done.parts,
    ...(upload && { uploadId: upload.id }),
    ...(job.runner && { runner: useOf(job.runner) }),
    ...(job.proof && { proof: job.proof }),
    ...toldBy(job.told ? [job.told] : []),
    ...(ended && !running && !job.waiting && { ended }),
  }
}

/** @param {import('../types').RunnerUse} use @returns {NonNullable<JobReport['runner']>} */
const useOf = ({ engine, where, runs, gbSeconds, calls = 0, functionGbSeconds = 0 }) => ({
  engine,
  where,
  runs,
  gbSeconds,
  calls,
  functionGbSeconds,
})

/** @param {NonNullable<import('../types').JobState['over']>} over */
function endedBy({ code, message = '', atMs }) {
  return code === undefined ? undefined : { code, message, atMs }
}

/** The parts at the destination of uploads that are not completed. @param {Pick<import('../types').JobState, 'parts' | 'prefix'>} state */
function progressOf({ parts, prefix }) {
  const all = [{ parts }, ...(prefix?.objects.values() ?? [])].flatMap(object => [...object.parts.values()])
  return { bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), parts: all.length }
}

const LOOK_EVERY_MS = 2_000

/**
 * Tells the progress of a job that runs elsewhere, or waits for that, until it has ended.
 *
 * @param {string} name the job's id, or the first characters of it
 * @param {import('../types').AttachOptions} [options] signal: it only detaches
 * @returns {Promise<JobReport>} as it has ended
 * @throws {XferError} NO_SUCH_JOB, INTERRUPTED
 */
async function attach(name, options = {}) {
  return await withHandler('onEvent', options, async given => {
    checkArguments('attach', { job: name }, given)
    const { signal, onEvent } = given
    return await withJournals(given, async journals => {
      const tell = await reporter(given)
      const watched = watchJob(journals, name)
      /** @type {JobReport | undefined} */
      let told
      /** What became of the last call of its runner. @type {{ atMs: number, said: object } | undefined} */
      let called
      try {
        for (;;) {
          const job = await watched.see()
          let now = job ? tell(job) : /** @type {JobReport} */ ({ ...told, state: 'done' })
          if (job && isForsaken(job, now)) {
            if (!called || Date.now() - called.atMs > QUIET_MS)
              called = { atMs: Date.now(), said: await callRunner(now, given) }
            now = { ...now, ...called.said }
          }
          if (!isDeepStrictEqual(now, told)) onEvent?.({ type: 'job', ...now, time: new Date().toISOString() })
          told = now
          if (now.state !== 'running' && now.state !== 'waiting') return now
          await pause(LOOK_EVERY_MS, signal)
        }
      } finally {
        await watched.close()
      }
    })
  })
}

/**
 * Looks at a job again and again. A folder forgets one that is over: then its file, which was kept open, tells how it ended.
 *
 * @param {import('../types').Journals} journals
 * @param {string} name the job's id, or the first characters of it
 * @param {boolean} [seen] it was there
 */
function watchJob(journals, name, seen = false) {
  let id = name
  /** @type {Awaited<ReturnType<NonNullable<typeof journals.keep>>> | undefined} */
  let kept
  return {
    /** @returns {Promise<import('../types').ListedJob | undefined>} undefined: it is done, and forgotten */
    async see() {
      const found = journals.see(id)
      const job = await (seen ? found.catch(ignoreGone) : found)
      if (!job) {
        const last = await kept?.last()
        return last && 'over' in last && last.over ? last : undefined
      }
      id = job.id
      seen = true
      // It may be gone by now, or never have been readable.
      const opened = await journals.keep?.(id).catch(() => undefined)
      if (opened) {
        await kept?.close()
        kept = opened
      }
      return job
    },
    close: async () => await kept?.close(),
  }
}

/** An owner looks every ten seconds, and what it has under way has five. */
const STOP_WITHIN_MS = 60_000

/**
 * Asks a job to stop, as Ctrl-C would, and waits until it has. One that waits for a worker waits no more.
 *
 * @param {string} name the job's id, or the first characters of it
 * @param {import('../types').StopJobOptions} [options]
 * @returns {Promise<JobReport>} as it is then
 * @throws {XferError} NO_SUCH_JOB; JOB_RUNNING if it goes on
 */
async function stopJob(name, options = {}) {
  checkArguments('stopJob', { job: name }, options)
  return await withJournals(options, async journals => {
    const found = report(await journals.see(name))
    if (found.state === 'done' || found.state === 'failed') throw new XferError('NO_SUCH_JOB', { job: name })
    return await endJob(journals, found, options.signal)
  })
}

/**
 * @param {import('../types').Journals} journals
 * @param {JobReport} found that is not over
 * @param {AbortSignal} [signal]
 * @throws {XferError} JOB_RUNNING if it goes on
 */
async function endJob(journals, found, signal) {
  const { id, owner } = found
  // The job first: no worker takes a range of one that was stopped.
  for (const one of [found, ...(found.ranges ?? [])]) await askToStop(journals, one)
  const endMs = performance.now() + STOP_WITHIN_MS
  const watched = watchJob(journals, id, true)
  try {
    for (;;) {
      const job = await watched.see()
      const now = job ? report(job) : { ...found, state: /** @type {const} */ ('done') }
      // A run that ends by itself at this moment leaves it to the next one.
      for (const one of [now, ...(now.ranges ?? [])]) if (one.state === 'waiting') await askToStop(journals, one)
      if (now.state !== 'running' && now.state !== 'waiting') return now
      if (performance.now() > endMs) throw new XferError('JOB_RUNNING', { job: id, ...owner })
      await pause(LOOK_EVERY_MS / 2, signal)
    }
  } finally {
    await watched.close()
  }
}

/** @param {import('../types').Journals} journals @param {JobReport} job @throws {XferError} JOB_RUNNING if it is that of this process */
async function askToStop(journals, { id, state, ranges }) {
  if (state === 'waiting' || ranges) {
    const journal = await journals.open(id).catch(error => {
      // A worker has just taken it, or ended it.
      if (error.code === 'JOB_RUNNING' && journals.ask) return journals.ask(id)
      return ignoreGone(error)
    })
    if (!journal) return
    const { code, message } = new XferError('INTERRUPTED', { what: 'copy', asked: true })
    await journal.write({ type: 'ended', code, message }).finally(journal.close)
  } else if (state === 'running') {
    if (journals.ask) return await journals.ask(id)
    const seen = await journals.see(id).catch(ignoreGone)
    // Another container of the same name has numbers of its own.
    const now = seen && 'owner' in seen ? seen.owner : undefined
    const life = now && (await lifeOf(now))
    const own = life === 'alive' && now?.pid === process.pid
    if (life === 'unseen' || own) throw new XferError('JOB_RUNNING', { job: id, ...now, own })
    if (now && life === 'alive') process.kill(now.pid, 'SIGTERM')
  }
}

module.exports = { KEPT_MS, attach, endJob, jobs, progressOf, report, stopJob, withJournals }
