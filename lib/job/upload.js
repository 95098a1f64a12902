'use strict'

/**
 * Opens uploads. What is of the place many have together: its settings, its store, its outages, the engine and one scheduler. What is of one
 * upload it has alone: its options, its end, what it tells and uses.
 */

const { takeKept } = require('../async')
const { XferError, usage } = require('../errors')
const { chooseEngine, findEngines } = require('../engines')
const { readerOf } = require('../options')
const { createPressure, createScheduler, shareRate } = require('../schedule')
const {
  checkAttributes,
  checkMetadata,
  createLate,
  idBelow,
  identify,
  parsePlace,
  placeText,
  resolveSettings,
} = require('../stores')
const { beginRun, openPlaces, sharedAs } = require('./open-one')
const { readEngine, readSettings, withEngine } = require('./open')
const { NO_JOURNAL } = require('./run')

/** @typedef {import('./contract').Job} Job */
/** @typedef {import('../types').JobWish} JobWish */
/** @typedef {Awaited<ReturnType<typeof openSession>>} UploadSession */

/**
 * It asks the network nothing.
 *
 * @param {string} text of the destination
 * @param {JobWish} options
 * @param {(event: import('../types').JobEvent) => void} emit
 * @param {import('./contract').Side} source a stream of this process
 * @returns {Promise<{ job: Job } & Pick<UploadSession, 'limits' | 'schedule'>>} job: without a journal: it cannot be gone on with; limits: of
 *   its engine; schedule: for what is written in one request
 * @throws {import('../types').XferError} of exit status 2, 4 or 5
 */
async function openUpload(text, options, emit, source) {
  const settings = readSettings(options, { prefixes: false })
  const name = readEngine(options)
  const place = parsePlace(text, 'destination')
  const { env = process.env } = options
  const key = keyOf(place, options, { settings, name })
  const { value: session, leave } = await takeKept(env, key, () =>
    openSession(place, options, { settings, name, source, shared: key !== undefined }),
  )
  session.emits.add(emit)
  try {
    const { settings: found, identity } = session.resolved
    const id = session.late ? idBelow(identity.id, place.key) : identity.id
    const resolved = [{ place, settings: found, identity: { ...identity, id } }]
    checkUpload(place, session, settings)
    const { ends, run, close } = beginRun(session, resolved, options, emit, { prefixes: false, endsItself: false })
    const [destination] = ends
    const { engine, why, limits, schedule } = session
    const job = {
      ...withEngine({ settings, engine, why, run }, source, destination),
      asksServer: /** @type {const} */ (false),
      run: { ...run, journal: NO_JOURNAL },
      async close() {
        close()
        session.emits.delete(emit)
        if (session.late) destination.store.close()
        await leave()
      },
    }
    return { job, limits, schedule }
  } catch (error) {
    session.emits.delete(emit)
    await leave()
    throw error
  }
}

/**
 * @param {import('../types').Place} place
 * @param {Pick<UploadSession, 'resolved' | 'stores'>} session
 * @param {import('./contract').Settings} settings
 * @throws {import('../types').XferError} USAGE
 */
function checkUpload(place, { resolved, stores: [store] }, { attributes }) {
  if (place.key === '' || place.key.endsWith('/')) {
    const text = `The destination ${placeText(place)} names no object, and a stream has no name to append.`
    throw usage(text, 'Give the destination a key.')
  }
  checkAttributes(place, resolved.settings, attributes)
  checkMetadata(store, attributes.given)
}

/**
 * @param {import('../types').Place} place
 * @param {JobWish} options
 * @param {{ settings: import('./contract').Settings, name: string }} how
 * @returns {string | undefined} equal for uploads that may have a session together; undefined: it has one alone
 */
function keyOf(place, options, { settings, name }) {
  const { caBundle, destination } = options
  const shared = sharedAs(place, 'destination', { caBundle, ...destination })
  const { bytesPerSecond, concurrency, condition, memoryBytes, retries } = settings
  // A rate is of one upload; and a store may ask for what a condition names.
  if (shared === undefined || bytesPerSecond !== undefined || condition.ifMatch !== undefined) return undefined
  return `${name} ${concurrency} ${memoryBytes} ${retries} ${readerOf('copy', options)('outageTimeout')} ${shared}`
}

/**
 * @param {import('../types').Place} place
 * @param {JobWish} options
 * @param {{ settings: import('./contract').Settings, name: ReturnType<typeof readEngine>, source: import('./contract').Side, shared: boolean }} how
 */
async function openSession(place, options, { settings, name, source, shared }) {
  const { env = process.env, caBundle, destination } = options
  const engines = await findEngines(name, options, env, { here: true })
  // Its messages name no object.
  const common = shared ? { ...place, key: '' } : place
  const found = await resolveSettings(common, 'destination', { caBundle, ...destination }, env)
  const resolved = { place: common, settings: found, identity: identify(common, found) }
  /** Of the uploads under way. @type {Set<(event: import('../types').JobEvent) => void>} */
  const emits = new Set()
  /** @param {import('../types').JobEvent} event */
  const tell = event => {
    for (const emit of emits) emit(event)
  }
  const places = openPlaces([resolved], options, tell)
  const { stores, outages } = places
  const [store] = stores
  try {
    const { engine, why } = chooseEngine(engines, { ...settings, name, stores: [source.store, store] })
    const allowed = await engine.limits({})
    const { concurrency, limits } = shareRate(
      { engine, settings },
      { concurrency: allowed.concurrent, limits: allowed, partBytes: settings.chunkBytes, mixed: true },
    )
    const scheduler = createScheduler({
      run: engine.run,
      limits,
      concurrency: shared ? concurrency : 1,
      // Each brings its own engine, and is ended alone.
      partsPerInvocation: 1,
      partBytes: settings.chunkBytes,
      retries: settings.retries,
      pressure: createPressure({ outages, random: Math.random }),
      emit: tell,
    })
    return {
      ...places,
      ...(shared && { late: createLate(store) }),
      resolved,
      emits,
      engine,
      why,
      limits: allowed,
      /** @type {import('../copy/small').Schedule} */
      schedule: (parts, how) =>
        scheduler.run(parts, how).catch(error => {
          // Each upload has an error of its own.
          throw error === scheduler.failure() ? new XferError(error.code, error.facts, { cause: error.cause }) : error
        }),
      /** Nobody waits for the end of an outage any more, or it has lasted too long. */
      isOver: () => scheduler.failure() !== undefined || (emits.size === 0 && outages.holding()),
      async close() {
        await scheduler.end()
        places.close()
        await engine.close()
      },
    }
  } catch (error) {
    places.close()
    throw error
  }
}

module.exports = { keyOf, openUpload }
