'use strict'

/** The checks of one side: whether the store can be reached, by this machine and by functions, with which credentials, and what they allow. */

const { randomBytes } = require('node:crypto')
const { XferError, asXferError, factsOfCause, throwIfAborted } = require('../errors')
const { askStore, explainConnection, isLoopback } = require('../http')
const { factoryOfPlace, nameFaultsText, openStore, placeText, resolveSettings, withRetry } = require('../stores')
const { toParameters } = require('../engines')

/** @typedef {import('./run').Check} Check */
/** @typedef {import('./run').Finding} Finding */
/** @typedef {import('../types').Place} Place */
/** @typedef {import('../types').Store} Store */

const ASK_MS = 10_000
const CHECK_MS = 30_000
const CLEAN_RETRIES = 3
/** What a store gets that cannot abort uploads. */
const PROBE = Buffer.from('xfer doctor\n')

/**
 * What the checks find out, for later checks.
 *
 * @typedef {object} SideFound
 * @property {'source' | 'destination'} side
 * @property {true} [here] no function reaches it: only threads of this machine do
 * @property {Store} [store] undefined if its settings are wrong
 * @property {string} [origin] the address at which functions reach it
 * @property {string} [unreachedIn] the check in which this machine could not reach it
 */

/**
 * @param {'source' | 'destination'} side
 * @param {Place} location its key may be ''
 * @param {import('../types').SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @param {{ deep?: boolean }} how deep: nothing is assumed of its server
 * @returns {{ checks: Check[], found: SideFound, place: Place }}
 */
function sideChecks(side, location, options, env, { deep = false }) {
  const factory = factoryOfPlace(location)
  const own = factory.checks?.(location, { side, options, env })
  if (own) return { checks: own, found: { side, here: true }, place: location }
  /** @type {SideFound} */
  const found = { side }
  const opened = () => /** @type {Store} */ (found.store)

  /** @type {Check} */
  const credentials = {
    name: `${side} credentials`,
    limitMs: CHECK_MS,
    async run() {
      const settings = await resolveSettings(location, side, options, env)
      const store = openStore(location, {
        ...settings,
        silenceMs: ASK_MS,
        ...(deep && { own: /** @type {const} */ ('unknown') }),
      })
      found.store = store
      found.origin = store.origin
      const signed = await store.authenticate()
      found.origin = await originOf(store, location)
      const how = signed ? 'Credentials were found' : 'Requests are sent without credentials'
      return describe(`${how} for ${new URL(found.origin).host}`, store)
    },
  }
  /** @type {Check} */
  const access = {
    name: side === 'source' ? 'source reading' : 'destination writing',
    needs: [credentials.name],
    limitMs: CHECK_MS,
    cleans: side === 'destination',
    async run(signal) {
      try {
        return await (side === 'destination' ? tryWriting : tryReading)(opened(), location, signal)
      } catch (error) {
        if (asXferError(error).code === 'STORE_UNREACHABLE') found.unreachedIn = access.name
        throw error
      }
    },
  }
  /** @type {Check} */
  const name = {
    name: `${side} name`,
    needs: [credentials.name],
    limitMs: CHECK_MS,
    run: signal => judgeName(opened(), location, { signal, asks: found.unreachedIn === undefined }),
  }
  return { checks: [credentials, access, ...(factory.place().parseAccount ? [name] : [])], found, place: location }
}

const DAY_MS = 24 * 3_600_000

/**
 * What the name of the container breaks, how old the container is, and how fast it begins. It never fails: what is there can be used.
 *
 * @param {Store} store
 * @param {Place} location
 * @param {{ signal: AbortSignal, asks: boolean }} how asks: whether the store answers
 * @returns {Promise<Finding>}
 */
async function judgeName(store, { container }, { signal, asks }) {
  const { container: term = 'container' } = store.facts.terms ?? {}
  const faults = store.nameFaults?.() ?? []
  const says = [`The name "${container}" ${nameFaultsText(faults) || 'breaks no rule of the store'}`]
  const createdMs = asks ? await createdOf(store, container, signal) : undefined
  if (createdMs !== undefined) {
    const days = Math.max(0, Math.floor((store.now() - createdMs) / DAY_MS))
    const day = new Date(createdMs).toISOString().slice(0, 10)
    says.push(`the ${term} was created on ${day}, ${days} ${days === 1 ? 'day' : 'days'} ago`)
  }
  if (store.baseRate) {
    const { of, ...rates } = store.baseRate
    const [writes, reads] = [rates.writes, rates.reads].map(rate => rate.toLocaleString('en-US'))
    says.push(`a new ${of} begins with ${writes} writes and ${reads} reads a second, and gets more as it is used`)
  }
  const hint = faults.length > 0 ? `Give a new ${term} another name; this one can be used as it is.` : undefined
  return { ok: true, detail: `${says.join('; ')}.`, ...(hint && { hint }) }
}

/**
 * @param {Store} store
 * @param {string} name of the container
 * @param {AbortSignal} signal
 * @returns {Promise<number | undefined>} undefined: the store does not tell, or not on its first page
 */
async function createdOf({ can, containers }, name, signal) {
  if (!can.datesContainers) return undefined
  // The credentials need not be allowed to list them.
  const page = await containers?.({}, { signal }).catch(() => undefined)
  return page?.containers.find(one => one.name === name)?.createdMs
}

/** Credentials that end sooner are worth a warning. */
const SOON_MS = 3 * 3_600_000

/** @param {string} found @param {Store} store @returns {Finding} */
function describe(found, store) {
  const { words, expiresMs } = store.credentials?.() ?? {}
  const detail = `${found}${words ? `: ${words}` : ''}.`
  if (expiresMs === undefined || expiresMs - store.now() > SOON_MS) return { ok: true, detail }
  const minutes = Math.max(0, Math.floor((expiresMs - store.now()) / 60_000))
  const hint = `They end in ${minutes} minutes: a copy that is not done by then fails, and can be resumed with new ones.`
  return { ok: true, detail, hint }
}

/** What the credentials may do, as a sentence's end. @param {import('../stores/contract').Right[]} rights */
function rightsText(rights) {
  const may = rights.filter(({ allowed }) => allowed).map(({ what }) => what)
  const not = rights.filter(({ allowed }) => !allowed).map(({ what, without }) => `${what} (${without})`)
  return [
    ...(may.length > 0 ? [`the credentials may ${may.join(', ')}`] : []),
    ...(not.length > 0 ? [`they may not ${not.join(', ')}`] : []),
  ].join('; ')
}

/** The origin of the store; the SDK's rules determine it. @param {Store} store @param {Place} location */
async function originOf(store, { key }) {
  const { request } = await store.read({ key: key || 'xfer-doctor', etag: '""' })
  return new URL(request.url).origin
}

/**
 * @param {Store} store
 * @param {Place} location
 * @param {AbortSignal} signal
 * @returns {Promise<Finding>}
 * @throws {XferError} the store's refusal
 */
async function tryReading(store, location, signal) {
  if (location.key === '') return await tryListing(store, location, signal)
  const { key } = location
  const object = await store.head(key, { signal }).catch(cause => {
    const error = asXferError(cause)
    if (error.code !== 'NO_RANGES' || !store.stream) throw error
    return error
  })
  if (object instanceof XferError) {
    const hint = 'A copy reads it once, from its beginning to its end, on this machine, and cannot be resumed.'
    return { ok: true, detail: object.message, hint }
  }
  const { bytes, etag } = object
  const range = bytes === 0 ? undefined : { start: 0, end: 0 }
  const { request } = await store.read({ key, etag, range })
  await play(store, request, { of: 'read', signal })
  const size = `${bytes.toLocaleString('en-US')} bytes`
  const rights = store.rights ? `; ${rightsText(await store.rights(key, { signal }))}` : ''
  const trial = store.readTrial?.()
  const says = trial ? `; ${trial.says}` : ''
  const detail = `${placeText(location)} has ${size}, and ${range ? 'one' : 'none'} of them was read${rights}${says}.`
  const hint = 'A change within the same second, or to the same size, may go unnoticed: copy while nobody writes there.'
  return { ok: true, detail, ...(trial && !trial.holds && { hint }) }
}

/** @param {Store} store @param {Place} location @param {AbortSignal} signal @returns {Promise<Finding>} */
async function tryListing(store, location, signal) {
  const container = store.facts.terms?.container ?? 'container'
  if (!store.list) return { ok: null, detail: 'The store does not list objects: name an object to have it read.' }
  try {
    await store.list({ prefix: '' }, { signal })
  } catch (error) {
    const denied = /** @type {import('../types').XferError} */ (error).code === 'ACCESS_DENIED'
    if (!denied) throw error
    const detail = `The ${container} may not be listed, which no copy needs: name an object to have it read.`
    return { ok: null, detail }
  }
  return { ok: true, detail: `The ${container} "${location.container}" can be listed: name an object to have it read.` }
}

/**
 * Begins an upload and aborts it: a copy needs the permission for both, and nothing is left behind. The upload is aborted
 * whatever happens meanwhile. A store that cannot abort uploads gets a part of a few bytes, which it removes by itself. A store without
 * uploads gets a small object beside, which is removed.
 *
 * @param {Store} store
 * @param {Place} location
 * @param {AbortSignal} signal
 * @returns {Promise<Finding>}
 * @throws {XferError} the store's refusal; UPLOAD_LEFT
 */
async function tryWriting(store, location, signal) {
  const named = location.key !== '' && !location.key.endsWith('/')
  const key = named ? location.key : `${location.key}xfer-doctor-${randomBytes(4).toString('hex')}`
  const text = placeText({ ...location, key })
  throwIfAborted(signal)
  if (store.rights) {
    const rights = await store.rights(location.key, { signal })
    return { ok: true, detail: `Nothing was written to ${text}, and ${rightsText(rights)}.` }
  }
  const attributes = { metadata: { headers: {}, user: {} } }
  if (store.limits.maxParts === 1) {
    const beside = `${key}.xfer-doctor-${randomBytes(4).toString('hex')}`
    const put = { key: beside, bytes: PROBE.length, attributes, checksum: false }
    await play(store, (await store.put(put)).request, { of: 'write', body: PROBE, signal })
    await withRetry(store, { retries: CLEAN_RETRIES }).remove({ key: beside })
    return { ok: true, detail: `An object of a few bytes was written beside ${text}, and removed.` }
  }
  const { id } = await store.upload.create({ key, attributes, checksum: false })
  if (store.upload.lapse) {
    const part = { key, uploadId: id, partNumber: 1, bytes: PROBE.length, checksum: false }
    await play(store, (await store.upload.part(part)).request, { of: 'write', body: PROBE, signal })
    const { part: name = 'part' } = store.facts.terms ?? {}
    const detail = `A ${name} of a few bytes was uploaded to ${text}. It is not visible; ${store.upload.lapse.words}.`
    return { ok: true, detail }
  }
  try {
    await withRetry(store, { retries: CLEAN_RETRIES }).upload.abort?.({ key, uploadId: id })
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code === 'UPLOAD_GONE') return { ok: true, detail: `An upload to ${text} was begun and is gone.` }
    const facts = { ...store.facts, ...factsOfCause(error), uploadId: id, location: text }
    throw new XferError('UPLOAD_LEFT', facts, { cause })
  }
  return { ok: true, detail: `An upload to ${text} was begun and aborted.` }
}

/**
 * Sends a signed request as a function would.
 *
 * @param {Store} store
 * @param {import('../types').DataRequest} request
 * @param {{ of: 'read' | 'write', body?: Buffer, signal: AbortSignal }} what
 * @throws {XferError}
 */
async function play(store, request, { of, ...how }) {
  const { status, body } = await askStore(store, request, how)
  if ((request.accepts?.statuses ?? [200, 206]).includes(status)) return
  throw store.explain({ of, status, body })
}

/** Checks whether functions can reach a store. A function tries it, because this machine may be in another network. */

/**
 * @param {import('../engines/contract').EngineFound} platform
 * @param {SideFound} found
 * @returns {Check}
 */
function reachCheck(platform, found) {
  return {
    name: `${found.side} from functions`,
    needs: ['invocation'],
    foregone: () => judgeHosts(found, platform.settings),
    limitMs: 90_000,
    async run() {
      const { origin, side, unreachedIn } = found
      if (!platform.settings) return platform.none
      if (!origin) return { ok: null, detail: `Skipped, for it is not known where the ${side} is.` }
      return judgeProbe({ side, origin, unreachedIn }, await probe(platform, origin))
    },
  }
}

/**
 * @param {import('../engines/contract').EngineFound} platform
 * @param {string} url
 * @throws {XferError} ACTION_VERSION if its answer does not fit
 */
async function probe(platform, url) {
  const { version } = toParameters([])
  const result = await platform.invoke({ version, probe: [{ url }] })
  const found = result?.probes?.[0]
  if (typeof found?.reachable === 'boolean') return found
  throw new XferError('ACTION_VERSION', { ...platform.facts(), reason: 'it does not tell what it can reach' })
}

/**
 * Warns if functions cannot reach the store's address. No failure: a copy then uses the local engine
 * (lib/engines/choose.js).
 *
 * @param {SideFound} found
 * @param {import('../engines/contract').EngineSettings | undefined} engine undefined: not configured
 * @returns {Finding | undefined} undefined if the addresses alone do not decide it
 */
function judgeHosts({ side, origin, here }, engine) {
  if (here) {
    return { ok: null, detail: `Functions have nothing to do with the ${side}: only threads of this machine reach it.` }
  }
  if (!origin || !engine || !isLoopback(new URL(origin).hostname) || engine.reach !== 'network') return undefined
  return {
    ok: true,
    detail: `The ${side} ${origin} is on this machine, where functions of ${engine.where} cannot reach it.`,
    hint: "A copy will run on this machine's threads (--engine auto chooses it); functions need a store with an address of the network.",
  }
}

/**
 * @param {{ side: string, origin: string, unreachedIn?: string }} where unreachedIn: the check in which this machine did
 *   not reach the store either
 * @param {any} found the action's answer
 * @returns {Finding}
 */
function judgeProbe({ side, origin, unreachedIn }, found) {
  if (found.reachable) {
    return { ok: true, detail: `Functions reach the ${side} ${origin}, which answered in ${found.elapsedMs} ms.` }
  }
  const { code, reason } = found.error ?? {}
  if (code === 'ADDRESS_REFUSED') {
    const hint =
      'Check the endpoint, or allow it with xfer deploy --allow-hosts or --allow-metadata, or those options of xfer serve.'
    return { ok: false, detail: `Functions may not connect to the ${side} ${origin}, because ${reason}.`, hint }
  }
  const words = explainConnection(code)?.words
  const why = words ? `${code}: ${words}` : code
  const detail = `Functions cannot reach the ${side} ${origin} (${why}).`
  if (unreachedIn) return { ok: false, detail, hint: `Nor can this machine: see the check "${unreachedIn}".` }
  const hint = isLoopback(new URL(origin).hostname)
    ? 'To a function localhost is its own container: give the store an address of the network, or copy with --engine local.'
    : "Check that the platform's network and name servers lead to the store, or copy with --engine local."
  return { ok: false, detail, hint }
}

module.exports = { reachCheck, sideChecks }
