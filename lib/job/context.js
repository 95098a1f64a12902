'use strict'

const { XferError } = require('../errors')
const { applyFact } = require('../journal')

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
    return await store.head(key, { signal, versionId })
  } catch (cause) {
    const { code, facts } = /** @type {import('../types').XferError} */ (cause)
    if (code !== 'NO_SUCH_KEY' || versionId !== undefined || !(await hasObjectsBelow(store, key, signal))) throw cause
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
  state: /** @type {any} */ ({ id: '', parts: new Map() }),
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
    ...{ ...inMemory(state), brought, close, over: close },
    async end(error) {
      await close()
      return error
    },
  }
}

module.exports = { contextOf, endpointsOf, headObject, inMemory, lookingOnly, NO_JOURNAL }
