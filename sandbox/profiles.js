'use strict'

/** The sandbox's stores as profiles of an AWS configuration file: xfer, the AWS CLI and others read it. */

const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/** @typedef {import('./sandbox').StoreAccess} StoreAccess */

/** @param {string} name @param {StoreAccess} store */
function profileText(name, { region, endpoint, accessKeyId, secretAccessKey }) {
  return `[profile ${name}]
region = ${region}
endpoint_url = ${endpoint}
aws_access_key_id = ${accessKeyId}
aws_secret_access_key = ${secretAccessKey}
`
}

/**
 * Writes the file into a folder of its own.
 *
 * @param {Record<string, StoreAccess>} stores by the names of their profiles
 * @returns {Promise<{ file: string, remove: () => Promise<void> }>}
 */
async function writeProfiles(stores) {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-sandbox-'))
  const file = join(folder, 'config')
  const text = Object.entries(stores).map(([name, store]) => profileText(name, store))
  await writeFile(file, text.join('\n'), { mode: 0o600 })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

module.exports = { writeProfiles }
