'use strict'

/**
 * The given options over the defaults.
 *
 * @param {string} what they are of, for people
 * @param {any} defaults
 * @param {Record<string, any>} given undefined ones are left out
 * @returns {any}
 * @throws {TypeError} for an option that doesn't exist: a misspelled one would be ignored, and a test with it prove nothing
 */
function withDefaults(what, defaults, given) {
  const unknown = Object.keys(given).find(name => !Object.hasOwn(defaults, name))
  if (unknown !== undefined) throw new TypeError(`${what} has no option "${unknown}"`)
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(chosen) }
}

module.exports = { withDefaults }
