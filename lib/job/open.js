'use strict'

/** Opens a job: checks the options, parses the locations, and opens both stores and the engine. */

const { isDeepStrictEqual } = require('node:util')
const { createTrust, readCondition } = require('../destination')
const { XferError, usage } = require('../errors')
const { checkEngineOptions, chooseEngine, engineNames, findEngines } = require('../engines')
const { memoryOf, readAttributes, readerOf, silenceOf } = require('../options')
const { withRenewal } = require('../schedule')
const {
  asPrefix,
  checkAttributes,
  checkMetadata,
  completeDestination,
  identify,
  parsePlace,
  placeText,
  factoryOfPlace,
} = require('../stores')
const { openEnds, openOne, resolveEnd } = require('./open-one')
const { NO_JOURNAL } = require('./run')

/** @typedef {import('../types').JobWish} JobWish */
/** @typedef {import('./contract').Side} Side */
/** @typedef {import('./contract').Run} Run */
/** @typedef {import('./contract').Job} Job */
/** @typedef {import('./contract').Context} Context */

/**
 * Finds every error that needs no network before the first request.
 *
 * @param {string} sourceText
 * @param {string} destinationText
 * @param {JobWish} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @param {object} [how]
 * @param {boolean} [how.prefixes] both locations are prefixes
 * @param {boolean} [how.reads] nothing is written: one prefix may contain the other
 * @param {boolean} [how.ofJournal] both locations are a journal's
 * @param {(job: Pick<Job, 'settings' | 'source' | 'destination'> & { cancel: AbortSignal }) => Promise<Pick<Run, 'journal' | 'manifestOut'> & { close?: () => Promise<void> }>} [how.journal]
 *   opens the job's journal, and what writes its manifest; close: of what they lie in; default: none
 * @returns {Promise<Job>}
 * @throws {import('../types').XferError} of exit status 2, 4 or 5
 */
async function openJob(sourceText, destinationText, options, emit, how = {}) {
  const { prefixes = false, reads = false, ofJournal = false, journal: openJournal } = how
  const asked = readSettings(options, { prefixes })
  const name = readEngine(options)
  if (prefixes && options.source?.versionId !== undefined) {
    throw usage(
      '--version-id names a version of one object, and this command is about a prefix.',
      'Copy each object of which you want a version by itself, without -r: xfer copy SRC DEST --version-id ID.',
    )
  }
  const places = parseBoth(sourceText, destinationText, { prefixes, ofJournal })
  const from = await resolveEnd(places.from, 'source', options)
  const to = await resolveEnd(places.to, 'destination', options)
  if (prefixes) checkApart(from, to, reads)
  const inPlace = !prefixes && from.identity.id === to.identity.id
  if (inPlace) checkInPlace(from, to, { ...asked, reads, versionId: options.source?.versionId })
  /** What is changed in place is changed by the store or not at all. */
  const settings = inPlace ? Object.freeze({ ...asked, inPlace, route: /** @type {const} */ ('server') }) : asked
  checkAttributes(to.place, to.settings, settings.attributes)
  const byServer = inPlace
    ? 'copies'
    : asksServer(settings.route, {
        source: from.identity,
        destination: to.identity,
        bytesPerSecond: settings.bytesPerSecond,
        prefixes,
        readsAll: prefixes && settings.verify === 'full',
      })
  const engines = await findEngines(name, options, options.env ?? process.env)
  const opened = openEnds([from, to], options, emit, { prefixes, reads })
  const [source, destination] = opened.ends
  const { shared } = opened
  /** Closes what is open by now. */
  let { close } = opened
  try {
    const equipped = equip({ settings, name, engines, close, shared }, source, destination)
    close = equipped.close
    const cancel = /** @type {AbortSignal} */ (shared.cancel)
    const { close: closeState, ...written } = (await openJournal?.({ settings, source, destination, cancel })) ?? {
      journal: NO_JOURNAL,
    }
    const { journal } = written
    journal.watchTaken?.(shared.end)
    journal.watchStop?.(() => shared.stop(new XferError('INTERRUPTED', { what: 'copy', asked: true })))
    const closeRest = close
    close = async () => {
      await closeRest()
      await closeState?.()
    }
    if (journal.kept) destination.store.leftovers?.note(journal.state.id)
    // The process may be killed before the job has ended.
    const noteEnding = () => {
      const { code, message } = cancel.reason
      journal.note({ type: 'ending', code, message })
    }
    cancel.addEventListener('abort', noteEnding, { once: true })
    return Object.freeze({ ...equipped, close, asksServer: byServer, run: Object.freeze({ ...shared, ...written }) })
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Opens the job of a reading that compares the location with no store, and has it as both of its ends. It asks the network nothing.
 *
 * @param {string} text
 * @param {import('../types').JobWish} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @param {{ as?: 'object' | 'prefix', of?: string }} how of: as of `openOne`
 * @returns {Promise<Job>} without a journal: it cannot be gone on with
 * @throws {XferError} of exit status 2, 4 or 5
 */
async function openAlone(text, options, emit, { as = 'object', of }) {
  const settings = readSettings(options, { prefixes: as === 'prefix' })
  const name = readEngine(options)
  const engines = await findEngines(name, options, options.env ?? process.env)
  const one = await openOne(text, 'destination', options, emit, { as, reads: true, of })
  try {
    const { run, end, close } = one
    const equipped = equip({ settings, name, engines, close, shared: run }, end, end)
    return Object.freeze({ ...equipped, asksServer: /** @type {const} */ (false), run })
  } catch (error) {
    await one.close()
    throw error
  }
}

/** @param {string} source @param {string} destination @param {{ prefixes: boolean, ofJournal: boolean }} how as of `openJob` */
function parseBoth(source, destination, { prefixes, ofJournal }) {
  const from = parsePlace(source, 'source', { containerAlone: prefixes, ofJournal })
  const to = parsePlace(destination, 'destination', { ofJournal })
  return prefixes ? { from: asPrefix(from), to: asPrefix(to) } : { from, to: completeDestination(to, from) }
}

/**
 * What every job has, once both ends are open.
 *
 * @param {{ settings: ReturnType<typeof readSettings>, name: ReturnType<typeof readEngine>, engines: Awaited<ReturnType<typeof findEngines>> } & Pick<import('./open-one').One, 'close'> & { shared: import('./contract').UnwrittenRun }} of
 *   close: closes both ends; shared: of the run
 * @param {Side} source
 * @param {Side} destination
 */
function equip({ settings, name, engines, shared, close: closeEnds }, source, destination) {
  checkMetadata(destination.store, settings.attributes.given)
  const { engine, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, destination.store] })
  const { ping } = engine
  if (ping) shared.pressure.outages.watch(['platform'], { where: engine.where, probe: signal => ping({ signal }) })
  async function close() {
    await closeEnds()
    await engine.close()
  }
  return { ...withEngine({ settings, engine, why, run: shared }, source, destination), close }
}

/**
 * What every job has, once its engine is there: that is counted for this run, and signs anew for its stores.
 *
 * @param {Pick<Job, 'settings' | 'engine' | 'why'> & { run: import('./contract').UnwrittenRun }} of engine: as it was opened
 * @param {Side} source
 * @param {Side} destination
 */
function withEngine({ settings, engine, why, run }, source, destination) {
  const stores = { source: source.store, destination: destination.store }
  const trust = createTrust(destination.store, { retries: settings.retries, emit: run.emit })
  return { settings, source, destination, engine: withRenewal(run.usage.counting(engine), stores), why, trust }
}

/**
 * Neither prefix may contain the other: a copy would list its own objects, and a sync could delete its source.
 *
 * @param {import('./open-one').Resolved} from
 * @param {import('./open-one').Resolved} to
 * @param {boolean} reads nothing is written: only equal prefixes are refused
 * @throws {XferError} SAME_OBJECT
 */
function checkApart({ place: from, settings: fromSettings }, { place: to, settings: toSettings }, reads) {
  const container = identify({ ...from, key: '' }, fromSettings).id
  if (container !== identify({ ...to, key: '' }, toSettings).id) return
  const nests = (/** @type {string} */ one, /** @type {string} */ other) =>
    one.startsWith(other) || other.startsWith(one)
  // A link may lead into the other one.
  const [here, there] = [from, to].map(place => factoryOfPlace(place).place().real?.(place.key) ?? place.key)
  const apart = reads ? from.key !== to.key : !nests(from.key, to.key) && !nests(here, there)
  if (apart) return
  const terms = factoryOfPlace(to).terms?.('destination')
  throw new XferError('SAME_OBJECT', { source: placeText(from), destination: placeText(to), terms })
}

/**
 * An object may be copied onto itself only by its store, and only to change what it is given.
 *
 * @param {{ place: import('../stores/contract').Place, identity: import('../types').Identity }} from
 * @param {{ place: import('../stores/contract').Place, identity: import('../types').Identity }} to
 * @param {{ attributes: import('../types').AttributeWish, verify: string, route: string, move: boolean, reads: boolean, versionId?: string }} asked
 * @throws {XferError} SAME_OBJECT, USAGE
 */
function checkInPlace(from, to, { attributes, verify, route, move, reads, versionId }) {
  const can = from.identity.copies !== undefined && from.identity.copies === to.identity.copies
  const changes = !isDeepStrictEqual(attributes, readAttributes({}))
  const writes = !move && !reads && versionId === undefined
  if (!can || !changes || !writes || route === 'engine') {
    const location = placeText(from.place)
    const terms = factoryOfPlace(to.place).terms?.('destination')
    throw new XferError('SAME_OBJECT', { location, terms, ...(writes && { inPlace: can }) })
  }
  if (verify === 'full') {
    throw usage(
      `${placeText(from.place)} is changed in place by its store: its bytes stay, and --verify full would read them twice.`,
      'Leave out --verify full; to know that the bytes are right, compare the object with another copy: xfer verify.',
    )
  }
}

/** @param {JobWish} options @param {{ prefixes: boolean }} how */
function readSettings(options, { prefixes }) {
  const read = readerOf('copy', options)
  const { clobber, ifMatch, ignoreExisting, dryRun, restart } = options
  const chunk = read('chunk')
  const concurrency = read('concurrency')
  const usual = readerOf('copy', {})
  const usualBytes = Number(usual('chunk'))
  const verify = read('verify')
  const chunkBytes = typeof chunk === 'number' ? chunk : usualBytes
  return Object.freeze({
    chunkBytes,
    /** Whether it is the default size. */
    usualChunk: chunkBytes === usualBytes,
    route: read('route'),
    /** Whether to use the source's own part size. */
    matchChunk: chunk === 'match',
    /** Whether to choose the size by `--chunk auto`. */
    autoChunk: chunk === 'auto',
    verify,
    /** Whether every written byte has to be proved. */
    proved: verify === 'auto' || verify === 'full',
    concurrency,
    /** Whether it is the default. */
    usualConcurrency: concurrency === usual('concurrency'),
    /** The limit for the whole job; undefined: none. */
    bytesPerSecond: read('bandwidth'),
    /** Of objects, that this process may hold. */
    memoryBytes: memoryOf(read('memory')),
    retries: read('retries'),
    silenceMs: silenceOf(options),
    /** The condition of each write: somebody else may create the object first. */
    condition: readCondition(prefixes ? { clobber: !ignoreExisting } : { clobber, ifMatch }),
    attributes: readAttributes(options),
    dryRun: dryRun ?? false,
    /** Whether each source is deleted once its copy is proved. */
    move: options.move ?? false,
    onFailure: read('onFailure'),
    /** Bytes a second of one invocation, as `xfer probe` measured. @type {number | undefined} */
    pace: /** @type {any} */ (options).pace,
    restart: restart ?? false,
    /** Whether source and destination are one object, which its store gives other attributes. */
    inPlace: /** @type {boolean} */ (false),
  })
}

/** Which engine is asked for, and whether a store is asked to copy by itself. */

/** @typedef {import('../types').JobWish['engine']} EngineName */

/**
 * Reads which engine the options name.
 *
 * @param {{ engine?: EngineName }} options of the command
 * @returns {EngineName & string} `auto`, or an engine's
 * @throws {XferError} USAGE
 */
function readEngine(options) {
  const { engine = 'auto' } = options
  const names = engineNames()
  if (!names.includes(engine)) {
    throw usage(`There is no engine "${engine}".`, `Choose one of ${names.join(', ')}.`)
  }
  checkEngineOptions(options)
  return engine
}

/** Whether a store can copy by itself, and no option needs an engine. Pure. */

/** @typedef {Pick<import('../types').Identity, 'copies' | 'lends' | 'pulls' | 'name'>} JobIdentity of the store */
/** @typedef {'auto' | 'server' | 'engine'} Route */

/**
 * `auto` never asks two unlike stores: the destination would get a URL with which it reads the source.
 *
 * @param {Route} route the value of `--route`
 * @param {{ source: JobIdentity, destination: JobIdentity, bytesPerSecond?: number, readsAll?: boolean, prefixes?: boolean }} job
 *   readsAll: every object, once it is copied; prefixes: all objects below one are copied
 * @returns {'copies' | 'pulls' | false} copies: the store of both sides is asked first; pulls: the destination is asked to read
 *   the source by itself
 * @throws {XferError} USAGE if `server` was asked for and is not possible
 */
function asksServer(route, { source, destination, bytesPerSecond, readsAll = false, prefixes = false }) {
  if (route === 'engine') return false
  const same = source.copies !== undefined && source.copies === destination.copies
  if (same && bytesPerSecond === undefined && !readsAll) return 'copies'
  if (route === 'auto') return false
  const pulls = !same && source.lends === true && destination.pulls === true
  if (!same && !pulls) {
    const why =
      source.name === destination.name
        ? `${source.name} does not copy by itself`
        : `source and destination are not in one store (${source.name} and ${destination.name})`
    throw refusal(why, 'Leave it out, and the bytes go through the engine.')
  }
  if (readsAll) throw refusal('--verify full reads all that lies below a prefix', 'Give one of them only.')
  if (bytesPerSecond !== undefined) throw refusal('no store holds a --bandwidth', 'Give one of them only.')
  if (prefixes)
    throw refusal('between two stores it copies single objects only', 'Leave it out, and the engine copies.')
  return 'pulls'
}

/** @param {string} why @param {string} advice */
function refusal(why, advice) {
  return usage(`--route server leaves the copy to the store, and ${why}.`, advice)
}

module.exports = { openAlone, openJob, readSettings, asksServer, readEngine, withEngine }
