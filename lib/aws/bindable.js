'use strict'

/** Profiles whose keys are given to a function that runs jobs, and how that has them. */

const { writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { usage } = require('../errors')
const { chainedCredentials } = require('./profiles')
const { everyProfile } = require('./remotes')

/** @typedef {import('../types').BoundProfile} BoundProfile */

/**
 * @param {string[]} names
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Record<string, BoundProfile>>} with their keys
 * @throws {import('../types').XferError} USAGE: there is no such profile, its keys do not last, or it cannot be read
 */
async function bindableProfiles(names, env) {
  const { profiles } = await everyProfile(env)
  /** @type {Record<string, BoundProfile>} */
  const bound = {}
  for (const name of names) {
    const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    if (!profile || profile.refused) {
      throw usage(
        `The profile "${name}" ${profile?.refused ? `has ${profile.refused}, which is not read` : 'is not there'}.`,
        'xfer profiles lists those that are.',
      )
    }
    const { credentials, through = name, region, endpointUrl, addressing } = profile
    const keys =
      credentials ??
      (await chainedCredentials(through, env)().catch(cause => {
        throw usage(`The profile "${name}" has no keys: ${cause.message}`, 'xfer profiles --check says more.')
      }))
    if (keys.sessionToken) {
      throw usage(
        `The keys of the profile "${name}" end after some time, and the runner could not renew them.`,
        'Name one with the keys of a user of its own, who has only the rights that the jobs need.',
      )
    }
    bound[name] = {
      accessKeyId: keys.accessKeyId,
      secretAccessKey: keys.secretAccessKey,
      ...(region && { region }),
      ...(endpointUrl && { endpointUrl }),
      ...(addressing && { addressing }),
    }
  }
  return bound
}

/**
 * In the function: where every tool of AWS looks for them.
 *
 * @param {string} folder of this run alone, which is removed after it
 * @param {Record<string, BoundProfile>} profiles
 * @returns {Promise<NodeJS.ProcessEnv>} the variable that names the file
 */
async function writeProfiles(folder, profiles) {
  const sections = Object.entries(profiles).map(([name, profile]) => {
    const { accessKeyId, secretAccessKey, region, endpointUrl, addressing } = profile
    const settings = {
      aws_access_key_id: accessKeyId,
      aws_secret_access_key: secretAccessKey,
      ...(region && { region }),
      ...(endpointUrl && { endpoint_url: endpointUrl }),
      ...(addressing && { s3: `\n  addressing_style = ${addressing}` }),
    }
    return [`[profile ${name}]`, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`)].join('\n')
  })
  if (sections.length === 0) return {}
  const path = join(folder, 'config')
  await writeFile(path, `${sections.join('\n\n')}\n`, { mode: 0o600 })
  return { AWS_CONFIG_FILE: path }
}

module.exports = { bindableProfiles, writeProfiles }
