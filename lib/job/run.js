'use strict'

/** Runs a job from its first event to its last, however it ends; what its writers are given, and the journals of jobs that write none. */

const { availableParallelism } = require('node:os')
const { withHandler } = require('../async')
const cost = require('../cost')
const { XferError, asXferError } = require('../errors')
const { identityOf, publicNotice, remember } = require('../notices')

/** Of these events something is kept. */
const REMEMBERED = new Set(['failure', 'notice', 'plan'])
/** These tell what holds a copy back. */
const WATCHED = new Set(['plan', 'progress', 'throttle'])
/** Notices that are remembered, so that none is emitted twice. */
const MOST_TOLD = 1_000

/** @typedef {import('../types').AnyEvent} AnyEvent */
/** @typedef {import('../types').JobEvent} JobEvent */
/** @typedef {import('../types').Notice} Notice */
/** @typedef {import('./open').Job} Job */

/**
 * What a command tells of its job. begin: to be called with the job once it is open; prices: those by which it is to tell what it costs.
 *
 * @typedef {{ begin: (job: any, prices?: import('../cost/prices').Price[]) => void, emit: (event: JobEvent) => void }} PerformOptions
 */

/** The last time that was told, in ISO 8601: many events come in one millisecond. */
let time = { ms: Number.NaN, text: '' }

/**
 * @template {object} S
 * @param {{ onEvent?: (event: any) => void }} options
 * @param {(how: PerformOptions) => Promise<S>} work
 * @returns {Promise<S>}
 * @throws {import('../types').XferError} the same as in the event `error`
 */
async function perform(options, work) {
  const withoutRepetition = createRepetitionFilter()
  const watch = watchCopy()
  /** @type {import('../types').ToldByJob} */
  const told = { notices: [], failures: [] }
  const emit = (/** @type {JobEvent} */ event) => {
    if (WATCHED.has(event.type)) watch.saw(event)
    /** @type {AnyEvent | undefined} */
    let news = /** @type {AnyEvent} */ (event)
    if (REMEMBERED.has(event.type)) {
      news = withoutRepetition(event)
      if (!news) return
      remember(told, news)
    }
    // Its kind is checked by the work, whose refusal is an event.
    if (typeof options?.onEvent !== 'function') return
    const ms = Date.now()
    if (ms !== time.ms) time = { ms, text: new Date(ms).toISOString() }
    options.onEvent({ ...news, time: time.text })
  }
  /** @type {Job | undefined} */
  let job
  /** Those of a copy that goes on as another job too. @type {Set<Job['run']['usage']>} */
  const usages = new Set()
  /** @type {import('../cost/prices').Price[] | undefined} */
  let prices
  try {
    /** @type {PerformOptions['begin']} */
    const begin = (opened, priced) => {
      job = opened
      usages.add(opened.run.usage)
      prices ??= priced
    }
    const worked = await work({ begin, emit })
    const used = cost.usageOf(usages)
    const heldBack = watch.heldBack(/** @type {any} */ (worked).elapsedMs)
    const priced = prices && job && cost.costOf(used, job, prices)
    const summary = { ...worked, ...(heldBack && { heldBack }), usage: used, ...(priced && { cost: priced }) }
    // What the stores have to say of their lists and reads; one end may be a stream, or absent.
    for (const end of [job?.source, job?.destination]) {
      for (const notice of end?.store.notices?.() ?? []) emit(notice)
    }
    // A dry run does not end a job, nor does who leaves it to others: its journal stays.
    const { dryRun, detached } = /** @type {{ dryRun?: boolean, detached?: object }} */ (summary)
    await (dryRun || detached ? job?.run.journal.close() : job?.run.journal.over({ ...worked, usage: used, told }))
    emit(/** @type {any} */ (detached ? { type: 'detached', ...detached } : { type: 'done', ...summary }))
    return summary
  } catch (cause) {
    const ended = asXferError(cause)
    const usage = job && cost.usageOf(usages)
    const error = (await job?.run.journal.end(ended, job.settings, { usage, told })) ?? ended
    const { code, message, hint, exitCode, facts } = error
    const heldBack = watch.heldBack()
    emit({
      type: 'error',
      code,
      message,
      hint,
      exitCode,
      // Else it is what the user typed, or a job that another process runs.
      ...((job || facts.nothing) && facts.job && { job: facts.job }),
      ...(heldBack && { heldBack }),
      ...(usage && { usage }),
      ...(facts.objects && { objects: facts.objects }),
      ...(facts.pairs && { pairs: facts.pairs, methods: facts.methods }),
    })
    throw error
  } finally {
    await job?.close()
  }
}

/**
 * Tells the events of a command from the first to the last.
 *
 * @template {object} O
 * @template {object} S
 * @param {O} given options of the caller
 * @param {(options: O, how: PerformOptions) => Promise<S>} work gets the options with the handler that is to be called
 * @returns {Promise<S>}
 */
async function runJob(given, work) {
  return await withHandler('onEvent', given, options => perform(options, how => work(options, how)))
}

/** What comes before is not watched: most copies are over by then. */
const WATCHED_FROM_MS = 500

/** How long a sample of the processor time is used. */
const SAMPLE_MS = 100
/** The last one, for all jobs: to ask takes a millisecond on some systems (gVisor). */
let sample = { cpuMs: 0, atMs: Number.NEGATIVE_INFINITY }

/** The processor time of this process, and when it was that. */
function cpuSoFar() {
  const atMs = performance.now()
  if (atMs - sample.atMs >= SAMPLE_MS) {
    const { user, system } = process.cpuUsage()
    sample = { cpuMs: (user + system) / 1000, atMs }
  }
  return sample
}

/** Watches the events of a job, and says what held a copy back. */
function watchCopy() {
  /** When the watching began. @type {typeof sample | undefined} */
  let before
  /** @type {any} */
  let plan
  /** @type {ReturnType<typeof import('../progress').createHeldBack> | undefined} */
  let watch
  return {
    /** @param {any} event one of WATCHED */
    saw(event) {
      const { type } = event
      if (type === 'plan') {
        // Comparisons and downloads are no copies. Another engine may take over.
        plan = event.dryRun === false ? event : undefined
        watch = undefined
      }
      if (!plan || type === 'plan' || (type === 'progress' && event.elapsedMs < WATCHED_FROM_MS)) return
      try {
        watch ??= require('../progress').createHeldBack(plan, { cores: availableParallelism() })
        before ??= cpuSoFar()
      } catch (error) {
        // Where no file can be opened now it is loaded at a later event.
        if (asXferError(error).code !== 'TOO_MANY_FILES') throw error
      }
      watch?.saw(event)
    },

    /** @param {number} [elapsedMs] absent: until the last progress @returns {import('../types').HeldBack | undefined} */
    heldBack(elapsedMs) {
      if (!watch || !before) return undefined
      const { cpuMs, atMs } = cpuSoFar()
      const coresUsed = (cpuMs - before.cpuMs) / Math.max(1, atMs - before.atMs)
      return watch.found({ elapsedMs, coresUsed })
    },
  }
}

/**
 * A job that falls back to another way, or repeats a step, may emit the same notices again.
 *
 * @returns {(event: JobEvent) => AnyEvent | undefined} the public event, without notices that were emitted before; undefined:
 *   nothing is left of it
 */
function createRepetitionFilter() {
  /** @type {Set<string>} */
  const told = new Set()
  /** @param {Notice} notice */
  function isNew(notice) {
    const identity = identityOf(notice)
    if (told.has(identity)) return false
    if (told.size < MOST_TOLD) told.add(identity)
    return true
  }
  return event => {
    if (event.type === 'notice') return isNew(event) ? publicNotice(event) : undefined
    if (event.type !== 'plan' || !event.notices) return /** @type {AnyEvent} */ (event)
    const notices = event.notices.filter(isNew)
    return {
      ...event,
      notices: notices.map(({ message }) => message),
      noticeCodes: notices.map(({ code }) => code),
    }
  }
}

/** @typedef {import('./contract').Context} Context */

/**
 * The part of a job that the writers get, with the engine that runs their tasks and the run that watches them.
 *
 * @param {Pick<Context, 'settings' | 'source' | 'destination' | 'trust'>} job
 * @param {{ engine: Context['engine'], run: Context['run'], keepsUploads?: Context['keepsUploads'] }} own keepsUploads: where there is
 *   a journal and `--on-failure keep`, when absent
 * @returns {Context}
 */
function contextOf({ settings, source, destination, trust }, { engine, run, keepsUploads }) {
  const keeps = keepsUploads ?? (() => run.journal.kept && settings.onFailure === 'keep')
  return Object.freeze({ settings, source, destination, engine, trust, run, keepsUploads: keeps })
}

/** @typedef {import('./contract').Side} Side */

/**
 * The endpoints of a plan, if its two locations do not tell them apart: the same bucket's name in two stores.
 *
 * @param {Record<'source' | 'destination', Pick<Side, 'text' | 'key' | 'store'>>} job
 * @returns {{ endpoints?: { source: string, destination: string } }}
 */
function endpointsOf({ source, destination }) {
  const [from, to] = [source.store.endpoint, destination.store.endpoint]
  if (from === to || containerOf(source) !== containerOf(destination)) return {}
  return { endpoints: { source: from, destination: to } }
}

/** @param {Pick<Side, 'text' | 'key'>} side @returns {string} `s3://profile@bucket/`, as it was typed */
function containerOf({ text, key }) {
  return text.slice(0, text.length - key.length)
}

/** Asks for the object of a side. Many who name none mean a prefix. */

/**
 * @param {Pick<import('./contract').Side, 'store' | 'key' | 'versionId'>} side
 * @param {AbortSignal | undefined} signal
 * @param {object} [how]
 * @param {true | 'list'} [how.below] what to advise where objects are below this key: `-r`, or to list them
 * @returns {Promise<import('../types').ObjectHead>}
 * @throws {XferError} NO_SUCH_KEY, whose fact `below` says that objects are below this key; the store's other errors
 */
async function headObject({ store, key, versionId }, signal, { below = true } = {}) {
  try {
    return store.pin(await store.head(key, { signal, versionId }))
  } catch (cause) {
    const { code, facts } = /** @type {import('../types').XferError} */ (cause)
    if (code !== 'NO_SUCH_KEY' || versionId !== undefined) throw cause
    // A folder, also one without files.
    if (facts.what === undefined && !(await hasObjectsBelow(store, key, signal))) throw cause
    throw new XferError('NO_SUCH_KEY', { ...facts, below }, { cause })
  }
}

/** One request. Without permission to list, nothing is known. @param {import('./contract').Side['store']} store @param {string} key @param {AbortSignal | undefined} signal */
async function hasObjectsBelow(store, key, signal) {
  const prefix = key.endsWith('/') ? key : `${key}/`
  const page = await store.list?.({ prefix, most: 1 }, { signal }).catch(() => undefined)
  return page !== undefined && page.objects.length > 0
}

/** The journals of jobs that write none. */

/** @typedef {import('../types').JobJournal} JobJournal */

/** The journal of a job that keeps none. @type {JobJournal} */
const NO_JOURNAL = {
  kept: false,
  state: /** @type {any} */ ({ id: '', parts: new Map(), options: {} }),
  async write() {},
  note() {},
  uploads: async () => [],
  async over() {},
  end: async error => error,
  async close() {},
}

/**
 * The journal of a dry run that finds an unfinished job. What is written changes only the state in memory.
 *
 * @param {import('../types').JobState} state of the unfinished job
 * @returns {JobJournal}
 */
function inMemory(state) {
  const { applyFact } = require('../journal')
  const note = (/** @type {import('../types').JournalFact} */ fact) =>
    applyFact(state, /** @type {import('../types').JournalEntry} */ ({ n: 0, at: state.updatedMs, ...fact }))
  return { ...NO_JOURNAL, state, note, write: async fact => note(fact) }
}

/**
 * The journal of the dry run of a resume: that of `inMemory`, and open, so that no other process takes the job meanwhile.
 *
 * @param {import('../types').Journal} journal
 * @returns {JobJournal}
 */
function lookingOnly({ state, brought, close }) {
  return {
    ...inMemory(state),
    brought,
    close,
    over: close,
    async end(error) {
      await close()
      return error
    },
  }
}

module.exports = { perform, runJob, contextOf, endpointsOf, headObject, inMemory, lookingOnly, NO_JOURNAL }
