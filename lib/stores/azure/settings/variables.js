'use strict'

/** The variables of Azure's own tools; with `XFER_SOURCE_` or `XFER_DEST_` before them they are of one side, and win. */

/** @typedef {{ value: string, from: string }} Found from: the variable, for messages */
/** @typedef {(name: string) => Found | undefined} Read an empty variable counts as not set */

/**
 * @param {'source' | 'destination'} side
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ own: Read, general: Read, any: Read }} own: of this side alone; any: own, else general
 */
function variablesOf(side, env) {
  const prefix = side === 'source' ? 'XFER_SOURCE_' : 'XFER_DEST_'
  /** @param {string} from */
  const read = from => (env[from] ? { value: env[from], from } : undefined)
  /** @type {Read} */
  const own = name => read(prefix + name)
  return { own, general: read, any: name => own(name) ?? read(name) }
}

module.exports = { variablesOf }
