'use strict'

/** `xfer probe`: how fast a place is, for which sizes, and how many requests at once help. */

const { withHandler } = require('../async')
const { chooseEngine, findEngines } = require('../engines')
const { XferError, usage } = require('../errors')
const { openOne, tellTo } = require('../job')
const { objectsOf, walk } = require('../listing')
const { checkArguments, readerOf } = require('../options')
const { createPlace, measure, NAME, ofParts, parseExpectation, predict, recommend, SIZES } = require('../probe')
const { removeNames } = require('../removal')

/** @typedef {import('../types').ProbeOptions} ProbeOptions */
/** @typedef {import('../types').ProbeReport} ProbeReport */
/** @typedef {import('../job/open-one').One} One */

/** The largest object that is written is at most this share of what may be written. */
const LARGEST_SHARE = 1 / 8

/**
 * @param {string} sourceText a bucket, or a prefix of one
 * @param {string | undefined} destinationText another one: then the time of a copy from one to the other is predicted
 * @param {ProbeOptions} [options]
 * @returns {Promise<ProbeReport>} what was written is deleted then
 * @throws {XferError} USAGE; the stores' errors
 */
async function probe(sourceText, destinationText, options = {}) {
  return await withHandler('onEvent', options, given => run(sourceText, destinationText, given))
}

/** @type {typeof probe} */
async function run(sourceText, destinationText, options = {}) {
  checkArguments('probe', { source: sourceText, destination: destinationText }, options, { optional: true })
  const settings = readSettings(options)
  const { onEvent, env = process.env, confirm } = options
  const emit = tellTo(onEvent)
  /** @type {One[]} */
  const opened = []
  const startedMs = Date.now()
  const engines = await findEngines('auto', options, env, { here: true })
  try {
    opened.push(await openOne(sourceText, 'source', options, emit, { as: 'prefix' }))
    if (destinationText !== undefined) {
      opened.push(await openOne(destinationText, 'destination', options, emit, { as: 'prefix' }))
    }
    const locations = opened.map(({ end }) => end.text)
    if (settings.clean) {
      const removed = []
      for (const one of opened) removed.push(...(await cleanUp(one, settings.within)))
      return { locations, removed, elapsedMs: Date.now() - startedMs, places: [] }
    }
    const [{ run }] = opened
    const stores = opened.map(({ end }) => end.store)
    const { engine } = chooseEngine(engines, { ...settings, name: 'auto', stores })
    try {
      const places = opened.map(one =>
        createPlace(one, engine, { within: settings.within, mostBytes: settings.maxBytes }),
      )
      const plan = {
        type: 'plan',
        prefixes: places.map(({ prefix }) => prefix),
        mostBytes: settings.maxBytes,
        locations,
      }
      emit(plan)
      if (confirm && !(await confirm({ locations, mostBytes: settings.maxBytes }))) throw new XferError('INTERRUPTED')
      const measured = []
      for (const place of places) {
        const signal = run.cancel
        try {
          const tell = (/** @type {any} */ told) => emit({ type: 'step', location: place.text, ...told })
          const found = await measure(place, { ...settings, mostLanes: settings.concurrency, tell, signal })
          measured.push({
            location: place.text,
            ...found,
            read: recommend(ofParts(found.gets)),
            write: recommend(ofParts(found.puts)),
          })
        } finally {
          const left = await place.clean()
          if (left.length > 0) emit({ type: 'left', location: place.text, keys: left })
        }
      }
      return { locations, places: measured, ...judged(measured, settings), elapsedMs: Date.now() - startedMs }
    } finally {
      await engine.close()
    }
  } finally {
    for (const one of opened) await one.close()
  }
}

/** @param {ProbeOptions} options */
function readSettings(options) {
  const read = readerOf('probe', options)
  const maxBytes = read('maxBytes')
  const sizes = SIZES.filter(bytes => bytes <= LARGEST_SHARE * maxBytes)
  if (sizes.length === 0) {
    throw usage(`--max-bytes ${maxBytes} is too little to measure anything.`, 'Give 1MiB or more.')
  }
  const expectations = [options.expect ?? []].flat().map(text => {
    const expectation = parseExpectation(text)
    if (expectation) return { text, ...expectation }
    const advice = "Write it as 'put.p99<200ms', 'get.rate>100MB/s' or 'head.p50<50ms'."
    throw usage(`--expect "${text}" is no expectation.`, advice)
  })
  return {
    ...{ maxBytes, sizes, expectations, clean: options.clean === true, within: options.within ?? '' },
    mostMs: read('stepTime'),
    bytes: read('bytes'),
    concurrency: read('concurrency'),
    silenceMs: undefined,
    bytesPerSecond: undefined,
  }
}

/**
 * @param {ProbeReport['places']} places
 * @param {ReturnType<typeof readSettings>} settings
 * @returns {Pick<ProbeReport, 'recommended' | 'copy' | 'expectations'>}
 */
function judged(places, { bytes, expectations }) {
  const [source, destination] = places
  const copy = destination && predict(ofParts(source.gets), ofParts(destination.puts), bytes)
  const best = copy ? { ...copy, bytes: copy.partBytes } : source.write
  return {
    // Where more at once may help, a copy finds out how many by itself.
    ...(best && { recommended: { chunkBytes: best.bytes, ...(!best.rising && { concurrency: best.lanes }) } }),
    ...(copy && { copy: { ...copy, bytes } }),
    ...(expectations.length > 0 && {
      expectations: expectations.map(({ text, op, of, above, value }) => {
        const found =
          of === 'rate' ? mostOf(op === 'get' ? source.gets : (destination ?? source).puts) : source.times[op][of]
        return { text, found, ok: above ? found > value : found < value }
      }),
    }),
  }
}

/** @param {import('../probe/numbers').Curve[]} curves */
function mostOf(curves) {
  return Math.max(0, ...curves.flatMap(({ steps }) => steps.map(step => step.bytesPerSecond)))
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
