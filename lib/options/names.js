'use strict'

/** Checks the names of the library's options, so that a misspelt option is not ignored silently. */

const { XferError } = require('../errors')
const { STORES, factoryOfText } = require('../stores')
const { OPTIONS, commandsOf, flagOf, libraryOptions } = require('./table')

/** @typedef {import('./contract').Command} Command */
/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('./contract').SideName} SideName */

/** @param {...Command} commands @returns {(spec: OptionSpec) => boolean} */
const of =
  (...commands) =>
  spec =>
    commandsOf(spec).some(command => commands.includes(command))
/** @param {OptionSpec} spec */
const ofObject = spec => of('copy')(spec) && spec.scope !== 'prefix' && spec.scope !== 'stream'
/** What a stream has not got: a store, and a job that is gone on with. */
const NOT_OF_STREAMS = ['source', 'restart']
/** What chooses how something is deployed. */
const DEPLOYING = OPTIONS.find(({ name }) => name === 'undeploy')?.conflicts ?? []

/** Which options each function has. A resumed job takes those of a copy too, to override what its journal keeps. */
const HAS = {
  copy: ofObject,
  copyPrefix: (/** @type {OptionSpec} */ spec) =>
    of('copy', 'sync')(spec) && !['object', 'stream'].includes(spec.scope ?? ''),
  upload: (/** @type {OptionSpec} */ spec) =>
    of('copy')(spec) && spec.scope !== 'prefix' && !NOT_OF_STREAMS.includes(spec.name),
  resume: (/** @type {OptionSpec} */ spec) => ofObject(spec) || of('resume')(spec),
  verify: (/** @type {OptionSpec} */ spec) => of('verify')(spec) && spec.scope !== 'prefix',
  verifyPrefix: (/** @type {OptionSpec} */ spec) => of('verify')(spec) && spec.scope !== 'object',
  list: of('ls'),
  usage: of('du'),
  head: of('head'),
  presign: of('presign'),
  makeBucket: of('mb'),
  jobs: of('jobs'),
  abortJob: of('abort'),
  move: of('mv'),
  remove: of('rm'),
  clean: of('clean'),
  deploy: of('deploy'),
  undeploy: (/** @type {OptionSpec} */ spec) => of('deploy')(spec) && !DEPLOYING.includes(spec.name),
  doctor: of('doctor'),
  download: of('cat'),
}

/** The command that has the options of the sides of each function. @type {Partial<Record<keyof typeof HAS, Command>>} */
const COMMANDS = {
  copy: 'copy',
  copyPrefix: 'sync',
  upload: 'copy',
  resume: 'resume',
  verify: 'verify',
  verifyPrefix: 'verify',
  list: 'ls',
  usage: 'du',
  head: 'head',
  presign: 'presign',
  makeBucket: 'mb',
  abortJob: 'abort',
  move: 'mv',
  remove: 'rm',
  clean: 'clean',
  doctor: 'doctor',
  download: 'cat',
}

/** What is done with prefixes refuses options of one object with an advice: lib/prefix/selection and lib/job/open.js. */
const ADVISED = /** @type {const} */ ({ copyPrefix: 'copy', verifyPrefix: 'verify' })

/** The options of a function. @param {keyof typeof HAS} name @param {OptionSpec[]} [specs] */
function optionsOf(name, specs = OPTIONS) {
  return specs.filter(spec => !spec.sides && !spec.cliOnly && HAS[name](spec))
}

/** The options within `source` or `destination`. @param {keyof typeof HAS} name @param {SideName} side @param {OptionSpec[]} [specs] */
function sideOptions(name, side, specs = OPTIONS) {
  const command = COMMANDS[name]
  return specs.filter(
    spec => spec.sides?.includes(side) && !spec.journalOnly && command && commandsOf(spec, side).includes(command),
  )
}

/**
 * @param {keyof typeof HAS} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  const specs = libraryOptions()
  const advised = name in ADVISED ? ADVISED[/** @type {keyof typeof ADVISED} */ (name)] : undefined
  const also = advised ? optionsOf(advised, specs).filter(({ scope }) => scope === 'object') : []
  check(name, options, [...optionsOf(name, specs), ...also], option => elsewhereOf(name, option))
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    const given = /** @type {Partial<Record<SideName, object>>} */ (options)[side]
    const known = [name, ...(advised ? [advised] : [])].flatMap(each => sideOptions(each, side, specs))
    if (given) check(`${name}: ${side}`, given, known, option => elsewhereOf(name, option, side))
  }
}

/**
 * Where else an option would be right: within a side, beside the sides, or with another function.
 *
 * @param {keyof typeof HAS} name of the function
 * @param {string} option
 * @param {SideName} [within]
 * @returns {string | undefined} an advice
 */
function elsewhereOf(name, option, within) {
  const specs = libraryOptions()
  const among = (/** @type {OptionSpec[]} */ some) => some.some(spec => spec.name === option)
  if (within) return among(optionsOf(name, specs)) ? `Give it beside ${within}, not within it.` : undefined
  const [side] = /** @type {const} */ (['source', 'destination']).filter(one => among(sideOptions(name, one, specs)))
  if (side) return `Give it within a side: ${side}: { ${option} }.`
  const flag = sideOfFlag(option, one => sideOptions(name, one, specs))
  if (flag) return `Give it within the side: ${flag}.`
  const [other] = /** @type {Array<keyof typeof HAS>} */ (Object.keys(HAS)).filter(one => among(optionsOf(one, specs)))
  return other && `It is an option of ${other}.`
}

/**
 * A flag of one side, written as an option: `sourceProfile`, from `--source-profile`.
 *
 * @param {string} option
 * @param {(side: SideName) => OptionSpec[]} specsOf
 * @returns {string | undefined} as it is given: `source: { profile }`
 */
function sideOfFlag(option, specsOf) {
  const [, start, name = ''] = /^(source|src|destination|dest)([A-Z].*)$/.exec(option) ?? []
  const side = start?.startsWith('s') ? 'source' : 'destination'
  const spec = specsOf(side).find(one => one.name.toLowerCase() === name.toLowerCase())
  return spec && `${side}: { ${spec.name} }`
}

/** @param {string} of @param {object} given @param {OptionSpec[]} specs @param {(option: string) => string | undefined} elsewhere */
function check(of, given, specs, elsewhere) {
  const known = new Set(specs.map(({ name }) => name))
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.has(name)) continue
    throw new XferError('USAGE', {
      text: `${of} has no option "${name}".`,
      advice: meant(name, known, elsewhere) ?? `It has ${[...known].join(', ')}.`,
    })
  }
}

/**
 * Checks that the options of a side are options of its store: another store's would be ignored silently.
 *
 * @param {{ source?: unknown, destination?: unknown }} places as they were given
 * @param {Record<string, any>} options
 * @throws {XferError} USAGE
 */
function checkSideOptions(places, options) {
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    const store = factoryOfText(String(places[side] ?? ''))
    if (!store) continue
    const own = store.options.map(({ name }) => name)
    const foreign = STORES.flatMap(({ options: specs, schemes }) => specs.map(spec => ({ spec, schemes }))).find(
      ({ spec }) => spec.sides && !own.includes(spec.name) && options[side]?.[spec.name] !== undefined,
    )
    if (!foreign) continue
    const [theirs, ours] = [foreign, store].map(({ schemes }) => `${schemes[0]}://`)
    const text = `${flagOf(foreign.spec, side)} is an option for ${theirs}, and the ${side} is ${ours}.`
    throw new XferError('USAGE', { text, advice: 'Leave it out.' })
  }
}

/** What the caller of the library perhaps means by an option that a function has not. */

/** Names that are no misspelling, but short for another. @type {Record<string, string>} */
const SHORT_FOR = { dest: 'destination', src: 'source', onProgress: 'onEvent', abortSignal: 'signal' }

/**
 * @param {string} name
 * @param {Set<string>} known the options that there are
 * @param {(name: string) => string | undefined} elsewhere the advice for an option that is right elsewhere
 * @returns {string | undefined} an advice
 */
function meant(name, known, elsewhere) {
  const same = [...known].find(other => other.toLowerCase() === name.toLowerCase())
  if (same) return `Perhaps you mean "${same}".`
  const positive = /^no[A-Z]/.test(name) ? name[2].toLowerCase() + name.slice(3) : ''
  if (known.has(positive)) return `Give ${positive}: false.`
  if (Object.hasOwn(SHORT_FOR, name) && known.has(SHORT_FOR[name])) return `Perhaps you mean "${SHORT_FOR[name]}".`
  const place = elsewhere(name)
  if (place) return place
  const most = Math.min(3, Math.floor(name.length / 3))
  const [nearest] = [...known]
    .map(other => ({ other, steps: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps)
  return nearest && `Perhaps you mean "${nearest.other}".`
}

/** The number of letters to add, remove or replace. @param {string} a @param {string} b @returns {number} */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (b[j] === letter ? 0 : 1)))
    row = next
  }
  return row[b.length]
}

module.exports = { checkOptionNames, checkSideOptions, optionsOf, sideOptions, meant }
