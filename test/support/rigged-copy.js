'use strict'

const { passTime } = require('./time')
const { createCancellation } = require('../../lib/async')
const { createTrust } = require('../../lib/destination')
const { UNLIMITED } = require('../../lib/engines')
const { readAttributes } = require('../../lib/options')
const { createOutages, createPressure } = require('../../lib/schedule')
const { copyObject } = require('../../lib/copy')
const { compareObjects, copyObjects } = require('../../lib/many')
const { createRiggedJournal } = require('./rigged-journal')
const { carryOut, createRiggedStore, errorOf } = require('./rigged-store')

const DAY_MS = 86_400_000
/** Larger objects go in parts. */
const CHUNK_BYTES = 4

/** What a key of each side begins with. */
const FROM = 'from/'
const TO = 'to/'

/** @param {string} prefix @param {Record<string, string>} texts by name */
const below = (prefix, texts) => Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]))

/**
 * Copies the objects below one prefix, or one of them alone, to another prefix. The stores and the journal are as the run before
 * has left them. All objects that are there before are days old.
 *
 * @param {object} how
 * @param {Record<string, string>} how.source the texts of its objects, by name
 * @param {Record<string, string>} [how.destination] the same
 * @param {Partial<Record<'source' | 'destination', Record<string, import('./rigged-store').Trouble[]>>>} [how.trouble]
 * @param {any[]} [how.facts] that earlier runs have written
 * @param {Partial<import('../../lib/job/contract').Settings>} [how.settings] those that are not as usual
 * @param {Partial<Record<'source' | 'destination', Partial<import('../../lib/types').Abilities>>>} [how.can]
 * @param {Partial<Record<'source' | 'destination', (store: any) => object>>} [how.more] what else the stores have
 * @param {Partial<import('../../lib/types').JobJournal>} [how.shared] what else the journal has
 */
function createRig({ source: ours, destination: theirs = {}, trouble = {}, facts, shared, settings, ...stores }) {
  const { can = {}, more = {} } = stores
  const atMs = Date.now() - DAY_MS
  /** @param {'source' | 'destination'} side @param {Record<string, string>} texts by key */
  const storeOf = (side, texts) => createRiggedStore({ side, texts, atMs, trouble: trouble[side], can: can[side] })
  const [source, destination] = [storeOf('source', below(FROM, ours)), storeOf('destination', below(TO, theirs))]
  const journal = createRiggedJournal(facts)

  /**
   * One run of the job.
   *
   * @param {import('../../lib/types').JobWish} [options]
   * @param {{ killAt?: number, alone?: string, verify?: boolean, signal?: AbortSignal }} [how] killAt: the process
   *   ends at this step: before or after a call of a store, or a line of the journal; alone: the name of the one object that is
   *   copied; verify: the ends are compared
   * @returns {Promise<{ summary?: any, error?: any, events: any[], steps: number }>}
   */
  async function go(options = {}, { killAt = Number.POSITIVE_INFINITY, alone, verify, signal } = {}) {
    let steps = 0
    function step() {
      if (++steps >= killAt) throw errorOf('INTERRUPTED')
    }
    const events = []
    const emit = event => events.push(event)
    function sideOf(store, key) {
      const text = `s3://bucket/${key}`
      return { store, key, text, plain: text, settings: {} }
    }
    const [from, to] = [source.open(step), destination.open(step)]
    Object.assign(from, more.source?.(from))
    Object.assign(to, { heeds: () => true }, more.destination?.(to))
    const cancellation = createCancellation({ signal })
    const outages = createOutages({ timeoutMs: 1_000, emit })
    const engine = {
      name: 'local',
      runsOn: 'machine',
      can: { cancel: true },
      limits: async () => ({ ...UNLIMITED, concurrent: 1 }),
      async run(tasks) {
        step()
        return carryOut({ source, destination }, tasks)
      },
    }
    const job = {
      settings: {
        ...{ chunkBytes: CHUNK_BYTES, usualChunk: true, concurrency: 1, usualConcurrency: true, retries: 1 },
        ...{ verify: 'auto', proved: true, condition: {}, dryRun: false, move: false, onFailure: 'keep' },
        attributes: readAttributes({}),
        ...settings,
      },
      source: sideOf(from, FROM + (alone ?? '')),
      destination: sideOf(to, TO + (alone ?? '')),
      engine,
      why: 'the test has it',
      asksServer: false,
      trust: createTrust(to),
      run: {
        ...cancellation,
        journal: { ...journal.open(step), ...shared },
        emit,
        watchedBy() {},
        pressure: createPressure({ outages, random: () => 0.5 }),
        usage: { plan: () => undefined },
      },
    }
    const work = () => (alone === undefined ? copyObjects(job, { recursive: 'sync', ...options }) : copyObject(job))
    const ended = (verify ? compareObjects(job, options) : work())
      .then(
        summary => ({ summary, events, steps }),
        error => ({ error, events, steps }),
      )
      .finally(cancellation.close)
    return await passTime(ended)
  }

  return {
    go,
    ends: { source, destination },
    facts: () => journal.facts,
    /** Somebody writes an object of the source. @param {string} name @param {string} text */
    put: (name, text) => source.put(FROM + name, text, Date.now()),
    /** What is at the destination, by name. */
    there: () =>
      Object.fromEntries([...destination.objects].map(([key, { text }]) => [key.slice(TO.length), text]).sort()),
    uploads: () => [...destination.uploads.keys()],
  }
}

module.exports = { createRig }
