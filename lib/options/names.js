'use strict'

/** Checks the names of the library's options, so that a misspelt option is not ignored silently. */

const { XferError } = require('../errors')
const { OPTIONS, commandsOf, libraryOptions } = require('./table')

/** @typedef {import('./contract').Command} Command */
/** @typedef {import('./contract').OptionSpec} OptionSpec */
/** @typedef {import('../types').SideOptions} SideOptions */

/** @param {...Command} commands @returns {(spec: OptionSpec) => boolean} */
const of =
  (...commands) =>
  spec =>
    commandsOf(spec).some(command => commands.includes(command))
/** @param {OptionSpec} spec */
const ofObject = spec => of('copy')(spec) && spec.scope !== 'prefix'

/** Which options each function has. A resumed job takes those of a copy too, to override what its journal keeps. */
const HAS = {
  copy: ofObject,
  copyPrefix: of('copy', 'sync'),
  resume: (/** @type {OptionSpec} */ spec) => ofObject(spec) || of('resume')(spec),
  verify: of('verify'),
  jobs: of('jobs'),
  abortJob: of('abort'),
  clean: of('clean'),
  deploy: of('deploy'),
  undeploy: of('deploy'),
  doctor: of('doctor'),
}

/** The options of a function. @param {keyof typeof HAS} name @param {OptionSpec[]} [specs] */
function optionsOf(name, specs = OPTIONS) {
  return specs.filter(spec => !spec.sides && !spec.cliOnly && HAS[name](spec))
}

/** The options within `source` and `destination`. @param {OptionSpec[]} [specs] */
function sideOptions(specs = OPTIONS) {
  return specs.filter(({ sides }) => sides)
}

/**
 * @param {keyof typeof HAS} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  const specs = libraryOptions()
  check(name, options, optionsOf(name, specs))
  const { source, destination } = /** @type {{ source?: SideOptions, destination?: SideOptions }} */ (options)
  if (source) check(`${name}: source`, source, sideOptions(specs))
  if (destination) check(`${name}: destination`, destination, sideOptions(specs))
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
