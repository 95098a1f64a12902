'use strict'

/**
 * Tokens of the machine that xfer runs on, as Azure gives them to virtual machines, container apps and functions.
 * https://learn.microsoft.com/en-us/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 * https://learn.microsoft.com/en-us/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */

const { RESOURCE, requestToken } = require('./answer')

const METADATA = 'http://169.254.169.254'
/** On other machines nobody answers at that address. */
const FIRST_MS = 1_000
const LIMIT_MS = 30_000

const WAY = 'the managed identity'

/** @param {import('.').World} world @returns {Promise<import('.').Answered | undefined>} */
async function fromManagedIdentity(world) {
  const { read } = world
  const client = read('AZURE_CLIENT_ID')
  /** @param {string} address @param {string} version @param {Record<string, string>} headers */
  const request = (address, version, headers) => {
    const query = new URLSearchParams({
      'api-version': version,
      resource: RESOURCE,
      ...(client && { client_id: client }),
    })
    return { method: 'GET', url: `${address}?${query}`, headers }
  }
  const endpoint = read('IDENTITY_ENDPOINT')
  const secret = read('IDENTITY_HEADER')
  if (endpoint && secret && URL.canParse(endpoint)) {
    const asked = request(endpoint, '2019-08-01', { 'x-identity-header': secret })
    return await requestToken(asked, { world, way: WAY, limitMs: LIMIT_MS, direct: true, secrets: [secret] })
  }
  const host = (read('AZURE_POD_IDENTITY_AUTHORITY_HOST') ?? METADATA).replace(/\/+$/, '')
  const asked = request(`${host}/metadata/identity/oauth2/token`, '2018-02-01', { metadata: 'true' })
  try {
    return await requestToken(asked, { world, way: WAY, limitMs: FIRST_MS, direct: true })
  } catch (error) {
    const { status } = /** @type {any} */ (error).facts ?? {}
    // No machine of Azure, or one of another cloud, or one without an identity.
    if (status === undefined || (status >= 400 && status < 500 && status !== 429 && status !== 410)) return undefined
    throw error
  }
}

module.exports = { fromManagedIdentity }
