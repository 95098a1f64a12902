'use strict'

/** What the checks of platforms have in common. */

const { toOutcomes, toParameters } = require('./protocol')

/** @typedef {import('../../types').Finding} Finding */

/**
 * Has the function do nothing, twice, and tells how long that took.
 *
 * @param {(params: object) => Promise<{ result: any, elapsedMs: number }>} invoke
 * @param {{ action: string, where: string }} facts for errors
 * @returns {Promise<Finding>}
 * @throws {import('../../types').XferError} also if its answer does not fit
 */
async function timeInvocations(invoke, facts) {
  const times = []
  for (const _ of ['first', 'second']) {
    const { result, elapsedMs } = await invoke(toParameters([]))
    toOutcomes(result, [], facts)
    times.push(`${elapsedMs} ms (${result.container?.invocation === 1 ? 'cold' : 'warm'})`)
  }
  return { ok: true, detail: `The function answered in ${times.join(' and ')}.` }
}

/** What the access rules of a deployment allow, as a sentence without its end. @param {import('../../types').Access} access */
function describeAccess({ hosts = ['*'], metadata }) {
  if (hosts.length === 0) return 'The function may connect to no host'
  const whom = hosts.includes('*') ? 'to any host' : `only to ${hosts.join(', ')}`
  return `The function may connect ${whom}, ${metadata ? 'also' : 'but not'} to link-local and metadata addresses`
}

module.exports = { describeAccess, timeInvocations }
