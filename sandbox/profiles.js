'use strict'

/** The sandbox's stores as profiles of an AWS configuration file: xfer, the AWS CLI and others read it. */

const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/** The profiles of the stores for people, and the bucket of each. */
const OLD = { profile: 'old', bucket: 'photos' }
const NEW = { profile: 'new', bucket: 'backup' }
/** A store that answers like Google Cloud Storage. */
const GOOGLE = { profile: 'google', bucket: 'photos-archive' }

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
 * @param {StoreAccess[]} stores the old one, the new one and, where there is one, Google's
 * @returns {Promise<{ file: string, remove: () => Promise<void> }>}
 */
async function writeProfiles(stores) {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-sandbox-'))
  const file = join(folder, 'config')
  const names = [OLD, NEW, GOOGLE].map(({ profile }) => profile)
  const texts = stores.map((store, i) => profileText(names[i], store))
  await writeFile(file, texts.join('\n'), { mode: 0o600 })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}

module.exports = { writeProfiles, OLD, NEW, GOOGLE }
