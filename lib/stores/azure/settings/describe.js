'use strict'

/** What the credentials are, in words without a secret. */

/**
 * @param {Pick<import('../types').AzureSettings, 'credentials' | 'credentialsFrom'>} settings
 * @returns {{ words: string, expiresMs?: number }}
 */
function describeCredentials({ credentials, credentialsFrom: from }) {
  if (credentials.kind === 'sharedKey') return { words: `the key of the account, from ${from}` }
  if (credentials.kind === 'anonymous') return { words: 'only what is public can be read' }
  if (credentials.kind === 'token') return { words: `a token of ${from}, by the Azure CLI` }
  const { permissions, expiresMs } = credentials
  const allows = permissions === undefined ? 'whose rights a stored access policy says' : `with sp=${permissions}`
  const ends = expiresMs === undefined ? '' : `, until ${new Date(expiresMs).toISOString()}`
  return { words: `a SAS, from ${from}, ${allows}${ends}; functions do not get it, so this machine copies`, expiresMs }
}

module.exports = { describeCredentials }
