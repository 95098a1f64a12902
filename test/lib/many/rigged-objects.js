'use strict'

/** What becomes of the objects of a prefix, as a log of what is told, counted and noted. */

const { readAttributes } = require('../../../lib/options')
const { createObjects } = require('../../../lib/many/objects')
const { createFailures } = require('../../../lib/many/report')
const { createTally } = require('../../../lib/many/tally')
const { createRiggedJournal } = require('../../support/rigged-journal')
const { createRiggedStore } = require('../../support/rigged-store')

const NOW = Date.UTC(2026, 0, 2)
const OLD = NOW - 86_400_000
const SETTINGS = { dryRun: false, move: false, chunkBytes: 4, verify: 'auto' }
const COPY = { action: 'copy', why: 'newer' }

/** MD5s stand for what has them: #aa. */
const TAGS = ['', 'aa', 'bb'].map(text => [createRiggedStore({ texts: { text } }).objects.get('text').etag, text])
const UNTOLD = new Set(['type', 'action', 'name', 'message', 'hint', 'n', 'at', 'key', 'metadata', 'lastModifiedMs'])
function textOf(value) {
  if (Array.isArray(value)) return value.map(textOf).join('+')
  if (typeof value === 'string') return TAGS.reduce((text, [tag, of]) => text.replaceAll(tag, `#${of}`), value)
  if (value === null || typeof value !== 'object') return String(value)
  const told = Object.entries(value).filter(([key]) => !UNTOLD.has(key))
  const others = told.map(([key, one]) => `${key}:${typeof one === 'object' ? `{${textOf(one)}}` : textOf(one)}`)
  return [value.action ?? value.type, value.name, ...others].filter(one => one !== undefined).join(' ')
}

/** Both ends, and everything that the objects tell. The clock has to stand at NOW. */
function createRig({ source = { a: 'aa' }, destination = {}, trouble = {}, facts = [], ...how } = {}) {
  const { settings, can = {}, more = {}, flushes, onWait, server } = how
  const log = []
  const events = []
  const below = (prefix, texts) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [prefix + name, text]))
  const storeOf = (side, texts, atMs) =>
    createRiggedStore({ side, texts, atMs, trouble: trouble[side], can: can[side] })
  const from = storeOf('source', below('from/', source), OLD)
  const to = storeOf('destination', below('to/', destination), how.writtenMs ?? OLD + 5000)
  const stores = [from.open(), to.open()]
  const { remove } = stores[0]
  stores[0].remove = async (object, { before, ...others }) => {
    await before()
    await remove(object, others)
    say('removed', object.key)
  }
  Object.assign(stores[0], more.source?.(stores[0], to))
  Object.assign(stores[1], more.destination?.(stores[1]))
  const sideOf = (store, key) => ({ store, key, text: `s3://bucket/${key}`, settings: {} })
  const say = (...values) => log.push(values.map(textOf).join(' '))
  const journal = createRiggedJournal(facts.map(fact => ({ n: 0, at: OLD, ...fact }))).open()
  const { note } = journal
  journal.note = fact => {
    say('note', fact)
    note(fact)
  }
  const tally = createTally({ startMs: OLD })
  const counted = {}
  for (const name of ['listed', 'left', 'chosen', 'moved', 'copied', 'notCopied', 'failed', 'replacedNewer']) {
    counted[name] = (...values) => {
      const told = name === 'copied' ? values.slice(1, 2) : name === 'failed' ? [values[1]] : values
      say(name, ...told.filter(value => value !== NOW))
      tally[name](...values)
    }
  }
  const manifestOut = {
    intend: (...values) => say('intend', ...values),
    copied: (...values) => say('line', ...values),
    skipped: ({ name, destination: there }, why) => say('line skipped', name, why, there ?? 'none'),
    failed: (...values) => say('line failed', ...values),
    flush: () => flushes !== false,
  }
  const cancel = new AbortController().signal
  const job = {
    settings: { ...SETTINGS, attributes: readAttributes({}), ...settings },
    source: sideOf(stores[0], 'from/'),
    destination: sideOf(stores[1], 'to/'),
    engine: { runsOn: how.runsOn ?? 'machine' },
    trust: { known: async ({ prefix, signal }) => say('known', signal === cancel ? prefix : 'without end') },
    run: {
      cancel,
      journal,
      manifestOut: how.manifest === false ? undefined : manifestOut,
      end: () => {},
      emit(event) {
        events.push(event)
        say('event', event)
      },
    },
  }
  const selection = { compares: false, judge: ({ name }) => ({ filtered: name === 'left' }), ...how.selection }
  const shared = /** @type {any} */ ({ job, selection, tally: { ...tally, ...counted } })
  const failures = createFailures({ ...shared, failure: () => undefined })
  const objects = createObjects({ ...shared, failures, server, concurrency: 1, onWait })
  const listed = (store, key) => {
    const object = store.objects.get(key)
    return object && { key, bytes: object.text.length, etag: object.etag, lastModifiedMs: object.atMs }
  }
  const pairOf = (name, ours) => {
    const pair = { source: listed(from, `from/${name}`), destination: listed(to, `to/${name}`) }
    return { ...pair, name, source: { ...pair.source, ...ours } }
  }
  const over = name => done => say('over', name, done)
  return {
    ...{ objects, log, events, tally, journal, pairOf, over, from, to },
    begin: (name, verdict = COPY, ours = {}) => objects.begin(pairOf(name, ours), verdict, over(name)),
    /** All that was told, once all have ended. */
    async end() {
      await objects.ended()
      return log
    },
  }
}

module.exports = { COPY, NOW, OLD, aTag: TAGS[1][0], createRig }
