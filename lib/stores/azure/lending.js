'use strict'

/** URLs with which another store may read one blob for a quarter of an hour. Each carries a SAS, so it is a secret. */

const { encodeKey, versionQuery } = require('./place')
const { readSas } = require('./read-sas')

/**
 * @param {object} of
 * @param {import('./types').AzureSettings} of.settings
 * @param {string} of.container
 * @param {() => number} of.now the store's clock
 * @param {import('./signing').Delegation} [of.delegation] signs where the credentials are a token
 * @returns {Pick<import('../contract').Store, 'lend'>} empty if the only SAS is the user's, which is good for more than one blob,
 *   and may not be shared
 */
function createLending({ settings, container, now, delegation }) {
  const { account, endpoint, credentials } = settings
  if (credentials.kind === 'sas' && !credentials.shared) return {}

  /** @param {string} key @param {Record<string, string>} query @returns {Promise<string>} without a question mark; may be empty */
  async function sasFor(key, query) {
    if (credentials.kind === 'anonymous') return ''
    if (credentials.kind === 'sas') return credentials.token()
    if (credentials.kind === 'sharedKey') {
      const plain = endpoint.startsWith('http:')
      return readSas({ container, key, query }, { account, key: credentials.key(), nowMs: now(), plain })
    }
    if (!delegation) throw new TypeError('A token needs a delegation.')
    return await delegation.sas({ container, key, query, headers: {}, permission: 'r' })
  }

  return {
    async lend({ key, versionId }) {
      const query = versionQuery(versionId)
      const asked = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      const search = [...asked, await sasFor(key, query)].filter(Boolean).join('&')
      return `${endpoint}/${container}/${encodeKey(key)}${search && `?${search}`}`
    },
  }
}

module.exports = { createLending }
