'use strict'

/**
 * Profiles that people have for other tools: remotes of rclone and aliases of mc. They count where the files of AWS have no profile of
 * that name. rclone obscures passwords alone: it keeps the secrets of its remotes of S3 as they are. And profiles, wherever they are kept,
 * whose keys are given to a function that runs jobs, and how that has them.
 * https://rclone.org/s3/ https://rclone.org/docs/#config-file https://min.io/docs/minio/linux/reference/minio-mc.html
 */

const { writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { usage } = require('../errors')
const { inHome } = require('../files')
const { readOptional } = require('../http')
const { chainedCredentials, environmentCredentials, loadProfiles } = require('./profiles')

/** @typedef {import('./profiles').Profile} Profile */
/** @typedef {import('../types').XferError} XferError */
/** @typedef {Record<string, Profile>} Profiles by name */
/** @typedef {{ path: string, fault: XferError }} UnreadFile a file that cannot be used, and why */

/**
 * @param {{ accessKeyId?: string, secretAccessKey?: string, sessionToken?: string }} keys
 * @returns {Partial<Profile>} without keys the requests are not signed
 */
function keyed({ accessKeyId, secretAccessKey, sessionToken }) {
  if (!accessKeyId && !secretAccessKey) return { unsigned: true }
  // What is missing is refused by the store, as any wrong key is.
  const credentials = { accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '' }
  return { credentials: { ...credentials, ...(sessionToken && { sessionToken }) } }
}

/** @param {NodeJS.ProcessEnv} env */
const rclonePath = env =>
  env.RCLONE_CONFIG ||
  (env.XDG_CONFIG_HOME
    ? join(env.XDG_CONFIG_HOME, 'rclone', 'rclone.conf')
    : inHome(env, '.config', 'rclone', 'rclone.conf'))

/** @param {string} path @param {NodeJS.ProcessEnv} env @returns {Promise<Profiles>} */
async function rcloneRemotes(path, env) {
  const text = await readOptional(path)
  if (text === '') return {}
  if (/^RCLONE_ENCRYPT_V\d+:/m.test(text)) {
    const advice = 'Have rclone decrypt it (rclone config encryption remove), or write a profile into ~/.aws/config.'
    throw usage(`The file ${path} of rclone is encrypted, and xfer does not decrypt it.`, advice)
  }
  const remotes = Object.entries(sectionsOf(text)).filter(([, { type }]) => type === 's3')
  return Object.fromEntries(remotes.map(([name, remote]) => [name, ofRemote(remote, { name, path, env })]))
}

/**
 * Unlike the files of AWS: a name may have blanks, and a value `#` and `;`.
 *
 * @param {string} text of rclone.conf
 */
function sectionsOf(text) {
  /** @type {Record<string, Record<string, string>>} */
  const sections = Object.create(null)
  /** @type {Record<string, string>} */
  let section = {}
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^\s*\[(.+)\]\s*$/.exec(line) ?? []
    const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) section = sections[name] ??= {}
    else if (key !== undefined) section[key] = value
  }
  return sections
}

/** Settings by which a remote is somebody else, and which xfer does not read. */
const UNKNOWN = ['role_arn', 'shared_credentials_file']

/** @type {Record<string, Profile['addressing']>} */
const PATH_STYLE = { true: 'path', false: 'virtual' }

/** @param {Record<string, string | undefined>} remote @param {{ name: string, path: string, env: NodeJS.ProcessEnv }} where @returns {Profile} */
function ofRemote(remote, { name, path, env }) {
  const { endpoint, region, env_auth: fromEnv, force_path_style: pathStyle = '' } = remote
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, session_token: sessionToken } = remote
  const own = keyed({ accessKeyId, secretAccessKey, sessionToken })
  const ofEnv = remote.profile ? undefined : environmentCredentials(env)
  const through = remote.profile || env.AWS_PROFILE || 'default'
  return {
    region,
    endpointUrl: endpoint && (/^https?:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`),
    endpointFrom: `the remote "${name}" in ${path}`,
    file: path,
    refused: UNKNOWN.find(setting => remote[setting]),
    addressing: PATH_STYLE[pathStyle.toLowerCase()],
    ...(own.unsigned && fromEnv?.toLowerCase() === 'true' ? (ofEnv ? { credentials: ofEnv } : { through }) : own),
  }
}

/** @param {NodeJS.ProcessEnv} env */
const mcPath = env => (env.MC_CONFIG_DIR ? join(env.MC_CONFIG_DIR, 'config.json') : inHome(env, '.mc', 'config.json'))

/** mc writes aliases with them into every new file. */
const PLACEHOLDER = /^YOUR-(?:ACCESS|SECRET)-KEY-HERE$/
/** @type {Record<string, Profile['addressing']>} */
const MC_PATH = { on: 'path', off: 'virtual', path: 'path', dns: 'virtual' }

/** @param {string} path @returns {Promise<Profiles>} */
async function mcAliases(path) {
  const text = await readOptional(path)
  /** @type {any} */
  let found
  try {
    found = JSON.parse(text || '{}')?.aliases ?? {}
  } catch {
    // The parser's message would quote the text, which has secrets.
    throw usage(`The file ${path} of mc is no JSON.`, 'Correct it, or write it anew with mc alias set.')
  }
  const aliases = Object.entries(found).filter(
    ([, alias]) => typeof alias?.url === 'string' && !PLACEHOLDER.test(alias.accessKey),
  )
  return Object.fromEntries(
    aliases.map(([name, { url, accessKey, secretKey, sessionToken, path: style }]) => [
      name,
      {
        endpointUrl: url,
        endpointFrom: `the alias "${name}" in ${path}`,
        file: path,
        addressing: MC_PATH[style],
        ...keyed({ accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken }),
      },
    ]),
  )
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ remotes: Profiles, unread: UnreadFile[] }>} of two with one name that of rclone
 */
async function loadRemotes(env) {
  /** @type {Profiles} */
  const remotes = Object.create(null)
  /** @type {UnreadFile[]} */
  const unread = []
  /** @type {Array<[path: string, read: (path: string, env: NodeJS.ProcessEnv) => Promise<Profiles>]>} */
  const files = [
    [rclonePath(env), rcloneRemotes],
    [mcPath(env), mcAliases],
  ]
  for (const [path, read] of files) {
    await read(path, env).then(
      found => Object.assign(remotes, { ...found, ...remotes }),
      fault => unread.push({ path, fault }),
    )
  }
  return { remotes, unread }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} name that no profile of AWS has
 * @param {() => XferError} missing
 * @returns {Promise<Profile>}
 * @throws {XferError} USAGE if it may be in a file that cannot be used; else what `missing` makes
 */
async function findRemote(env, name, missing) {
  const { remotes, unread } = await loadRemotes(env)
  const found = remotes[name]
  if (found?.refused) {
    const text = `The remote "${name}" in ${found.file} has ${found.refused}, which xfer does not read.`
    throw usage(text, 'Write a profile of that name into ~/.aws/config.')
  }
  if (found) return found
  if (unread.length === 0) throw missing()
  const [{ path, fault }] = unread
  const text = `There is no profile "${name}" in the files of AWS, and ${path}, which may have it, cannot be used: ${fault.message}`
  throw usage(text, fault.facts.advice)
}

/**
 * Every profile that a place of S3 may name.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ profiles: Profiles, unread: UnreadFile[] }>} in the order of their files
 */
async function everyProfile(env) {
  const ofAws = await loadProfiles(env, 's3')
  const { remotes, unread } = await loadRemotes(env)
  return {
    profiles: { ...ofAws, ...Object.fromEntries(Object.entries(remotes).filter(([name]) => !ofAws[name])) },
    unread,
  }
}

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

module.exports = { bindableProfiles, everyProfile, findRemote, writeProfiles }
