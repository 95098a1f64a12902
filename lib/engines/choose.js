'use strict'

/** Chooses the engine: by name, or the first one that is configured and can reach both stores. */

const { XferError, usage } = require('../errors')
const { ENGINES } = require('./registry')

/** @typedef {import('./contract').EngineFactory} EngineFactory */
/** @typedef {import('./contract').EngineSettings} EngineSettings */
/** @typedef {import('../types').Store} Store */
/** What engines and stores reach, the least first. */
const REACHES = ['network', 'local', 'process']

/** @typedef {{ factory: EngineFactory, settings: EngineSettings | undefined }} Candidate settings: undefined if the engine is not configured */

/** The commands about platforms, each with the ability that it needs. */
const ABILITY = /** @type {const} */ ({ deploy: 'deploy', doctor: 'checks' })

/**
 * Checks the options of every engine, whichever is chosen.
 *
 * @param {Record<string, any>} options
 * @throws {XferError} USAGE
 */
function checkEngineOptions(options, factories = ENGINES) {
  for (const factory of factories) factory.checkOptions?.(options)
}

/**
 * Reads the settings of the engines that may be chosen. Sends no request.
 *
 * @param {string} name value of `--engine`
 * @param {Record<string, any>} options
 * @param {NodeJS.ProcessEnv} env
 * @param {{ here?: boolean, factories?: typeof ENGINES }} [how] here: for bytes that only this process has
 * @returns {Promise<Candidate[]>}
 * @throws {XferError} USAGE if settings are wrong
 */
async function findEngines(name, options, env, { here = false, factories = ENGINES } = {}) {
  const wanted = factories.filter(({ name: own, embedded }) => (name === 'auto' ? embedded || !here : own === name))
  const found = []
  for (const factory of wanted) {
    found.push({ factory, settings: await factory.configured(options, env, factory.name === name) })
  }
  return found
}

/**
 * @param {Candidate[]} found of `findEngines`
 * @param {{ name: string, stores: Store[] } & Omit<import('./contract').EngineWish, 'ca'>} wish name: value of `--engine`; stores:
 *   that the engine must reach
 * @returns {{ engine: import('./contract').Engine, why: string }} why: the reason for the choice, as a clause for messages
 * @throws {XferError} if the named engine is not configured; USAGE if functions would need a secret of the user, or files of
 *   this machine
 */
function chooseEngine(found, { name, stores, silenceMs, concurrency, bytesPerSecond, memoryBytes }) {
  const wish = { silenceMs, concurrency, bytesPerSecond, memoryBytes, ca: trustedBy(stores) }
  /** @param {Candidate} one */
  const open = ({ factory, settings }) => factory.open(/** @type {EngineSettings} */ (settings), wish)
  if (name !== 'auto') {
    const [named] = found
    const secret = named.factory.embedded ? undefined : secretOf(stores)
    if (secret) {
      throw usage(`A ${secret.name} was given for the ${secret.side}, and no function may have it.`, secret.advice)
    }
    const kept = named.factory.embedded ? undefined : stores.find(({ can }) => can.reach === 'process')
    if (kept) {
      throw usage(
        `The ${kept.facts.side} is a file or a stream of this machine, which no function can reach.`,
        `Leave out --engine ${named.factory.name}: files and streams of this machine are copied by this machine.`,
      )
    }
    if (!named.settings) throw named.factory.missing?.()
    return { engine: open(named), why: 'as asked' }
  }
  /** @type {Array<{ name: string, reason: string }>} */
  const passed = []
  const told = () => passed.map(({ name, reason }) => `not ${name}: ${reason}`)
  for (const { factory, settings } of found) {
    if (factory.embedded || !settings) continue
    const reason = whyNot(settings, stores)
    if (reason === undefined) {
      return { engine: open({ factory, settings }), why: [`configured in ${settings.from}`, ...told()].join('; ') }
    }
    passed.push({ name: factory.name, reason })
  }
  const embedded = /** @type {Candidate} */ (found.find(({ factory }) => factory.embedded))
  const none = found.length === 1 ? 'a stream is copied by this machine' : 'no platform is configured'
  const why = passed.length > 1 ? told().join('; ') : (passed[0]?.reason ?? none)
  return { engine: open(embedded), why }
}

/**
 * The reason why an engine on a platform cannot copy between these stores; undefined if it can.
 *
 * @param {EngineSettings} settings
 * @param {Store[]} stores
 */
function whyNot({ where, reach }, stores) {
  const secret = secretOf(stores)
  if (secret) return `no function may have the ${secret.name} of the ${secret.side}`
  const beyond = stores.filter(({ can }) => REACHES.indexOf(can.reach) > REACHES.indexOf(reach))
  const kept = beyond.find(({ can }) => can.reach === 'process')
  if (kept) return `files and streams of this machine, such as the ${kept.facts.side}, are copied by this machine`
  const [local] = beyond
  if (!local) return undefined
  return `the ${local.facts.side} ${local.endpoint} is on this machine, where functions of ${where} cannot reach it`
}

/**
 * The engine for a command about platforms: the named one, else the first one that is configured, among those that have the
 * ability and all the options that were given. The embedded one has to be named. `xfer doctor` takes the first of all if none is configured: its checks say so.
 *
 * @param {keyof typeof ABILITY} command
 * @param {Record<string, any>} options engine: value of `--engine`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<EngineFactory>}
 * @throws {XferError} USAGE if no engine has all the options, or the named one has not; NO_PLATFORM if several could deploy and none is configured
 */
async function findFactory(command, options, env, factories = ENGINES) {
  const { engine = 'auto' } = options
  const able = factories.filter(factory => factory[ABILITY[command]] && (engine !== 'auto' || !factory.embedded))
  /** @param {EngineFactory} factory @param {string} name */
  const has = (factory, name) => factory.options.some(one => one.name === name && one.commands?.includes(command))
  const given = Object.keys(options).filter(name => options[name] !== undefined && able.some(one => has(one, name)))
  const fitting = able.filter(factory => given.every(name => has(factory, name)))

  if (engine !== 'auto') {
    const named = able.find(({ name }) => name === engine)
    if (!named) {
      const advice = factories.find(({ name }) => name === engine)?.words.platform?.insteadOfDeploy
      throw usage(
        `The engine ${engine} has nothing that xfer ${command} could deploy.`,
        advice ?? `Copy with it as it is, or name one of these: ${able.map(({ name }) => name).join(', ')}.`,
      )
    }
    if (fitting.includes(named)) return named
    const foreign = given.filter(name => !has(named, name))
    throw usage(
      `The engine ${engine} does not have these options: ${foreign.join(', ')}.`,
      'Leave them out, or name the engine of the platform that has them.',
    )
  }

  if (fitting.length === 0) {
    const ownOf = (/** @type {EngineFactory} */ one) => given.filter(name => has(one, name)).join(', ')
    const owners = able.map(one => `${one.words.platform?.name} has ${ownOf(one) || 'none of them'}`)
    throw usage(
      `No platform has all of these options: ${given.join(', ')}.`,
      `Give those of one platform: ${owners.join('; ')}.`,
    )
  }
  /** @param {EngineFactory} factory */
  const hasSettings = async factory => (await factory.configured(options, env)) !== undefined
  // Wrong settings count as configured: the command reports the error.
  for (const factory of fitting) if (await hasSettings(factory).catch(() => true)) return factory
  if (fitting.length === 1 || command === 'doctor') return fitting[0]
  const platforms = fitting.flatMap(({ words }) => words.platform ?? [])
  throw new XferError('NO_PLATFORM', {
    what: 'platform',
    neededBy: command,
    platforms: platforms.map(({ name }) => name).join(' nor '),
    advice: `Configure one of them: ${platforms.map(({ name, configured }) => `${name} ${configured}`).join('; ')}.`,
  })
}

/** The first secret that requests would carry. @param {Store[]} stores */
function secretOf(stores) {
  return stores.flatMap(({ can, facts }) => (can.secret ? { ...can.secret, side: facts.side } : []))[0]
}

/** The certificates that the settings of either side name. @param {Store[]} stores */
function trustedBy(stores) {
  const all = new Set(stores.flatMap(({ ca }) => ca ?? []))
  return all.size > 0 ? [...all].join('') : undefined
}

module.exports = { checkEngineOptions, chooseEngine, findEngines, findFactory }
