'use strict'

/** Checks everything that a copy needs, and says for each failed check what to do. */

const { withHandler } = require('../async')
const { usage } = require('../errors')
const { ask, sampleOf } = require('../http')
const { forgetRow, parsePlace } = require('../stores')
const { checkArguments, readerOf } = require('../options')
const { checkEngineOptions, chooseEngine, findEngines, findFactory } = require('../engines')
const { judgeClock, judgeNode, reachCheck, runChecks, sideChecks } = require('../doctor')

const CLOCK_MS = 10_000

/** @typedef {import('../types').DoctorOptions} DoctorOptions */

/**
 * @param {string | undefined} sourceText `s3://bucket/key` or `s3://bucket`; undefined: no source is checked; likewise the destination
 * @param {string | undefined} destinationText
 * @param {DoctorOptions} [options]
 * @returns {Promise<{ ok: boolean, exitCode: number }>} exitCode: that of the first failed check
 * @throws {import('../types').XferError} USAGE, BAD_LOCATION, INTERRUPTED
 */
async function doctor(sourceText, destinationText, options = {}) {
  return await withHandler('onCheck', options, given => run(sourceText, destinationText, given))
}

/** @type {typeof doctor} */
async function run(sourceText, destinationText, options = {}) {
  checkArguments('doctor', { source: sourceText, destination: destinationText }, options, { optional: true })
  const { caBundle, env = process.env, signal, onCheck = () => {} } = options
  checkEngineOptions(options)
  const engine = readerOf('doctor', options)('engine')
  const factory = await findFactory('doctor', { ...options, engine }, env)
  const alone = destinationText === undefined
  if ((options.deep || options.forget) && (sourceText === undefined || !alone)) {
    throw usage(`--${options.deep ? 'deep' : 'forget'} applies to one location.`, 'Name it, and no other.')
  }
  const sides = /** @type {const} */ (['source', 'destination']).flatMap(side => {
    const text = side === 'source' ? sourceText : destinationText
    if (text === undefined) return []
    const place = parsePlace(text, side, { containerAlone: true })
    return [sideChecks(side, place, { caBundle, ...options[side] }, env, { deep: options.deep })]
  })
  const platform = /** @type {Required<typeof factory>} */ (factory).checks({ ...options, env, signal })
  const checks = [
    { name: 'node', limitMs: CLOCK_MS, run: async () => judgeNode(process.versions.node) },
    ...platform.checks,
    ...sides.flatMap(side => side.checks),
    clockCheck(platform.found, sides),
    ...(factory.embedded ? [] : sides.map(side => reachCheck(platform.found, side.found))),
  ]
  const deep = options.deep || options.forget ? await deepChecks(sides[0], { ...options, env }) : undefined
  try {
    const exitCode = await runChecks(deep?.checks ?? checks, { signal, tell: onCheck })
    return { ok: exitCode === 0, exitCode }
  } finally {
    const left = (await deep?.clean()) ?? []
    if (left.length > 0)
      onCheck({ name: 'cleaning', ok: false, detail: `These could not be deleted: ${left.join(', ')}.` })
    platform.found.close()
    for (const { found } of sides) found.store?.close()
  }
}

/**
 * In place of all other checks: the questions of `--deep`, or that their answers are forgotten.
 *
 * @param {ReturnType<typeof sideChecks>} side
 * @param {DoctorOptions & { env: NodeJS.ProcessEnv }} how
 */
async function deepChecks({ checks: [credentials], found, place: { key } }, { deep, signal, env }) {
  const needs = credentials.name
  if (deep) {
    const within = key === '' || key.endsWith('/') ? key : `${key}/`
    const here = await findEngines('auto', {}, env, { here: true })
    const engineFor = (/** @type {import('../types').Store} */ store) =>
      chooseEngine(here, { name: 'auto', stores: [store] }).engine
    const deep = require('../doctor').deepChecks(found, {
      within,
      env,
      needs,
      engineFor,
      signal: signal ?? new AbortController().signal,
    })
    return { ...deep, checks: [credentials, ...deep.checks] }
  }
  const forget = async () => {
    const { endpoint } = /** @type {import('../types').Store} */ (found.store)
    const was = URL.canParse(endpoint) && forgetRow(env, endpoint)
    return { ok: true, detail: was ? `What was kept of ${endpoint} is forgotten.` : `Nothing was kept of ${endpoint}.` }
  }
  const check = { name: 'row', needs: [needs], limitMs: CLOCK_MS, run: forget }
  return { checks: [credentials, check], clean: async () => /** @type {string[]} */ ([]) }
}

/**
 * @param {import('../engines/contract').EngineFound} platform
 * @param {ReturnType<typeof sideChecks>[]} sides
 * @returns {import('../doctor/run').Check}
 */
function clockCheck(platform, sides) {
  return {
    name: 'clock',
    limitMs: 2 * CLOCK_MS,
    async run(signal) {
      const asked = sides.map(async ({ found: { side, origin, store } }) => {
        if (!origin) return []
        // A store that does not answer was reported by its own check.
        const how = { limitMs: CLOCK_MS, signal, ca: store?.ca, proxy: store?.proxy, guarded: true }
        const answer = await ask({ method: 'HEAD', url: origin }, how).catch(() => undefined)
        return answer ? sampleOf(`the ${side}`, answer) : []
      })
      const samples = [...platform.clocks, ...(await Promise.all(asked)).flat()]
      if (samples.length === 0) return { ok: null, detail: 'Skipped: no store or platform answered with its time.' }
      return judgeClock(samples)
    },
  }
}

module.exports = { doctor }
