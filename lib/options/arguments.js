'use strict'

/**
 * Checks what the library's functions are called with, before anything is asked: a misspelt option is not ignored silently. No
 * value is quoted: it may be a secret.
 */

const { usage, kindOf } = require('../errors')
const { STORES, factoryOfText, examples } = require('../stores')
const { OPTIONS, commandsOf, flagOf } = require('./table')
const { isSignal } = require('../async')

/** @typedef {import('./contract').Command} Command */
/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('./contract').SideName} SideName */
/** @typedef {keyof typeof FUNCTIONS} Name of a function of the library */

const SIDES = /** @type {const} */ (['source', 'destination'])

/** @param {...Command} commands @returns {(spec: OptionSpec) => boolean} */
const of =
  (...commands) =>
  spec =>
    commandsOf(spec).some(command => commands.includes(command))
/** @param {OptionSpec} spec */
const ofObject = spec => of('copy')(spec) && spec.scope !== 'prefix' && spec.scope !== 'stream'
/** A copy is planned, and priced, when it is begun. */
const PRICED = ['cost', 'prices', 'maxCost']
/** What a stream has not got: a store, and a job that is gone on with. */
const NOT_OF_STREAMS = ['source', 'restart', 'manifestOut', 'sign', ...PRICED]
/** What a comparison has only where a manifest stands in place of the source. */
const OF_MANIFESTS = ['publicKey', 'sample', 'at']
/** Of `clean` without a place. */
const OF_STATE = ['state', 'yes', 'olderThan', 'env', 'signal']
/** What chooses how something is deployed. */
const DEPLOYING = OPTIONS.find(({ name }) => name === 'undeploy')?.conflicts ?? []

/** @param {OptionSpec} spec */
const comparesStores = spec => of('verify')(spec) && !OF_MANIFESTS.includes(spec.name)

/** @param {Command} command @param {(spec: OptionSpec) => boolean} [has] */
const as = (command, has = of(command)) => ({ command, has })

/**
 * Of each function, the command whose sides it has, and which options. A resumed job takes those of a copy too, to override what
 * its journal keeps.
 */
const FUNCTIONS = {
  copy: as('copy', ofObject),
  copyPrefix: as('sync', spec => of('copy', 'sync')(spec) && !['object', 'stream'].includes(spec.scope ?? '')),
  upload: as('copy', spec => of('copy')(spec) && spec.scope !== 'prefix' && !NOT_OF_STREAMS.includes(spec.name)),
  resume: as('resume', spec => (ofObject(spec) && !PRICED.includes(spec.name)) || of('resume')(spec)),
  verify: as('verify', spec => comparesStores(spec) && spec.scope !== 'prefix'),
  verifyPrefix: as('verify', spec => comparesStores(spec) && spec.scope !== 'object'),
  verifyManifest: as(
    'verify',
    spec => of('verify')(spec) && spec.name !== 'source' && (spec.scope === undefined || spec.name === 'oneWay'),
  ),
  list: as('ls'),
  usage: as('du'),
  head: as('head'),
  presign: as('presign'),
  makeBucket: as('mb'),
  jobs: as('jobs'),
  work: as('work'),
  attach: as('attach'),
  stopJob: as('stop'),
  abortJob: as('abort'),
  move: as('mv'),
  remove: as('rm'),
  clean: as('clean'),
  cleanState: as('clean', spec => of('clean')(spec) && OF_STATE.includes(spec.name)),
  deploy: as('deploy'),
  undeploy: as('deploy', spec => of('deploy')(spec) && !DEPLOYING.includes(spec.name)),
  doctor: as('doctor'),
  download: as('cat'),
  probe: as('probe'),
  profiles: as('profiles'),
}

const NAMES = /** @type {Name[]} */ (Object.keys(FUNCTIONS))

/** What is done with prefixes refuses options of one object with an advice: lib/many/selection.js and lib/job/open.js. */
const ADVISED = /** @type {Partial<Record<Name, Name>>} */ ({ copyPrefix: 'copy', verifyPrefix: 'verify' })

/** Some options of the table, and their names. @typedef {{ specs: OptionSpec[], names: Set<string> }} Known */

/** Each is asked for at every call of its function. @type {Map<string, Known>} */
const allKnown = new Map()

/** @param {Name} name of a function @param {SideName} [side] its options within `source` or `destination`; absent: beside them @returns {Known} */
function knownOf(name, side) {
  const key = `${name} ${side}`
  let known = allKnown.get(key)
  if (known) return known
  const { command, has } = FUNCTIONS[name]
  const specs = OPTIONS.filter(spec => {
    if (side === undefined) return !spec.sides && spec.only !== 'cli' && has(spec)
    return spec.sides?.includes(side) && spec.only !== 'journal' && commandsOf(spec, side).includes(command)
  })
  known = { specs, names: new Set(specs.map(spec => spec.name)) }
  allKnown.set(key, known)
  return known
}

/** The options of a function. @param {Name} name */
const optionsOf = name => knownOf(name).specs

/** The options within `source` or `destination`. @param {Name} name @param {SideName} side */
const sideOptions = (name, side) => knownOf(name, side).specs

/**
 * @param {Name} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  checkNames(name, options, [name, ADVISED[name] ?? name])
}

/** @param {string} of @param {Record<string, any>} options @param {Name[]} names of functions: one of them has to have each option */
function checkNames(of, options, names) {
  const beside = (/** @type {string} */ name) => {
    const sides = SIDES.filter(side => isKnown(names, side) && isKnown(names, name, side))
    if (sides.length > 0) return `Give it as ${sides.map(side => `${side}: { ${name} }`).join(', or ')}.`
    const others = NAMES.filter(other => knownOf(other).names.has(name))
    return others.length > 0 ? `It is an option of ${others.join(', ')}.` : undefined
  }
  check(of, options, { names, elsewhere: beside })
  for (const side of SIDES) {
    const outside = (/** @type {string} */ name) =>
      isKnown(names, name) ? `Give it beside ${side}, and not within it.` : undefined
    if (options[side]) check(`${of}: ${side}`, options[side], { names, side, elsewhere: outside })
  }
}

/** Whether one of these functions has the option. @param {Name[]} names @param {string} option @param {SideName} [side] as of `knownOf` */
const isKnown = (names, option, side) => names.some(name => knownOf(name, side).names.has(option))

/**
 * @param {string} of
 * @param {object} given
 * @param {{ names: Name[], side?: SideName, elsewhere: (name: string) => string | undefined }} how names, side: as of `isKnown`; elsewhere:
 *   an advice, if it is an option in another place
 */
function check(of, given, { names, side, elsewhere }) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || isKnown(names, name, side)) continue
    const known = new Set(names.flatMap(one => [...knownOf(one, side).names]))
    throw usage(
      `${of} has no option "${name}".`,
      elsewhere(name) ?? require('./meant').meant(name, known) ?? `It has ${[...known].join(', ')}.`,
    )
  }
}

/** What a command does with objects, and with `-r`; and whose other options are for it otherwise. */
const OF_OBJECTS = {
  copy: ['copies one object', 'copy everything below the source'],
  mv: ['moves one object', 'move everything below the source'],
  verify: ['compares two objects', 'compare everything below two prefixes'],
}

/**
 * @param {keyof typeof OF_OBJECTS} command for objects, not for prefixes
 * @param {object} options
 * @throws {XferError} USAGE if one of them is for prefixes, or for streams
 */
function checkScope(command, options) {
  const given = /** @type {Record<string, any>} */ (options)
  const isGiven = (/** @type {any} */ value) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  const scopes = command === 'copy' ? ['prefix', 'stream'] : ['prefix']
  const other = OPTIONS.find(
    ({ name, scope = '' }) => scopes.includes(scope) && name !== 'recursive' && isGiven(given[name]),
  )
  if (!other) return
  const [does, all] = OF_OBJECTS[command]
  // --include and --exclude are one option.
  const [typed] = other.name === 'filters' ? Object.keys(given.filters[0]) : []
  const flag = typed === undefined ? flagOf(other) : `--${typed}`
  const [what, instead] =
    other.scope === 'prefix'
      ? ['a prefix', `Add -r to ${all}`]
      : ['standard input or output', 'Give - as the source or the destination']
  throw usage(`${flag} applies to ${what}, but this command ${does}.`, `${instead}, or leave ${flag} out.`)
}

/** Options of sides that stores have. */
const OF_STORES = STORES.flatMap(({ options, schemes }) => options.map(spec => ({ spec, schemes }))).filter(
  ({ spec }) => spec.sides,
)

/**
 * Checks that the options of a side are options of its store: another store's would be ignored silently.
 *
 * @param {{ source?: unknown, destination?: unknown }} places as they were given
 * @param {Record<string, any>} options
 * @throws {XferError} USAGE
 */
function checkSideOptions(places, options) {
  for (const side of SIDES) {
    const store = factoryOfText(String(places[side] ?? ''))
    if (!store) continue
    const foreign = OF_STORES.find(
      ({ spec: { name } }) => options[side]?.[name] !== undefined && !hasOption(store, name),
    )
    if (!foreign) continue
    const [theirs, ours] = [foreign, store].map(({ schemes }) => `${schemes[0]}://`)
    const text = `${flagOf(foreign.spec, side)} is an option for ${theirs}, and the ${side} is ${ours}.`
    throw usage(text, 'Leave it out.')
  }
}

/**
 * Options that a client gives to all its calls.
 *
 * @param {Record<string, any>} defaults
 * @throws {XferError} USAGE if no function has one of them
 */
function checkDefaults(defaults) {
  if (!isObject(defaults))
    throw usage(`createClient: the options are ${kindOf(defaults)}, not an object.`, 'Give an object.')
  for (const name of [...SIDES, 'env']) {
    if (defaults[name] === undefined || isObject(defaults[name])) continue
    throw usage(
      `createClient: ${name} is ${kindOf(defaults[name])}, not an object.`,
      'Give an object, or leave it out.',
    )
  }
  checkNames('createClient', defaults, NAMES)
}

/**
 * The options of one call: those that were given, and the defaults that the function and its stores have.
 *
 * @param {Name} name
 * @param {{ source?: unknown, destination?: unknown }} places
 * @param {Record<string, any>} defaults
 * @param {unknown} given
 * @returns {unknown}
 */
function withDefaults(name, places, defaults, given = {}) {
  // What is no object is refused by the call itself.
  if (typeof given !== 'object' || given === null) return given
  const options = /** @type {Record<string, any>} */ (given)
  const { names } = knownOf(name)
  const ofSides = SIDES.flatMap(side => {
    if (!defaults[side] || !names.has(side)) return []
    const store = factoryOfText(String(places[side] ?? ''))
    const known = knownOf(name, side).names
    const own = pick(options[side] ?? {})
    const replaced = SIGNING.some(option => own[option]) ? SIGNING : []
    const fits = (/** @type {string} */ option) =>
      known.has(option) && !replaced.includes(option) && (!store || hasOption(store, option))
    return [[side, { ...pick(defaults[side], fits), ...own }]]
  })
  const others = pick(defaults, option => names.has(option) && !SIDES.some(side => side === option))
  return { ...others, ...pick(options), ...Object.fromEntries(ofSides) }
}

/** Ways to sign for a side: who gives one wants no other. */
const SIGNING = ['credentials', 'profile', 'noSignRequest']

/** Those that are given, and fit. @param {Record<string, any>} all @param {(name: string) => boolean} [fits] @returns {Record<string, any>} */
const pick = (all, fits = () => true) =>
  Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== undefined && fits(name)))

/** @param {{ options: readonly { name: string }[] }} store @param {string} option */
const hasOption = ({ options }, option) => options.some(({ name }) => name === option)

/** @type {[fits: (value: any) => boolean, what: string]} */
const AMOUNT = [value => ['string', 'number'].includes(typeof value), 'a string or a number']

/** By kind of value: what it has to be, as the end of a sentence. @type {Partial<Record<import('./contract').Kind, [fits: (value: any) => boolean, what: string]>>} */
const KINDS = {
  switch: [value => typeof value === 'boolean', 'true or false'],
  choice: [isText, 'a string'],
  ...Object.fromEntries(['size', 'rate', 'duration', 'count', 'share'].map(type => [type, AMOUNT])),
  date: [isText, 'a string'],
  filter: [
    value => Array.isArray(value) && value.every(isFilter),
    "an array such as [{ exclude: '*' }, { include: '*.jpg' }]",
  ],
  list: [value => [value].flat().every(isText), 'a string or an array of strings'],
  pairs: [isPairs, "an object of strings such as { color: 'blue' }"],
  object: [isObject, 'an object'],
  function: [value => typeof value === 'function', 'a function'],
  signal: [isSignal, 'an AbortSignal'],
}

/**
 * @param {Name} name of the function
 * @param {{ source?: unknown, destination?: unknown, job?: unknown }} places its other arguments
 * @param {unknown} options its last one
 * @param {{ optional?: boolean }} [how] optional: the other arguments may be left out
 * @throws {XferError} USAGE
 */
function checkArguments(name, places, options, { optional = false } = {}) {
  for (const [place, given] of Object.entries(places)) {
    if (typeof given === 'string' || (given === undefined && optional)) continue
    throw badPlace(name, place, given)
  }
  if (!isObject(options)) {
    const known = optionsOf(name).some(spec => spec.name === 'dryRun')
    const advice = `Give an object, such as ${known ? '{ dryRun: true }' : '{ env: process.env }'}, or nothing.`
    throw usage(`${name}: the options are ${kindOf(options)}, not an object.`, advice)
  }
  const given = /** @type {Record<string, any>} */ (options)
  checkKinds(name, '', given, optionsOf(name))
  checkOptionNames(name, given)
  for (const side of SIDES) {
    if (given[side]) checkKinds(name, `${side}.`, given[side], sideOptions(name, side))
  }
  checkSideOptions(places, given)
}

/** @param {Name} name @param {string} within @param {Record<string, any>} given @param {import('./contract').OptionSpec[]} specs */
function checkKinds(name, within, given, specs) {
  for (const spec of specs) {
    const value = given[spec.name]
    const [fits, what] = KINDS[spec.takes.kind] ?? []
    if (value === undefined || !fits || fits(value)) continue
    const kind = kindOf(value)
    // Of the right kind, with a wrong one inside it.
    const odd = ['pairs', 'filter'].includes(spec.takes.kind) && /^an (array|object)$/.test(kind)
    const text = `${name}: the option ${within}${spec.name} is ${odd ? 'not' : `${kind}, not`} ${what}.`
    const controller = what === 'an AbortSignal' && isSignal(value?.signal)
    throw usage(text, controller ? 'Give its signal: controller.signal.' : `Give ${what}, or leave it out.`)
  }
}

/** @param {Name} name @param {string} place @param {unknown} given */
function badPlace(name, place, given) {
  const what = given === undefined ? 'missing' : `${kindOf(given)}, not a string`
  if (place !== 'job') return usage(`${name}: the ${place} is ${what}.`, `Give it as ${examples()}.`)
  const advice = "Give the job's id, or the beginning of it; options follow it as the second argument."
  return usage(`${name}: the name of the job is ${what}.`, advice)
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string'
}

/** @param {any} value */
function isFilter(value) {
  const names = isObject(value) ? Object.keys(value) : []
  return names.length === 1 && /^(?:in|ex)clude$/.test(names[0]) && isText(value[names[0]])
}

/** An object of texts, or an array of `name=value`. @param {any} value */
function isPairs(value) {
  return (isObject(value) || Array.isArray(value)) && Object.values(value).every(isText)
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

module.exports = {
  checkDefaults,
  checkOptionNames,
  checkScope,
  optionsOf,
  sideOptions,
  withDefaults,
  checkArguments,
}
