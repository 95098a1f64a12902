'use strict'

/**
 * Tokens of Microsoft Entra ID for Azure Storage: from the first of the usual ways that there is, in the order of Azure's own
 * libraries. Each way is one documented request, or one command. `@azure/identity` has more ways (certificates, browsers,
 * brokers); it needs Node.js 22, brings 43 packages of 52 MB, and reads the environment of the process alone.
 */

const { repeat } = require('../../../../async')
const { memoize } = require('../../../../async')
const { XferError, termsOf } = require('../../words')
const { fromAzureCli } = require('./azure-cli')
const { fromClientSecret, fromWorkloadIdentity } = require('./application')
const { fromManagedIdentity } = require('./managed-identity')

const RETRIES = 3

/** @typedef {{ token: string, expiration: Date, way: string }} Answered way: how it was had, for messages */

/**
 * @typedef {object} World what the ways read and ask
 * @property {'source' | 'destination'} side
 * @property {(name: string) => string | undefined} read a variable of this side, else of both
 * @property {NodeJS.ProcessEnv} env for the command of the Azure CLI
 * @property {'public' | 'usgov' | 'china'} cloud each has its own login
 * @property {string} [ca] certificates to trust in addition to the usual ones, PEM
 * @property {import('../../../../http/proxy').FindProxy} proxy
 */

/** Each resolves to undefined if it is not set up here. @type {Array<(world: World) => Promise<Answered | undefined>>} */
const WAYS = [fromClientSecret, fromWorkloadIdentity, fromManagedIdentity, fromAzureCli]

/**
 * @param {'source' | 'destination'} side
 * @param {Omit<World, 'side' | 'read'> & { variables: ReturnType<typeof import('../variables').variablesOf>, check: () => void }} how check: throws if
 *   no token may be sent to the store
 * @returns {Extract<import('../../types').AzureCredentials, { kind: 'token' }>} asks nobody before its first call
 */
function entraTokens(side, { variables, check, ...world }) {
  const read = (/** @type {string} */ name) => variables.any(name)?.value
  const kept = memoize(() => {
    check()
    return repeat(() => firstOf({ side, read, ...world }), { retries: RETRIES })
  })
  /** @type {Answered | undefined} */
  let last

  return {
    kind: 'token',
    async get() {
      last = await kept()
      const { token, expiration } = last
      return { token, expiresMs: expiration.getTime() }
    },
    way: () => last?.way,
    async renew(refused) {
      if (last === undefined || last.token !== refused) return last !== undefined
      return await kept.renew(last)
    },
  }
}

/** @param {World} world @returns {Promise<Answered>} @throws {XferError} NO_CREDENTIALS, ENTRA_FAILED, ENTRA_UNREACHABLE */
async function firstOf(world) {
  for (const way of WAYS) {
    const answered = await way(world)
    if (answered) return answered
  }
  const { side } = world
  throw new XferError('NO_CREDENTIALS', { side, terms: termsOf(side) })
}

module.exports = { entraTokens }
