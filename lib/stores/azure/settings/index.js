'use strict'

/**
 * Endpoint, credentials and other settings of one side's account.
 *
 * Precedence of credentials: none with --source-no-sign-request; a connection string, a key or a SAS of this side alone
 * (`XFER_SOURCE_AZURE_STORAGE_…`), then one of both sides (`AZURE_STORAGE_…`); else a token of Microsoft Entra ID.
 */

const { isLoopback, readCaBundle } = require('../../../http')
const { XferError } = require('../words')
const { describeCredentials } = require('./describe')
const { cloudOf, findEndpoint } = require('./endpoint')
const { checkKeys, findKeys, secretOf } = require('./keys')
const { variablesOf } = require('./variables')

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
 * @throws {XferError} USAGE, AZURE_SETTING, SAS_LACKS, CREDENTIALS_EXPIRED
 */
async function resolveSide({ account = '' }, side, options, env, now = Date.now) {
  const variables = variablesOf(side, env)
  const keys = options.noSignRequest ? undefined : findKeys(variables)
  const where = { variables, connection: keys && { endpoint: keys.endpoint, from: keys.from } }
  const { endpoint, endpointFrom } = findEndpoint(side, account, options, where)
  const ca = await trusted(side, options, variables)
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
    const credentials = entraTokens(side, { tenant, env, check: () => checkPrivate(endpoint, side) })
    return { credentials, credentialsFrom: 'Microsoft Entra ID' }
  }
}

/** A token opens all that its owner may do, so it is sent over TLS or to this machine. @param {string} endpoint @param {Side} side */
function checkPrivate(endpoint, side) {
  const { protocol, hostname } = new URL(endpoint)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw new XferError('USAGE', {
    text: `A token of Microsoft Entra ID is not sent to the ${side} ${endpoint}, where all on the way could read it.`,
    advice: 'Give the endpoint as https://host, or set AZURE_STORAGE_KEY.',
  })
}

/** @param {Side} side @param {SideOptions} options @param {ReturnType<typeof variablesOf>} variables */
async function trusted(side, { caBundle }, { own }) {
  const variable = own('CA_BUNDLE')
  if (caBundle !== undefined) return await readCaBundle(caBundle, '--ca-bundle')
  return variable && (await readCaBundle(variable.value, variable.from))
}

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

module.exports = { cloudOf, describeCredentials, resolveSide, secretOf }
