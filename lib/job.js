'use strict'

/** What a copy needs before its first byte: options checked, locations parsed, both stores, the engine. */

const { readCondition } = require('./condition')
const { XferError } = require('./errors')
const { chooseEngine, NAMES } = require('./engines')
const { isLoopback } = require('./http/loopback')
const { completeDestination, formatLocation, parseLocation } = require('./location')
const { parseRate } = require('./settings/rates')
const { MiB, parseCount, parseSize } = require('./settings/sizes')
const { parseEngineLimits } = require('./settings/engine-limits')
const { parseDuration } = require('./settings/durations')
const { withRenewal } = require('./renewal')
const { actionName } = require('./settings/package')
const { resolvePlatform } = require('./settings/platform')
const { resolveSide } = require('./settings/side')
const { createPressure, refusingSide } = require('./schedule/pressure')
const { createStop } = require('./stop')
const { createStore } = require('./stores')
const { withRetry } = require('./stores/retry')
const { NO_JOURNAL } = require('./unfinished')

const DEFAULTS = { chunkBytes: 100 * MiB, concurrency: 1000, retries: 3, ioTimeoutS: 30 }
const BOUNDS = {
  concurrency: { least: 1, most: 10_000 },
  retries: { least: 0, most: 100 },
  ioTimeout: { least: 1, most: 3600 },
  partsPerInvocation: { least: 1, most: 1000, or: 'auto' },
}

/** @typedef {import('./types').CopyOptions} CopyOptions */
/** @typedef {import('./types').ObjectLocation} ObjectLocation */
/** @typedef {import('./types').Store} Store */

/**
 * @typedef {object} Side
 * @property {Store} store control calls are repeated where that can help
 * @property {string} key
 * @property {string} text for people
 * @property {string | undefined} profile named in its location
 * @property {string} place equal for two that are one object
 * @property {import('./types').SideSettings} settings
 *
 * @typedef {object} Job
 * @property {Side} source
 * @property {Side} destination
 * @property {import('./types').Engine} engine
 * @property {string} why the engine was chosen
 * @property {import('./schedule/pressure').Pressure} pressure what the stores bear
 * @property {ReturnType<typeof readSettings>} settings
 * @property {import('./types').JobJournal} journal
 * @property {AbortSignal | undefined} stopping nothing more is to start
 * @property {AbortSignal | undefined} signal what runs is to end too
 * @property {() => void} close the job's timers
 * @property {(event: import('./types').CopyEvent) => void} emit
 */

/**
 * Everything that can be wrong without asking the network is found here, before anything is asked.
 *
 * @param {string} sourceText
 * @param {string} destinationText
 * @param {CopyOptions} options
 * @param {(event: import('./types').CopyEvent) => void} emit
 * @returns {Promise<Job>}
 * @throws {import('./types').XferError} of exit status 2, 4 or 5
 */
async function openJob(sourceText, destinationText, options, emit) {
  const env = options.env ?? process.env
  const settings = readSettings(options)
  const engineName = readEngineName(options.engine)
  const action = actionName(options.packageName)
  const from = parseLocation(sourceText, 'source')
  const to = completeDestination(parseLocation(destinationText, 'destination'), from, options.exactKey ?? false)
  const fromSettings = await resolveSide('source', { caBundle: options.caBundle, ...options.source }, from.profile, env)
  const toSettings = await resolveSide(
    'destination',
    { caBundle: options.caBundle, ...options.destination },
    to.profile,
    env,
  )
  const places = { source: placeOf(from, fromSettings), destination: placeOf(to, toSettings) }
  if (places.source === places.destination) {
    throw new XferError('SAME_OBJECT', { location: formatLocation(from) })
  }
  const platform = engineName === 'local' ? undefined : await resolvePlatform(options, env)
  const same = serverOf(from, fromSettings) === serverOf(to, toSettings)
  const pressure = createPressure({ same, random: Math.random })

  /** @param {ObjectLocation} location @param {import('./types').SideSettings} side @returns {Side} */
  const open = (location, side) => {
    const store = createStore(location, { ...side, silenceMs: settings.silenceMs })
    const text = formatLocation(location)
    store.facts.location = text
    const onRetry = (
      /** @type {import('./types').XferError} */ error,
      /** @type {string} */ call,
      /** @type {number} */ attempt,
    ) => {
      const { code, message } = error
      if (refusingSide(error)) pressure.refusedElsewhere(side.side, Date.now(), error.retryAfterMs)
      emit({ type: 'retry', call, side: side.side, attempt, code, message })
    }
    return {
      store: withRetry(store, { retries: settings.retries, onRetry }),
      key: location.key,
      text,
      profile: location.profile,
      place: places[side.side],
      settings: side,
    }
  }
  const source = open(from, fromSettings)
  const destination = open(to, toSettings)
  const { engine, why } = chooseEngine({
    engine: engineName,
    platform,
    action,
    stores: [source.store, destination.store],
    silenceMs: settings.silenceMs,
    concurrency: settings.concurrency,
    bytesPerSecond: settings.bytesPerSecond,
    transport: readTransport(env),
    engineLimits: settings.engineLimits,
  })
  const { asked: stopping, now: signal, close } = createStop({ signal: options.signal, timeout: settings.timeout })
  const stores = { source: source.store, destination: destination.store }
  return {
    source,
    destination,
    engine: withRenewal(engine, stores),
    why,
    pressure,
    settings,
    journal: NO_JOURNAL,
    stopping,
    signal,
    close,
    emit,
  }
}

/** @param {CopyOptions} options */
function readSettings({
  chunk,
  concurrency,
  bandwidth,
  retries,
  ioTimeout,
  partsPerInvocation = 'auto',
  engineLimits,
  clobber,
  ifMatch,
  dryRun,
  verify = 'auto',
  onFailure = 'keep',
  timeout,
  restart,
}) {
  return {
    chunkBytes:
      chunk === undefined || chunk === 'match' || chunk === 'auto' ? DEFAULTS.chunkBytes : parseSize(chunk, '--chunk'),
    /** Whether the source's own part size is to be taken. */
    matchChunk: chunk === 'match',
    /** Whether one is to be weighed. */
    autoChunk: chunk === 'auto',
    verify: readChoice(verify, '--verify', ['auto', 'full', 'none']),
    concurrency:
      concurrency === undefined ? DEFAULTS.concurrency : parseCount(concurrency, '--concurrency', BOUNDS.concurrency),
    /** Of all that the job moves; undefined: as many as can be. */
    bytesPerSecond: bandwidth === undefined ? undefined : parseRate(bandwidth, '--bandwidth'),
    retries: retries === undefined ? DEFAULTS.retries : parseCount(retries, '--retries', BOUNDS.retries),
    silenceMs:
      1000 * (ioTimeout === undefined ? DEFAULTS.ioTimeoutS : parseCount(ioTimeout, '--io-timeout', BOUNDS.ioTimeout)),
    /** @type {number | undefined} undefined: as many as the quota makes better */
    partsPerInvocation:
      partsPerInvocation === 'auto'
        ? undefined
        : parseCount(partsPerInvocation, '--parts-per-invocation', BOUNDS.partsPerInvocation),
    engineLimits: engineLimits === undefined ? {} : parseEngineLimits(engineLimits),
    condition: readCondition({ clobber, ifMatch }),
    dryRun: dryRun ?? false,
    onFailure: readChoice(onFailure, '--on-failure', ['keep', 'abort']),
    timeout:
      timeout === undefined
        ? undefined
        : { ms: parseDuration(timeout, '--timeout'), text: typeof timeout === 'number' ? `${timeout} ms` : timeout },
    restart: restart ?? false,
  }
}

/** @param {unknown} value @param {string} name the option @param {string[]} choices */
function readChoice(value, name, choices) {
  if (choices.includes(/** @type {any} */ (value))) return /** @type {string} */ (value)
  throw new XferError('USAGE', {
    text: `${name} "${value}" is unknown.`,
    advice: `Choose one of ${choices.join(', ')}.`,
  })
}

/** The way back to Node's own HTTP, should the action's own ever fail. @param {Record<string, string | undefined>} env */
function readTransport({ XFER_TRANSPORT: name }) {
  if (!name) return undefined
  return /** @type {'socket' | 'http'} */ (readChoice(name, 'XFER_TRANSPORT', ['socket', 'http']))
}

/** @param {CopyOptions['engine']} name */
function readEngineName(name = 'auto') {
  if (NAMES.includes(name)) return name
  throw new XferError('USAGE', { text: `There is no engine "${name}".`, advice: `Choose one of ${NAMES.join(', ')}.` })
}

/** Equal for two locations that are one object. @param {ObjectLocation} location @param {import('./types').SideSettings} settings */
function placeOf({ bucket, key }, { endpoint }) {
  const url = endpoint === undefined ? undefined : new URL(endpoint)
  const host = url && (isLoopback(url.hostname) ? `loopback:${url.port}` : url.host)
  return JSON.stringify([host, bucket, key])
}

/** Equal for two locations that one server answers for; AWS answers for each bucket by itself. @param {ObjectLocation} location @param {import('./types').SideSettings} settings */
function serverOf({ bucket }, { endpoint }) {
  if (endpoint === undefined) return bucket
  const { host, hostname, port } = new URL(endpoint)
  return isLoopback(hostname) ? `loopback:${port}` : `//${host}`
}

/** @param {Job} job */
async function closeJob({ source, destination, engine, close }) {
  close()
  source.store.close()
  destination.store.close()
  await engine.close()
}

module.exports = { openJob, closeJob, placeOf }
