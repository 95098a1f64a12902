'use strict'

/** Which workers there are, and the token for them. */

const { redact } = require('../../errors')
const { environmentProxy, optionalCaBundle, reachOf, readToken, webAddress } = require('../../http')

/**
 * @typedef {import('../contract').EngineSettings & {
 *   workers: string[], token?: string, ca?: string, proxy: import('../../http/agents').FindProxy
 * }} Settings workers: URLs without a trailing slash; ca: certificates to trust in addition to the usual ones, PEM
 */

/**
 * @param {{ worker?: string | string[], caBundle?: string }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Settings | undefined>} undefined if there is no worker
 * @throws {XferError} USAGE if an address is none, or if the token cannot be read
 */
async function readSettings({ worker, caBundle }, env) {
  const given = worker === undefined ? (env.XFER_WORKERS ?? '').split(',') : [worker].flat()
  const texts = given.map(text => text.trim()).filter(Boolean)
  if (texts.length === 0 && worker === undefined) return undefined
  const workers = [...new Set((texts.length > 0 ? texts : ['']).map(readAddress))]
  return {
    where: workers.length === 1 ? workers[0] : `${workers.length} workers`,
    reach: workers.every(url => reachOf(url) === 'local') ? 'local' : 'network',
    from: worker === undefined ? 'the environment' : '--worker',
    workers,
    token: readToken(env),
    ca: await optionalCaBundle(caBundle, env),
    proxy: environmentProxy(env),
  }
}

/** @param {string} text */
function readAddress(text) {
  const wrong = `The worker "${redact(text)}" is not an http or https URL.`
  return webAddress(text, wrong, 'Give it as https://host:port, without a query. The token is XFER_TOKEN.')
}

module.exports = { readSettings }
