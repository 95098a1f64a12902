'use strict'

/** An `az` for the PATH, which is logged in as an application: it asks the sandbox's directory for each token. */

const { chmodSync, mkdtempSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { newFolder } = require('./opened')

/** @param {string} text of the program @param {string} [at] @returns {string} the folder that has it */
function azureCli(text, at = newFolder()) {
  const folder = mkdtempSync(join(at, 'az-'))
  writeFileSync(join(folder, 'az'), text)
  chmodSync(join(folder, 'az'), 0o755)
  return folder
}

/**
 * @param {string} origin of the store, whose directory answers there too
 * @param {{ tenantId: string, clientId: string, clientSecret: string }} app
 * @param {string} [at]
 * @returns {string} the folder that has it
 */
function loggedIn(origin, { tenantId, clientId, clientSecret }, at) {
  const form = { client_id: clientId, client_secret: clientSecret, scope: 'https://storage.azure.com/.default' }
  return azureCli(
    `#!${process.execPath}
fetch(${JSON.stringify(`${origin}/${tenantId}/oauth2/v2.0/token`)}, {
  method: 'POST',
  body: new URLSearchParams(${JSON.stringify({ grant_type: 'client_credentials', ...form })}),
})
  .then(answer => answer.json())
  .then(({ access_token: accessToken, expires_in: seconds }) => {
    console.log(JSON.stringify({ accessToken, expires_on: Math.floor(Date.now() / 1000) + seconds }))
  })
`,
    at,
  )
}

/** An application of a directory. */
const PRINCIPAL = {
  tenantId: '11111111-1111-1111-1111-111111111111',
  clientId: '22222222-2222-2222-2222-222222222222',
  objectId: '33333333-3333-3333-3333-333333333333',
  clientSecret: 'SECRETSECRET-of-the-application',
}

module.exports = { PRINCIPAL, azureCli, loggedIn }
