'use strict'

/** Checks the names of the library's options, so that a misspelt option is not ignored silently. */

const { XferError } = require('../errors')
const { OPTIONS, commandsOf } = require('./table')

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

/** The options of each function. A resumed job takes those of a copy too, to override what its journal keeps. */
const FUNCTIONS = {
  copy: specsOf(ofObject),
  copyPrefix: specsOf(of('copy', 'sync')),
  resume: specsOf(spec => ofObject(spec) || of('resume')(spec)),
  verify: specsOf(of('verify')),
  jobs: specsOf(of('jobs')),
  abortJob: specsOf(of('abort')),
  clean: specsOf(of('clean')),
  deploy: specsOf(of('deploy')),
  undeploy: specsOf(of('deploy')),
  doctor: specsOf(of('doctor')),
}
/** The options within `source` and `destination`. */
const SIDE = OPTIONS.filter(({ sides }) => sides)

/** @param {(spec: OptionSpec) => boolean} has */
function specsOf(has) {
  return OPTIONS.filter(spec => !spec.sides && !spec.cliOnly && has(spec))
}

/**
 * @param {keyof typeof FUNCTIONS} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  check(name, options, FUNCTIONS[name])
  const { source, destination } = /** @type {{ source?: SideOptions, destination?: SideOptions }} */ (options)
  if (source) check(`${name}: source`, source, SIDE)
  if (destination) check(`${name}: destination`, destination, SIDE)
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

module.exports = { checkOptionNames, FUNCTIONS, SIDE }
