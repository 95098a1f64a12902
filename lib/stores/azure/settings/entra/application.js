'use strict'

/**
 * Tokens of an application (service principal): with its secret, or with the token that Kubernetes, GitHub or another issuer
 * wrote into a file (workload identity).
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */

const { readFile } = require('node:fs/promises')
const { isLoopback } = require('../../../../http')
const { XferError } = require('../../words')
const { RESOURCE, requestToken } = require('./answer')

const LIMIT_MS = 30_000

/** Where each cloud logs in. https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud */
const LOGIN = /** @type {const} */ ({
  public: 'https://login.microsoftonline.com',
  usgov: 'https://login.microsoftonline.us',
  china: 'https://login.partner.microsoftonline.cn',
})

/** @param {import('.').World} world @returns {Promise<import('.').Answered | undefined>} */
async function fromClientSecret(world) {
  const { read, side } = world
  const secret = read('AZURE_CLIENT_SECRET')
  const way = 'AZURE_CLIENT_SECRET'
  if (secret !== undefined) return await login(world, { way, proof: { client_secret: secret }, secrets: [secret] })
  if (read('AZURE_CLIENT_CERTIFICATE_PATH') === undefined) return undefined
  const reason = 'xfer does not log in with certificates'
  const advice = 'Log in with az login --service-principal, or set AZURE_CLIENT_SECRET or AZURE_FEDERATED_TOKEN_FILE.'
  throw new XferError('ENTRA_FAILED', { side, way: 'AZURE_CLIENT_CERTIFICATE_PATH', reason, advice })
}

/** @param {import('.').World} world @returns {Promise<import('.').Answered | undefined>} */
async function fromWorkloadIdentity(world) {
  const path = world.read('AZURE_FEDERATED_TOKEN_FILE')
  if (path === undefined) return undefined
  const way = 'AZURE_FEDERATED_TOKEN_FILE'
  // Read each time: whoever wrote it writes a new one before it expires.
  const assertion = await readFile(path, 'utf8').catch(cause => {
    const reason = `the file ${path} cannot be read (${cause.code})`
    throw new XferError('ENTRA_FAILED', { side: world.side, way, reason, advice: 'Check the file.' }, { cause })
  })
  const proof = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion.trim(),
  }
  return await login(world, { way, proof, secrets: [assertion.trim()] })
}

/**
 * @param {import('.').World} world
 * @param {{ way: string, proof: Record<string, string>, secrets: string[] }} with_
 */
async function login(world, { way, proof, secrets }) {
  const { read, side } = world
  const [tenant, client] = ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID'].map(name => {
    const value = read(name)
    if (value !== undefined && /^[\w.-]+$/.test(value)) return value
    const reason = value === undefined ? `${name} is not set` : `${name} is no id`
    throw new XferError('ENTRA_FAILED', { side, way, reason, advice: 'Set AZURE_TENANT_ID and AZURE_CLIENT_ID.' })
  })
  const form = { grant_type: 'client_credentials', client_id: client, scope: `${RESOURCE}.default`, ...proof }
  const body = Buffer.from(new URLSearchParams(form).toString())
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(body.length),
    accept: 'application/json',
  }
  const url = `${authorityOf(world, way)}/${tenant}/oauth2/v2.0/token`
  return await requestToken({ method: 'POST', url, headers, body }, { world, way, limitMs: LIMIT_MS, secrets })
}

/** @param {import('.').World} world @param {string} way @returns {string} without a closing slash */
function authorityOf({ read, cloud, side }, way) {
  const given = read('AZURE_AUTHORITY_HOST')
  if (given === undefined) return LOGIN[cloud]
  const text = given.includes('://') ? given : `https://${given}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) {
    return text.replace(/\/+$/, '')
  }
  const reason = 'AZURE_AUTHORITY_HOST is no address of https, and a secret is sent there'
  throw new XferError('ENTRA_FAILED', { side, way, reason, advice: `Give it as ${LOGIN.public}, or unset it.` })
}

module.exports = { fromClientSecret, fromWorkloadIdentity }
