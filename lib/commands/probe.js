'use strict'

/** `xfer probe`: how fast a place is, for which sizes, and how many requests at once help. */

const { withHandler } = require('../async')
const { chooseEngine, findEngines } = require('../engines')
const { XferError, usage } = require('../errors')
const { openOne, tellTo } = require('../job')
const { objectsOf, walk } = require('../listing')
const { checkArguments, readerOf } = require('../options')
const {
  comparePlaces,
  createPlace,
  isPart,
  measure,
  measureUsers,
  mostOf,
  NAME,
  ofParts,
  parseExpectation,
  predict,
  predictMany,
  randomMemory,
  recommend,
  SIZES,
  SIZES_CALLED,
} = require('../probe')
const { factoryOfText } = require('../stores')

/** @typedef {import('../types').ProbeOptions} ProbeOptions */
/** @typedef {import('../types').ProbeReport} ProbeReport */
/** @typedef {import('../job/open-one').One} One */

/** The largest object that is written is at most this share of what may be written. */
const LARGEST_SHARE = 1 / 8
/** Fewer pairs say nothing. */
const LEAST_ROUNDS = 20
const ROUND_BYTES = 10_000_000
const MIX = ['put', 'get', 'head']
const MOST_USERS = 1024

/**
 * @param {string | string[]} locations a bucket, or a prefix of one; two: the time of a copy is predicted; more: they are compared
 * @param {ProbeOptions} [options]
 * @returns {Promise<ProbeReport>} what was written is deleted then
 * @throws {XferError} USAGE; the stores' errors
 */
async function probe(locations, options = {}) {
  return await withHandler('onEvent', options, given => run([locations].flat(), given))
}

/** @param {string[]} texts @param {ProbeOptions} options @returns {Promise<ProbeReport>} */
async function run(texts, options = {}) {
  const [source, ...others] = texts
  checkArguments('probe', { source }, options)
  for (const destination of others) checkArguments('probe', { destination }, options)
  const settings = readSettings(options, texts.length)
  const { env = process.env, confirm } = options
  const emit = tellTo(options.onEvent)
  /** @type {One[]} */
  const opened = []
  const startedMs = Date.now()
  const here = await findEngines('auto', options, env, { here: true })
  /** @type {import('../types').Engine[]} */
  const engines = []
  try {
    for (const [i, text] of texts.entries()) {
      // Redis, whose keys nobody can list in order.
      const single = factoryOfText(text)?.single && !settings.clean
      const as = single ? 'beginning' : 'prefix'
      opened.push(await openOne(text, i === 0 ? 'source' : 'destination', options, emit, { as }))
    }
    const locations = opened.map(({ end }) => end.text)
    if (settings.clean) {
      const removed = []
      for (const one of opened) removed.push(...(await cleanUp(one, settings.within)))
      return { locations, removed, elapsedMs: Date.now() - startedMs, places: [] }
    }
    const signal = /** @type {AbortSignal} */ (opened[0].run.cancel)
    for (const { end } of opened) await refuseRetention(end, signal)
    const stores = opened.map(({ end }) => end.store)
    const wish = { ...settings, stores }
    engines.push(chooseEngine(here, { ...wish, name: 'auto' }).engine)
    if (settings.called) engines.push(await platformOf(options, env, wish))
    const [engine, functions] = engines
    const most = functions && (await functions.limits({ signal })).concurrent
    const places = opened.map(one =>
      createPlace(one, engine, { within: settings.within, mostBytes: settings.mostBytes, functions }),
    )
    emit({ type: 'plan', prefixes: places.map(({ prefix }) => prefix), mostBytes: settings.mostBytes, locations })
    if (confirm && !(await confirm({ locations, mostBytes: settings.mostBytes }))) throw new XferError('INTERRUPTED')
    try {
      const mostLanes = Math.min(settings.concurrency, most ?? Number.POSITIVE_INFINITY)
      const found = await measured(places, { ...settings, mostLanes, emit, signal })
      return {
        locations,
        places: [],
        ...(functions && { from: functions.where }),
        ...found,
        elapsedMs: Date.now() - startedMs,
      }
    } finally {
      for (const place of places) {
        const left = await place.clean()
        if (left.length > 0) emit({ type: 'left', location: place.text, keys: left })
      }
    }
  } finally {
    for (const engine of engines) await engine.close()
    for (const one of opened) await one.close()
  }
}

/**
 * @param {import('../probe/place').Probed[]} places
 * @param {ReturnType<typeof readSettings> & { mostLanes: number, emit: (event: any) => void, signal: AbortSignal }} settings
 * @returns {Promise<Partial<ProbeReport>>}
 */
async function measured(places, settings) {
  const { sizes, rounds, users, mix, requests, emit, signal } = settings
  const held = randomMemory(sizes[0])
  if (rounds > 0) return { comparison: await comparePlaces(places, { held, rounds, signal }) }
  if (users.length > 0) {
    const [place] = places
    return { users: await measureUsers(place, { users, mix, requests, held, signal }) }
  }
  const found = []
  for (const place of places) {
    const tell = (/** @type {any} */ told) => emit({ type: 'step', location: place.text, ...told })
    const one = await measure(place, { ...settings, tell })
    found.push({
      location: place.text,
      ...one,
      read: recommend(partsOrAll(one.gets)),
      write: recommend(partsOrAll(one.puts)),
    })
  }
  return { places: found, ...judged(found, settings) }
}

/** Where no parts were measured, objects. @param {Parameters<typeof ofParts>[0]} curves */
function partsOrAll(curves) {
  const parts = ofParts(curves)
  return parts.length > 0 ? parts : curves
}

/** What is written could not be deleted. @param {import('../job/contract').Side} end @param {AbortSignal} signal */
async function refuseRetention({ store, text }, signal) {
  const kept = await store.retention?.({ signal })
  if (!kept) return
  throw usage(
    `${text} keeps every new object (${kept}), so that a probe could not delete its own.`,
    'Probe another bucket of the same server.',
  )
}

/** @param {ProbeOptions} options @param {NodeJS.ProcessEnv} env @param {Omit<Parameters<typeof chooseEngine>[1], 'name'>} wish */
async function platformOf(options, env, wish) {
  const { engine, why } = chooseEngine(await findEngines('auto', options, env), { ...wish, name: 'auto' })
  if (engine.runsOn === 'platform') return engine
  await engine.close()
  throw usage(`No functions can make the requests: ${why}.`, 'Configure a platform, and see: xfer doctor.')
}

/** @param {ProbeOptions} options @param {number} places */
function readSettings(options, places) {
  const read = readerOf('probe', options)
  const maxBytes = read('maxBytes')
  const called = read('from') === 'functions'
  const users = countsOf(options.users)
  const mix = /** @type {Array<'put' | 'get' | 'head'>} */ ((options.mix ?? 'put,get').split(','))
  const rounds = read('rounds') ?? (places > 2 ? LEAST_ROUNDS : 0)
  const size = read('size') ?? (rounds > 0 ? Math.min(ROUND_BYTES, Math.floor(maxBytes / (rounds + 1))) : undefined)
  const requests = read('requests')
  if (mix.some(op => !MIX.includes(op)))
    throw usage(`--mix "${options.mix}" is not a mix of requests.`, `Give some of ${MIX.join(',')}.`)
  if (users.length > 0 && places > 1)
    throw usage('--users measures one location at a time.', 'Measure one after the other.')
  const objects = read('objects')
  if (objects !== undefined && places !== 2)
    throw usage('--objects predicts a copy, which takes two locations.', 'Give the source and the destination.')
  const expectations = [options.expect ?? []].flat().map(text => {
    const expectation = parseExpectation(text)
    if (expectation) return { text, ...expectation }
    const advice = "Write it as 'put.p99<200ms', 'get.rate>100MB/s' or 'head.p50<50ms'."
    throw usage(`--expect "${text}" cannot be read.`, advice)
  })
  const one = size ?? SIZES[0]
  const puts = users.length > 0 ? 1 + (mix.includes('put') ? users.length * requests : 0) : rounds && rounds + 1
  if (puts * one > maxBytes) {
    const text = `${puts} objects of ${one} bytes are more than --max-bytes ${maxBytes} allows.`
    throw usage(text, 'Raise it, or lower --size, --requests or --rounds.')
  }
  if (expectations.length > 0 && (users.length > 0 || rounds > 0))
    throw usage('--expect judges single requests, and --users and --rounds measure others.', 'Leave one of them out.')
  const usual = (called ? SIZES_CALLED : SIZES).filter(bytes => bytes <= LARGEST_SHARE * maxBytes)
  // Of many objects their size is measured, and parts, for those that are large.
  const many = [one, ...usual.filter(bytes => isPart(bytes) && bytes !== one)].sort((a, b) => a - b)
  const sizes = objects !== undefined ? many : size !== undefined ? [size] : usual
  if (sizes.length === 0 || sizes[0] > maxBytes) {
    throw usage(`--max-bytes ${maxBytes} is too little to measure anything.`, 'Give 1MiB or more.')
  }
  return {
    called,
    users,
    mix,
    requests,
    rounds,
    mostBytes: puts > 0 ? puts * one : maxBytes,
    maxBytes,
    sizes,
    objects,
    eachBytes: objects !== undefined || !sizes.some(isPart) ? one : undefined,
    expectations,
    clean: options.clean === true,
    within: options.within ?? '',
    mostMs: read('stepTime'),
    bytes: read('bytes'),
    concurrency: read('concurrency'),
    silenceMs: undefined,
    bytesPerSecond: undefined,
  }
}

/** @param {string | undefined} text such as `1,3,30` */
function countsOf(text) {
  const counts = (text ?? '').split(',').filter(Boolean).map(Number)
  if (counts.every(count => Number.isInteger(count) && count > 0 && count <= MOST_USERS)) return counts
  throw usage(`--users "${text}" is no list of numbers of users.`, `Write it as 1,3,30; ${MOST_USERS} at most.`)
}

/**
 * @param {ProbeReport['places']} places
 * @param {ReturnType<typeof readSettings>} settings
 * @returns {Pick<ProbeReport, 'recommended' | 'copy' | 'expectations'>}
 */
function judged(places, { bytes, objects, eachBytes, expectations, called }) {
  const [source, destination] = places
  const copy = destination && predict(ofParts(source.gets), ofParts(destination.puts), bytes)
  const best = copy ? { ...copy, bytes: copy.partBytes } : recommend(ofParts(source.puts))
  const each = destination && eachBytes !== undefined && { bytes: eachBytes, objects }
  // A call of a function takes many objects at once, which a probe does not measure.
  const many = each && !called ? predictMany(source.gets, destination.puts, each) : undefined
  return {
    // Where more at once may help, a copy finds out how many by itself.
    ...(best && { recommended: { chunkBytes: best.bytes, ...(!best.rising && { concurrency: best.lanes }) } }),
    ...(copy && { copy: { ...copy, bytes } }),
    ...(many && { many }),
    ...(expectations.length > 0 && {
      expectations: expectations.map(({ text, op, of, above, value }) => {
        const place = op === 'put' ? (destination ?? source) : source
        const found = of === 'rate' ? mostOf(op === 'get' ? place.gets : place.puts) : place.times[op][of]
        // What was refused has no times.
        const none = of !== 'rate' && place.times[op].count === 0
        return { text, found, ok: !none && (above ? found > value : found < value) }
      }),
    }),
  }
}

/** Deletes what probes left that were killed. @param {One} one @param {string} within @returns {Promise<string[]>} the keys */
async function cleanUp(one, within) {
  const { end, run } = one
  /** @type {string[]} */
  const removed = []
  const source = { store: end.store, key: `${end.key}${within}` }
  async function* names() {
    for await (const step of walk({ source, signal: run.cancel })) {
      for (const { key } of objectsOf(step)) {
        const name = key.slice(source.key.length)
        if (name.startsWith(NAME)) yield name
      }
    }
  }
  // Loaded lazily: it is much, and only this needs it.
  const { removeNames } = require('../many')
  const place = { end: { store: end.store, key: source.key }, run }
  await removeNames(place, {
    names: names(),
    done: name => void removed.push(source.key + name),
    fail(name, failure) {
      throw new XferError('OBJECTS_FAILED', { failed: 1, objects: [{ name, ...failure }] })
    },
  })
  return removed
}

module.exports = { probe }
