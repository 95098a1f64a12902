'use strict'

/**
 * Endpoint, credentials and other settings of one side's account.
 *
 * Precedence of credentials: none with --source-no-sign-request; a connection string, a key or a SAS of this side alone
 * (`XFER_SOURCE_AZURE_STORAGE_…`), then one of both sides (`AZURE_STORAGE_…`); else a token of Microsoft Entra ID.
 */

const { XferError } = require('../../../errors')
const { trustedCertificates } = require('../../../http')
const { checkPrivate } = require('../../common')
const { termsOf } = require('./words')
const { findEndpoint, identify } = require('./endpoint')
const { checkKeys, describeCredentials, findKeys, secretOf } = require('./keys')

/** @typedef {import('../../../types').SideOptions} SideOptions */
/** @typedef {import('../types').AzureSettings} AzureSettings */
/** @typedef {'source' | 'destination'} Side */

/**
 * @param {import('../../contract').Place} place
 * @param {Side} side
 * @param {SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @param {() => number} [now] epoch milliseconds
 * @returns {Promise<AzureSettings>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
async function resolveSide({ account = '' }, side, options, env, now = Date.now) {
  const variables = variablesOf(side, env)
  const keys = options.noSignRequest ? undefined : findKeys(variables)
  const where = { variables, connection: keys && { endpoint: keys.endpoint, from: keys.from } }
  const { endpoint, endpointFrom } = findEndpoint(side, account, options, where)
  const bundle = variables.own('CA_BUNDLE')
  const ca = await trustedCertificates([
    [options.caBundle, '--ca-bundle'],
    [bundle?.value, bundle?.from ?? ''],
  ])
  const { versionId } = options
  return {
    side,
    account,
    ...{ endpoint, endpointFrom },
    ca,
    ...credentialsOf(),
    ...(versionId !== undefined && { versionId: checkVersion(versionId) }),
    keep: { endpointUrl: endpointFrom === null ? undefined : endpoint, versionId },
  }

  /** @returns {Pick<AzureSettings, 'credentials' | 'credentialsFrom'>} */
  function credentialsOf() {
    if (options.noSignRequest) {
      return { credentials: { kind: 'anonymous' }, credentialsFrom: '--source-no-sign-request' }
    }
    if (keys) return { credentials: checkKeys(keys, { side, account, now: now() }), credentialsFrom: keys.from }
    // Loaded only where it is needed.
    const { entraTokens } = require('./entra')
    const tenant = variables.any('AZURE_TENANT_ID')?.value
    const what = { secret: 'A token of Microsoft Entra ID', advice: TOKEN_ADVICE }
    const credentials = entraTokens(side, { tenant, env, check: () => checkPrivate(endpoint, side, what) })
    return { credentials, credentialsFrom: 'Microsoft Entra ID' }
  }
}

const TOKEN_ADVICE = 'Give the endpoint as https://host, or set AZURE_STORAGE_KEY.'

/** https://learn.microsoft.com/en-us/azure/storage/blobs/versioning-overview */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,7})?Z$/

/** @param {string} text @throws {XferError} USAGE */
function checkVersion(text) {
  if (TIME.test(text)) return text
  throw new XferError('USAGE', {
    text: `--version-id "${text}" cannot be a version.`,
    advice: 'Give it as Azure lists it, such as 2026-11-23T09:30:00.1234567Z.',
  })
}

/** @typedef {{ value: string, from: string }} Found from: the variable, for messages */
/** @typedef {(name: string) => Found | undefined} Read an empty variable counts as not set */

/**
 * The variables of Azure's own tools; with `XFER_SOURCE_` or `XFER_DEST_` before them they are of one side, and win.
 *
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

module.exports = { describeCredentials, identify, resolveSide, secretOf, termsOf, variablesOf }
