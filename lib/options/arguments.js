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

/** Each is asked for at every call of its function. @type {Map<string, OptionSpec[]>} */
const known = new Map()

/** @param {string} of whose options @param {(spec: OptionSpec) => boolean | undefined} isOne */
function optionsLike(of, isOne) {
  const options = known.get(of) ?? OPTIONS.filter(isOne)
  known.set(of, options)
  return options
}

/** The options of a function. @param {Name} name */
function optionsOf(name) {
  return optionsLike(name, spec => !spec.sides && spec.only !== 'cli' && FUNCTIONS[name].has(spec))
}

/** The options within `source` or `destination`. @param {Name} name @param {SideName} side */
function sideOptions(name, side) {
  const { command } = FUNCTIONS[name]
  return optionsLike(
    `${name} ${side}`,
    spec => spec.sides?.includes(side) && spec.only !== 'journal' && commandsOf(spec, side).includes(command),
  )
}

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
  const known = new Set(names.flatMap(optionsOf).map(spec => spec.name))
  const ofSides = SIDES.map(side => ({
    side,
    known: new Set(names.flatMap(name => sideOptions(name, side)).map(spec => spec.name)),
  }))
  const elsewhere = (/** @type {string} */ name) => {
    const sides = ofSides
      .filter(each => known.has(each.side) && each.known.has(name))
      .map(({ side }) => `${side}: { ${name} }`)
    if (sides.length > 0) return `Give it as ${sides.join(', or ')}.`
    const others = NAMES.filter(other => optionsOf(other).some(spec => spec.name === name))
    return others.length > 0 ? `It is an option of ${others.join(', ')}.` : undefined
  }
  check(of, options, known, elsewhere)
  for (const one of ofSides) {
    const { side } = one
    const outside = (/** @type {string} */ name) =>
      known.has(name) ? `Give it beside ${side}, and not within it.` : undefined
    if (options[side]) check(`${of}: ${side}`, options[side], one.known, outside)
  }
}

/** @param {string} of @param {object} given @param {Set<string>} known @param {(name: string) => string | undefined} elsewhere an advice, if it is an option in another place */
function check(of, given, known, elsewhere) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.has(name)) continue
    throw usage(
      `${of} has no option "${name}".`,
      elsewhere(name) ?? meant(name, known) ?? `It has ${[...known].join(', ')}.`,
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
  const flag = flagOf(other)
  const [what, instead] =
    other.scope === 'prefix'
      ? ['a prefix', `Add -r to ${all}`]
      : ['standard input or output', 'Give - as the source or the destination']
  throw usage(`${flag} applies to ${what}, but this command ${does}.`, `${instead}, or leave ${flag} out.`)
}

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
    const own = store.options.map(({ name }) => name)
    const foreign = STORES.flatMap(({ options: specs, schemes }) => specs.map(spec => ({ spec, schemes }))).find(
      ({ spec }) => spec.sides && !own.includes(spec.name) && options[side]?.[spec.name] !== undefined,
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
  for (const side of SIDES) {
    if (defaults[side] === undefined || isObject(defaults[side])) continue
    throw usage(
      `createClient: ${side} is ${kindOf(defaults[side])}, not an object.`,
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
  const own = new Set(optionsOf(name).map(spec => spec.name))
  const ofSides = SIDES.flatMap(side => {
    const store = factoryOfText(String(places[side] ?? ''))
    const specs = sideOptions(name, side).filter(spec => !store || store.options.some(each => each.name === spec.name))
    const fitting = pick(defaults[side], new Set(specs.map(spec => spec.name)))
    return defaults[side] && own.has(side) ? [[side, { ...fitting, ...options[side] }]] : []
  })
  return { ...pick(defaults, own), ...options, ...Object.fromEntries(ofSides) }
}

/** @param {Record<string, any> | undefined} all @param {Set<string>} names @returns {Record<string, any>} */
function pick(all = {}, names) {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.has(name) && !SIDES.some(side => side === name)),
  )
}

/** What the caller of the library perhaps means by an option that a function has not. */

/** Names that are no misspelling, but short for another. @type {Record<string, string>} */
const SHORT_FOR = { dest: 'destination', src: 'source', onProgress: 'onEvent', abortSignal: 'signal' }

/**
 * @param {string} name
 * @param {Set<string>} known the options that there are
 * @returns {string | undefined} an advice
 */
function meant(name, known) {
  const same = [...known].find(other => other.toLowerCase() === name.toLowerCase())
  if (same) return `Perhaps you mean "${same}".`
  const positive = /^no[A-Z]/.test(name) ? name[2].toLowerCase() + name.slice(3) : ''
  if (known.has(positive)) return `Give ${positive}: false.`
  if (Object.hasOwn(SHORT_FOR, name) && known.has(SHORT_FOR[name])) return `Perhaps you mean "${SHORT_FOR[name]}".`
  const longer = [...known].find(other => other.startsWith(name) || name.startsWith(other))
  const nearest = longer ?? nearestTo(name, known)
  return nearest && `Perhaps you mean "${nearest}".`
}

/** More letters are no misspelling. */
const MOST_EDITS = 3

/** @param {string} name @param {Set<string>} known @returns {string | undefined} undefined: none is near */
function nearestTo(name, known) {
  const [nearest] = [...known]
    .map(other => ({ other, edits: editsOf(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, edits }) => edits <= Math.min(MOST_EDITS, Math.max(name.length, other.length) / 2 - 0.5))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.other
}

/** The letters to insert, remove or replace (Levenshtein). @param {string} a of a caller, perhaps long @param {string} b */
function editsOf(a, b) {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return Number.POSITIVE_INFINITY
  let row = [...b, ''].map((_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j] + (letter === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1))
    }
    row = next
  }
  return row[b.length]
}

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
