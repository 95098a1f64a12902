'use strict'

const { randomBytes } = require('node:crypto')

/**
 * The options with every default filled in; see types.d.ts for what each means.
 *
 * @param {import('./types').AzureOptions} options
 * @param {string} dir
 * @returns {import('./types').Settings}
 * @throws {TypeError} for an option that doesn't exist: a misspelled one would be ignored
 */
function withDefaults(options, dir) {
  const { containers, faults, tls, dir: _, ...given } = options
  const settings = {
    host: '127.0.0.1',
    port: 0,
    account: 'xfersandbox',
    key: randomBytes(64).toString('base64'),
    principals: [],
    hierarchical: false,
    resolvesPaths: true,
    versioning: false,
    tier: 'Hot',
    pageSize: 5000,
    clockSkewMs: 0,
    seed: 1,
    serverName: 'Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0',
  }
  const unknown = Object.keys(given).find(name => !(name in settings))
  if (unknown !== undefined) throw new TypeError(`an Azure store has no option "${unknown}"`)
  const chosen = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return { ...settings, ...chosen, dir }
}

module.exports = { withDefaults }
