'use strict'

/** Checks the names of the library's options, so that a misspelt option is not ignored silently. */

const { XferError } = require('../errors')
const { OPTIONS, commandsOf, libraryOptions } = require('./table')

/** @typedef {import('./contract').Command} Command */
/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('./contract').SideName} SideName */

/** @param {...Command} commands @returns {(spec: OptionSpec) => boolean} */
const of =
  (...commands) =>
  spec =>
    commandsOf(spec).some(command => commands.includes(command))
/** @param {OptionSpec} spec */
const ofObject = spec => of('copy')(spec) && spec.scope !== 'prefix'
/** What chooses how something is deployed. */
const DEPLOYING = OPTIONS.find(({ name }) => name === 'undeploy')?.conflicts ?? []

/** Which options each function has. A resumed job takes those of a copy too, to override what its journal keeps. */
const HAS = {
  copy: ofObject,
  copyPrefix: (/** @type {OptionSpec} */ spec) => of('copy', 'sync')(spec) && spec.scope !== 'object',
  resume: (/** @type {OptionSpec} */ spec) => ofObject(spec) || of('resume')(spec),
  verify: of('verify'),
  jobs: of('jobs'),
  abortJob: of('abort'),
  clean: of('clean'),
  deploy: of('deploy'),
  undeploy: (/** @type {OptionSpec} */ spec) => of('deploy')(spec) && !DEPLOYING.includes(spec.name),
  doctor: of('doctor'),
}

/** The command that has the options of the sides of each function. @type {Partial<Record<keyof typeof HAS, Command>>} */
const COMMANDS = {
  copy: 'copy',
  copyPrefix: 'sync',
  resume: 'resume',
  verify: 'verify',
  abortJob: 'abort',
  clean: 'clean',
  doctor: 'doctor',
}

/** Copies of prefixes refuse options of one object with an advice: lib/prefix/selection and lib/job/open.js. */
const ADVISED = /** @type {const} */ ({ copyPrefix: 'copy' })

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
  check(name, options, [...optionsOf(name, specs), ...also])
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    const given = /** @type {Partial<Record<SideName, object>>} */ (options)[side]
    const known = [name, ...(advised ? [advised] : [])].flatMap(each => sideOptions(each, side, specs))
    if (given) check(`${name}: ${side}`, given, known)
  }
}

/** @param {string} of @param {object} given @param {OptionSpec[]} specs */
function check(of, given, specs) {
  const known = new Set(specs.map(({ name }) => name))
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.has(name)) continue
    const like = [...known].find(other => other.toLowerCase() === name.toLowerCase())
    throw new XferError('USAGE', {
      text: `${of} has no option "${name}".`,
      advice: like ? `Perhaps you mean "${like}".` : `It has ${[...known].join(', ')}.`,
    })
  }
}

module.exports = { checkOptionNames, optionsOf, sideOptions }
