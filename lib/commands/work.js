'use strict'

/** `xfer work`: runs the jobs that lie in a state, and wait there. */

const { setTimeout: delay } = require('node:timers/promises')
const { anySignal, withHandler } = require('../async')
const { XferError, asXferError, usage } = require('../errors')
const { openState, withRanges } = require('../job')
const { openJournals } = require('../journal')
const { checkArguments, readerOf } = require('../options')
const { goOn } = require('./copy')

/** @typedef {import('../types').WorkOptions} WorkOptions */
/** @typedef {import('../types').ListedJob} ListedJob */

/** Between two looks at a state in which nothing waits. */
const POLL_MS = 10_000
/** Who else has the job, or had it. */
const OTHERS = new Set(['JOB_RUNNING', 'JOB_SPLIT', 'JOB_TAKEN', 'NO_SUCH_JOB'])

/**
 * Runs jobs that wait, and those whose machine has given no sign of life: until it is aborted, or with `once` until there is none.
 * With `only` it ends with that job, and waits for others that run it, or ranges of it.
 *
 * @param {WorkOptions} [options] state: where they lie
 * @returns {Promise<import('../types').Worked>}
 * @throws {import('../types').XferError} USAGE, STATE_UNSAFE; what keeps it from reading the state. A job that fails does not end it
 */
async function work(options = {}) {
  return await runWaiting(options)
}

/**
 * @param {WorkOptions} options
 * @param {{ waits?: boolean, runner?: import('../job/contract').RunsAs }} [how] waits: for others that run the job of `only`, in
 *   case they die; runner: the function that this is
 * @returns {Promise<import('../types').Worked>}
 */
async function runWaiting(options, how = {}) {
  return await withHandler('onEvent', options, async given => {
    checkArguments('work', {}, given)
    const { place, close } = await openState(given)
    try {
      if (place === undefined) {
        throw usage(
          'xfer work runs jobs that lie in a state, and none is named.',
          'Give --state LOCATION, or set XFER_STATE.',
        )
      }
      return await workAt(place, given, how)
    } finally {
      await close()
    }
  })
}

/**
 * @param {import('../types').JournalPlace} place
 * @param {WorkOptions} options
 * @param {Parameters<typeof runWaiting>[1] & {}} how
 */
async function workAt(place, options, { waits = true, runner }) {
  const { only, once = only !== undefined, atOnce: _, timeout: __, signal, onEvent, ...wish } = options
  const read = readerOf('work', options)
  const timeoutMs = read('timeout')
  const journals = openJournals({ env: options.env ?? process.env, place })
  const endMs = timeoutMs === undefined ? undefined : performance.now() + timeoutMs
  /** A lane has met what ends this call. */
  const failed = new AbortController()
  const stop = anySignal([failed.signal, ...(signal ? [signal] : [])])
  const ended = anySignal([stop, ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)])])
  const worked = { done: 0, left: 0, failed: 0, unfinished: 0 }
  /** Looks at the state that have begun. */
  let looks = 0
  /**
   * Jobs that have ended here, each with the last look that does not take it again: what a look shows may be older than that end. All
   * are too old until one has shown the end, because perhaps it could not be written. @type {Map<string, number>}
   */
  const had = new Map()
  /** Jobs that others had when this call tried to take them: it looks again, a little later. @type {Set<string>} */
  const missed = new Set()
  /** Those that lanes of this call have. @type {Set<string>} */
  const busy = new Set()
  /** @param {object} event */
  const tell = event => onEvent?.(/** @type {any} */ ({ ...event, time: new Date().toISOString() }))

  /** Whether others run what this call is about: if they die, it has to go on. */
  let awaits = false

  /** The oldest that may be taken. */
  async function next() {
    const look = ++looks
    const listed = await journals.list()
    for (const job of listed.flatMap(withRanges))
      if (had.has(job.id) && job.problem === undefined && job.ended) had.set(job.id, looks)
    // Unless it is named, a function leaves to others what they are to run.
    const own = runner && only === undefined ? listed.filter(job => isOf(job, runner)) : listed
    const all = own.flatMap(job => (isStopped(job) ? [job] : withRanges(job)))
    const named = all.filter(({ id }) => only === undefined || isNamed(id, only))
    if (look === 1 && only !== undefined && !runner && named.length === 0)
      throw new XferError('NO_SUCH_JOB', { job: only })
    awaits = only !== undefined && named.some(job => job.problem === undefined && job.running)
    const isKnown = (/** @type {string} */ id) => missed.has(id) || busy.has(id) || Number(had.get(id)) >= look
    const free = named.filter(job => mayTake(job) && !isKnown(job.id))
    // Functions that were called at once do not all begin at the same range.
    const job = free.at(waits ? -1 : Math.floor(Math.random() * free.length))
    if (job) busy.add(job.id)
    return job
  }

  /** @param {import('../types').JobState} job */
  async function run({ id, source, destination }) {
    const [from, to] = [source, destination].map(({ text, typed = text }) => typed)
    tell({ type: 'taken', job: id, source: from, destination: to })
    try {
      // What is under way then has a share of this time, as after --timeout of a copy.
      const timeout = endMs && `${Math.max(1, Math.ceil(endMs - performance.now()))}ms`
      await goOn(id, { ...wish, signal: stop, timeout }, { works: true, runner })
      worked.done++
      had.set(id, Number.POSITIVE_INFINITY)
      tell({ type: 'worked', job: id, outcome: 'done' })
    } catch (cause) {
      const { code, message, facts } = asXferError(cause)
      const unfinished = (ended.aborted || code === 'TIMED_OUT') && !OTHERS.has(code)
      // Its user has stopped it, which is no failure.
      const outcome = OTHERS.has(code) || unfinished || facts.asked ? 'left' : 'failed'
      worked[unfinished ? 'unfinished' : outcome]++
      if (outcome === 'failed') had.set(id, Number.POSITIVE_INFINITY)
      else missed.add(id)
      tell({ type: 'worked', job: id, outcome, code, message })
    }
  }

  async function lane() {
    while (!ended.aborted) {
      const job = await next().catch(cause => {
        const error = asXferError(cause)
        if (!error.retryable || once) throw error
      })
      if (job === undefined) {
        if (once && (!waits || (!awaits && missed.size === 0))) return
        await delay(POLL_MS, undefined, { signal: ended }).catch(() => {})
        missed.clear()
        continue
      }
      await run(/** @type {import('../types').JobState} */ (job)).finally(() => busy.delete(job.id))
    }
  }

  const lanes = Array.from({ length: read('atOnce') }, async () => {
    await lane().catch(error => {
      failed.abort()
      throw error
    })
  })
  // What the others run is handed back first.
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  return worked
}

/** Whether it was left to functions of this platform. @param {ListedJob} job @param {import('../job/contract').RunsAs} runner */
const isOf = (job, { engine }) => job.problem === undefined && job.runner?.engine === engine

/** A job that is split, and was stopped as a whole. @param {ListedJob} job */
const isStopped = job => job.problem === undefined && job.ranges !== undefined && job.ended !== undefined

/** @param {string} id @param {string} name the id of a job, whose ranges it means too, or the beginning of one */
const isNamed = (id, name) => (name.includes('.') ? id === name : id.startsWith(name))

/** Whether it waits, or its owner is dead or silent. @param {ListedJob} job */
function mayTake(job) {
  if (job.problem !== undefined || job.over || job.running) return false
  // Its ranges are taken first, and one that is not there yet is made.
  if (job.ranges) return job.ended === undefined && (job.ranges.every(isOver) || job.ranges.includes(undefined))
  return job.waiting === true || job.owner !== undefined
}

/** @param {ListedJob} [job] */
const isOver = job => job !== undefined && job.problem === undefined && job.over !== undefined

module.exports = { OTHERS, runWaiting, work }
