'use strict'

/**
 * Tokens of Microsoft Entra ID for Azure Storage, from the Azure CLI: people, applications, managed identities and workload
 * identities all log in with `az login`. https://learn.microsoft.com/en-us/cli/azure/account#az-account-get-access-token
 */

const { execFile } = require('node:child_process')
const { homedir } = require('node:os')
const { memoize } = require('../../../async')
const { XferError, withoutSecrets } = require('../../../errors')
const { termsOf } = require('./words')

/** What tokens are for, in each cloud. https://learn.microsoft.com/en-us/azure/storage/blobs/authorize-access-azure-active-directory */
const RESOURCE = 'https://storage.azure.com/'
const LIMIT_MS = 30_000

/** @typedef {'source' | 'destination'} Side */
/** @typedef {{ token: string, expiration: Date }} Answered */

/**
 * @param {Side} side
 * @param {{ tenant?: string, env: NodeJS.ProcessEnv, check: () => void }} how check: throws if no token may be sent to the store
 * @returns {Extract<import('../types').AzureCredentials, { kind: 'token' }>} asks nobody before its first call
 */
function entraTokens(side, { tenant, env, check }) {
  const kept = memoize(() => {
    check()
    return askAzureCli(side, { tenant, env })
  })
  /** @type {Answered | undefined} */
  let last
  return {
    kind: 'token',
    async get() {
      last = await kept()
      return last
    },
    async renew(refused) {
      if (last === undefined || last.token !== refused) return last !== undefined
      return await kept.renew(last)
    },
  }
}

/**
 * @param {Side} side
 * @param {{ tenant?: string, env: NodeJS.ProcessEnv }} how
 * @returns {Promise<Answered>}
 * @throws {XferError} NO_CREDENTIALS if there is no Azure CLI, BAD_CREDENTIALS
 */
async function askAzureCli(side, { tenant, env }) {
  const words = ['account', 'get-access-token', '--output', 'json', '--resource', RESOURCE]
  const args = tenant && /^[\w.-]+$/.test(tenant) ? [...words, '--tenant', tenant] : words
  const { error, stdout, stderr } = await run('az', args, env)
  // A shell says with 127, and that of Windows with 9009 or 1, that there is no such program.
  if (error?.code === 'ENOENT' || error?.code === 9009 || /not recognized/.test(stderr)) {
    throw new XferError('NO_CREDENTIALS', { side, terms: termsOf(side) })
  }
  const failed = (/** @type {string} */ reason) =>
    new XferError('BAD_CREDENTIALS', {
      text: `The Azure CLI gave no token of Microsoft Entra ID for the ${side}: ${reason}.`,
      advice: 'Run az login, then repeat the command; or set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN.',
    })
  if (error) throw failed(error.killed ? `it did not answer within ${LIMIT_MS / 1000} seconds` : said(stderr))
  const { accessToken: token, expires_on: seconds, expiresOn: local } = parsed(stdout)
  const expiration = new Date(seconds === undefined ? Date.parse(local) : Number(seconds) * 1000)
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(expiration.getTime() > Date.now())) {
    throw failed('the answer has no token with the time of its life')
  }
  return { token, expiration }
}

/** @param {string} stderr @returns {string} its first line, without a full stop */
function said(stderr) {
  const text = stderr.replace(/^(?:WARNING|ERROR): /gim, '').trim()
  const [first] = text.split(/[\r\n]/, 1)
  return withoutSecrets(first.slice(0, 300).replace(/\.$/, '') || 'it failed without a word')
}

/** @param {string} text @returns {any} {} if it is no object */
function parsed(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ error: any, stdout: string, stderr: string }>} stdout: never for messages
 */
function run(program, args, env) {
  // On Windows az is a script, which only a shell starts. Its folder is the user's own: that of the shell could have another az.
  const how = { env, cwd: homedir(), timeout: LIMIT_MS, windowsHide: true, shell: process.platform === 'win32' }
  return new Promise(resolve => {
    execFile(program, args, how, (error, stdout, stderr) =>
      resolve({ error, stdout: String(stdout), stderr: String(stderr) }),
    )
  })
}

module.exports = { entraTokens }
