'use strict'

/** The user's home folder, which not every process has. */

const { devNull, homedir } = require('node:os')
const { join } = require('node:path')

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} undefined: the variable is not set, and the system does not know this user, as in a container that
 *   runs with any number as its user
 */
function homeOf(env) {
  if (env.HOME) return env.HOME
  try {
    return homedir() || undefined
  } catch {
    return undefined
  }
}

/** A path in the home folder; without one, a path where nothing is and nothing can be made. @param {NodeJS.ProcessEnv} env @param {string[]} names */
function inHome(env, ...names) {
  return join(homeOf(env) ?? devNull, ...names)
}

module.exports = { homeOf, inHome }
