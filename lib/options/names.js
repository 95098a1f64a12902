'use strict'

/** The names of the library's options: one that is misspelt would be an option that was not given. */

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

/** By function: what it has. A resumed job takes whatever a copy of one object takes, to go on otherwise. */
const FUNCTIONS = {
  copy: namesOf(ofObject),
  copyPrefix: namesOf(of('copy', 'sync')),
  resume: namesOf(spec => ofObject(spec) || of('resume')(spec)),
  verify: namesOf(of('verify')),
  jobs: namesOf(of('jobs')),
  abortJob: namesOf(of('abort')),
  clean: namesOf(of('clean')),
  deploy: namesOf(of('deploy')),
  undeploy: namesOf(of('deploy')),
  doctor: namesOf(of('doctor')),
}
const OF_SIDE = new Set(OPTIONS.filter(({ sides }) => sides).map(({ name }) => name))

/** @param {(spec: OptionSpec) => boolean} has */
function namesOf(has) {
  const own = OPTIONS.filter(spec => !spec.sides && !spec.cliOnly && has(spec))
  return new Set(own.map(({ name }) => name))
}

/**
 * @param {keyof typeof FUNCTIONS} name of the function
 * @param {object} options
 * @throws {XferError} USAGE
 */
function checkOptionNames(name, options) {
  check(name, options, FUNCTIONS[name])
  const { source, destination } = /** @type {{ source?: SideOptions, destination?: SideOptions }} */ (options)
  if (source) check(`${name}: source`, source, OF_SIDE)
  if (destination) check(`${name}: destination`, destination, OF_SIDE)
}

/** @param {string} of @param {object} given @param {Set<string>} known */
function check(of, given, known) {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || known.has(name)) continue
    const like = [...known].find(other => other.toLowerCase() === name.toLowerCase())
    throw new XferError('USAGE', {
      text: `${of} has no option "${name}".`,
      advice: like ? `Perhaps you mean "${like}".` : `It has ${[...known].join(', ')}.`,
    })
  }
}

module.exports = { checkOptionNames, FUNCTIONS, OF_SIDE }
