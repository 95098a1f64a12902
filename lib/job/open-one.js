'use strict'

/**
 * Opens one end alone, for whatever has no other: a command about one location, or an end whose other side is a stream.
 * It asks the network nothing.
 */

const { anySignal, createCancellation, memoizeShared, withHandler } = require('../async')
const { createUsage } = require('../cost')
const { abortUntilGone } = require('../destination')
const { XferError } = require('../errors')
const { readerOf, silenceOf, checkArguments, withoutFixed } = require('../options')
const { notice, publicNotice } = require('../notices')
const { createOutages, createPressure, refusingSide } = require('../schedule')
const { asPrefix, completeDestination, factoryOfPlace, identify, parsePlace, resolveSettings } = require('../stores')
const { openStore, placeText, withRetry } = require('../stores')
const { NO_JOURNAL } = require('./run')

/** @typedef {import('../types').JobEvent} JobEvent */

/**
 * What a call has, whatever its command is. `source` or `destination`: the options of the end, as its side.
 *
 * @typedef {Pick<import('../types').JobWish, 'env' | 'signal' | 'caBundle' | 'retries' | 'outageTimeout' | 'timeout' |
 *   'waitedMs' | 'source' | 'destination'>} OneWish
 */

/**
 * @typedef {object} One
 * @property {import('../types').Place} place as it was parsed
 * @property {import('./contract').Side} end its store repeats control calls, and waits for the end of an outage
 * @property {import('./contract').Run} run how it is ended, what it tells, what the store bears; its journal keeps nothing
 * @property {() => Promise<void>} close timers and connections
 */

/** A text that was kept. */
const OF_JOURNAL = { ofJournal: true }

/**
 * @param {string} text of the location
 * @param {'source' | 'destination'} side whose options and environment variables count
 * @param {OneWish} options checked by `checkArguments`; durations and numbers as the caller gave them
 * @param {(event: JobEvent) => void} emit is told `retry` and `outage` events, and notices
 * @param {object} [how]
 * @param {'object' | 'account' | 'beginning' | 'prefix'} [how.as] object: a source needs a key; account: no container either;
 *   beginning: the key may be empty; prefix: a slash is appended
 * @param {boolean} [how.reads] as of `openEnds`
 * @param {string} [how.of] the source whose name a destination gets that ends in a slash
 * @param {boolean} [how.alone] whether the command has one location, so that messages call it neither source nor destination
 * @returns {Promise<One>}
 * @throws {import('../types').XferError} of exit status 2 or 4
 */
async function openOne(text, side, options, emit, { as = 'object', alone = false, reads = false, of } = {}) {
  const parsed = parsePlace(text, side, { containerAlone: as !== 'object', accountAlone: as === 'account' })
  const complete = () => (of === undefined ? parsed : completeDestination(parsed, parsePlace(of, 'source', OF_JOURNAL)))
  const place = as === 'prefix' ? asPrefix(parsed) : complete()
  const { settings, identity } = await resolveEnd(place, side, options)
  const resolved = { place, settings: { ...settings, alone }, identity }
  const { ends, shared, close } = openEnds([resolved], options, emit, { prefixes: as === 'prefix', reads })
  return { place, end: ends[0], run: Object.freeze({ ...shared, journal: NO_JOURNAL }), close }
}

/** @typedef {Awaited<ReturnType<typeof resolveEnd>>} Resolved */

/**
 * The settings of an end, and what they make it. The calls of a client share them: files are read once in some minutes.
 *
 * @param {import('../types').Place} place
 * @param {'source' | 'destination'} side
 * @param {OneWish} options
 */
async function resolveEnd(place, side, { env = process.env, caBundle, ...options }) {
  const own = { caBundle, ...options[side] }
  const read = async () => await resolveSettings(place, side, own, env)
  const shared = sharedAs(place, side, own)
  const settings = await (shared === undefined ? read() : memoizeShared(env, shared, read)())
  return { place, settings, identity: identify(place, settings) }
}

/**
 * @param {import('../types').Place} place
 * @param {string} side
 * @param {import('../types').SideOptions} options
 * @returns {string | undefined} equal for equal settings; undefined: they are of one object, or of a function that is of one call
 */
function sharedAs(place, side, options) {
  const { single, paths } = factoryOfPlace(place)
  const { key: _, ...container } = place
  if (single || paths || ![container, options].every(isPlain)) return undefined
  return JSON.stringify([side, container, options])
}

/** Whether its JSON tells all of it: an object of a class may keep what it is to itself. @param {unknown} value @returns {boolean} */
function isPlain(value) {
  if (typeof value !== 'object' || value === null) return !['function', 'bigint', 'symbol'].includes(typeof value)
  if (value instanceof Date) return true
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}

/**
 * Opens the stores of the ends of a call, which repeat control calls and wait for the end of an outage, and what these share.
 *
 * @param {Resolved[]} resolved
 * @param {OneWish} options
 * @param {import('./contract').Run['emit']} emit
 * @param {Parameters<typeof beginRun>[4]} how
 * @returns {{ ends: import('./contract').Side[], shared: import('./contract').UnwrittenRun } & Pick<One, 'close'>}
 */
function openEnds(resolved, options, emit, how) {
  const places = openPlaces(resolved, options, emit)
  const { ends, run, close } = beginRun(places, resolved, options, emit, how)
  return {
    ends,
    shared: run,
    async close() {
      close()
      places.close()
    },
  }
}

/**
 * late: of a store that is open for many runs: one of a run alone, whose own calls go by another store, which is opened for the first
 *
 * @typedef {ReturnType<typeof openPlaces> & { late?: ReturnType<typeof import('../stores').createLate> }} OpenedPlaces
 */

/**
 * What is of the places, and may be of several runs: their stores, which do not repeat calls, and their outages.
 *
 * @param {Resolved[]} resolved
 * @param {OneWish} options
 * @param {(event: JobEvent) => void} emit is told of outages
 */
function openPlaces(resolved, options, emit) {
  const outages = createOutages({ timeoutMs: readerOf('copy', options)('outageTimeout'), emit, random: Math.random })
  const [{ identity }, other] = resolved
  const same = other !== undefined && other.identity.server === identity.server
  const silenceMs = silenceOf(options)
  const stores = resolved.map(({ place, settings }, i) => {
    const store = openStore(place, { ...settings, silenceMs })
    // If one store is both sides, the source watches it for both.
    if (!same || i === 0) {
      const peers = same ? resolved.map(one => one.settings.side) : [settings.side]
      outages.watch(peers, { where: store.facts.endpoint, probe: signal => store.ping({ signal }) })
    }
    return store
  })
  return {
    stores,
    outages,
    same,
    close() {
      outages.close()
      for (const store of stores) store.close()
    },
  }
}

/** Of a run that nobody can end. */
const ENDLESS = { cancel: undefined, abort: undefined, end() {}, stop() {}, close() {} }

/**
 * What is of one run: how it is ended, what it tells and uses, and its ends, whose stores repeat control calls.
 *
 * @param {Pick<OpenedPlaces, 'stores' | 'outages' | 'same' | 'late'>} places
 * @param {Resolved[]} resolved
 * @param {OneWish} options
 * @param {import('./contract').Run['emit']} emit
 * @param {object} how
 * @param {boolean} how.prefixes whether the ends are prefixes
 * @param {boolean} [how.reads] nothing is written: what is under way has nothing to bring home, and ends at once
 * @param {boolean} [how.endsItself] whether more may end it than the caller's signal and time limit
 * @returns {{ ends: import('./contract').Side[], run: import('./contract').UnwrittenRun, close: () => void }}
 */
function beginRun(
  { stores, outages, same, late },
  resolved,
  options,
  emit,
  { prefixes, reads = false, endsItself = true },
) {
  const read = readerOf('copy', options)
  const usage = createUsage()
  const pressure = createPressure({ same, outages, random: Math.random })
  const { signal, waitedMs } = options
  const timeoutMs = read('timeout')
  const endless = !endsItself && signal === undefined && timeoutMs === undefined
  const cancellation = endless ? ENDLESS : createCancellation({ signal, timeoutMs, waitedMs })
  const retries = read('retries')
  const ends = resolved.map(({ place: at, settings, identity: { id } }, i) => {
    const { side } = settings
    if (settings.ownLeftOut) emit(notice('SERVER_ROW_LEFT_OUT', { path: settings.ownLeftOut, side }))
    /** @type {NonNullable<Parameters<typeof withRetry>[1]['onRetry']>} */
    const onRetry = (error, call, attempt) => {
      const { code, message } = error
      if (refusingSide(error)) pressure.refusedElsewhere(side, outages.now(), error.retryAfterMs)
      emit({ type: 'retry', call, side, attempt, code, message })
    }
    const watched = (store = openStore(at, { ...settings, silenceMs: silenceOf(options) })) =>
      usage.watch(side, withRetry(store, { retries, outages, onRetry }))
    if (late) usage.expect(side, stores[i])
    return {
      store: late ? late(watched) : watched(stores[i]),
      key: at.key,
      text: placeText(at),
      plain: placeText({ ...at, typed: undefined }),
      versionId: settings.versionId,
      // An object may have the same name as a prefix.
      place: id + (prefixes ? '*' : ''),
      settings,
    }
  })
  /** @type {Parameters<import('./contract').Run['watchedBy']>[0] | undefined} */
  let saw
  /** @type {import('./contract').Run['emit']} */
  const tell = event => {
    if (saw?.(event) !== false) emit(event)
  }
  const { cancel, end, stop } = cancellation
  const abort = reads ? cancel : cancellation.abort
  const watchedBy = (/** @type {typeof saw} */ next) => {
    saw = next
  }
  return {
    ends,
    run: { cancel, abort, end, stop, emit: tell, watchedBy, pressure, usage },
    close: cancellation.close,
  }
}

/** Calls about one location that move no bytes: checked, opened, told and closed in the same way. */

/** @typedef {OneWish & { onEvent?: (event: import('../types').AskEvent) => void }} AskWish */

/**
 * @typedef {object} AskedObject
 * @property {Parameters<typeof checkArguments>[0]} name of the library's function
 * @property {string} text of the location
 * @property {'source' | 'destination'} side whose options count
 * @property {NonNullable<Parameters<typeof openOne>[4]>['as']} [as]
 */

/** How a caller is told of events: with their time, and of notices what users see. @param {((event: any) => void) | undefined} onEvent */
function tellTo(onEvent) {
  return (/** @type {any} */ event) =>
    onEvent?.({ ...(event.type === 'notice' ? publicNotice(event) : event), time: new Date().toISOString() })
}

/**
 * @param {AskedObject} asked
 * @param {AskWish} options as the caller gave them
 * @param {import('../types').SideOptions} [more] options of the side that the function has beside them
 * @returns {Promise<One>} to be closed
 * @throws {import('../types').XferError} of exit status 2 or 4
 */
async function openAsked({ name, text, side, as }, options, more) {
  checkArguments(name, { [side]: text }, options)
  const given = { ...options, [side]: { ...options[side], ...more } }
  return await openOne(text, side, given, tellTo(options.onEvent), { as, alone: true })
}

/**
 * @template R
 * @param {AskedObject} asked
 * @param {AskWish} given as the caller gave them
 * @param {(one: One) => Promise<R>} work
 * @returns {Promise<R>}
 */
async function ask(asked, given, work) {
  return await withHandler('onEvent', given, async options => {
    const one = await openAsked(asked, options)
    try {
      return await work(one)
    } finally {
      await one.close()
    }
  })
}

/** The destination's store for commands that copy nothing, such as abort and clean. */

/** @typedef {import('../types').Store} Store */

const RETRIES = 3
/** By then the parts in flight have arrived. */
const ABORT_LIMIT_MS = 5 * 60_000

/**
 * @param {import('../types').Place} place
 * @param {import('../types').SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ store: Store, settings: import('../types').StoreSettings }>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS
 */
async function openDestination(place, options, env) {
  // These commands only find and abort uploads, whatever they were created with.
  const settings = await resolveSettings(place, 'destination', withoutFixed(options), env)
  const store = openStore(place, settings)
  return { store: withRetry(store, { retries: RETRIES }), settings }
}

/**
 * Aborts an upload until no part of it is left, within a time limit.
 *
 * @param {Store} store
 * @param {{ key: string, uploadId: string }} upload
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<'aborted' | 'gone' | 'lapses'>}
 * @throws {XferError}
 */
async function abortUpload(store, { key, uploadId }, signal) {
  const limit = AbortSignal.timeout(ABORT_LIMIT_MS)
  const signals = signal ? [signal, limit] : [limit]
  return await abortUntilGone(store, key, uploadId, anySignal(signals)).catch(error => {
    if (!limit.aborted) throw error
    const reason = `The destination lists parts of an upload that was aborted for ${ABORT_LIMIT_MS / 60_000} minutes.`
    const advice = 'Look for another process that still writes to it.'
    throw new XferError('UPLOAD_LEFT', { ...store.facts, reason, advice, uploadId })
  })
}

module.exports = {
  abortUpload,
  ask,
  beginRun,
  openAsked,
  openDestination,
  openEnds,
  openOne,
  openPlaces,
  resolveEnd,
  sharedAs,
  tellTo,
}
