'use strict'

/** What the checks of platforms have in common. */

const { toOutcomes, toParameters } = require('./protocol')

/** @typedef {import('../../types').Finding} Finding */

/**
 * Has the function do nothing, twice, and tells how long that took.
 *
 * @param {(params: object) => Promise<any>} invoke resolves to its result
 * @param {{ action: string, where: string }} facts for errors
 * @returns {Promise<Finding>}
 * @throws {import('../../types').XferError} also if its answer does not fit
 */
async function timeInvocations(invoke, facts) {
  const times = []
  for (const _ of ['first', 'second']) {
    const startedMs = performance.now()
    const result = await invoke(toParameters([]))
    const elapsedMs = Math.ceil(performance.now() - startedMs)
    toOutcomes(result, [], facts)
    times.push(`${elapsedMs} ms (${result.container?.invocation === 1 ? 'cold' : 'warm'})`)
  }
  return { ok: true, detail: `The function answered in ${times.join(' and ')}.` }
}

/**
 * What the access rules of a deployment allow.
 *
 * @param {import('../../types').Access} access
 * @param {string} deployCommand
 * @param {string} [more] at the end of the sentence
 * @returns {Finding}
 */
function judgeAccess({ hosts = ['*'], metadata }, deployCommand, more = '') {
  const whom = hosts.includes('*') ? 'to any host' : `only to ${hosts.join(', ')}`
  const place = `${whom}, ${metadata ? 'also' : 'but not'} to link-local and metadata addresses`
  const detail = `The function may connect ${hosts.length === 0 ? 'to no host' : place}${more}.`
  if (!metadata) return { ok: true, detail }
  return { ok: true, detail, hint: `Run ${deployCommand} --no-allow-metadata, unless a store is at such an address.` }
}

module.exports = { judgeAccess, timeInvocations }
