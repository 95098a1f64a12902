'use strict'

/** Tokens of who is logged in with `az login`. https://learn.microsoft.com/en-us/cli/azure/account#az-account-get-access-token */

const { execFile } = require('node:child_process')
const { homedir } = require('node:os')
const { withoutSecrets } = require('../../../../errors')
const { XferError } = require('../../words')
const { RESOURCE, firstLine, parsed, tokenIn } = require('./answer')

const LIMIT_MS = 30_000
const WAY = 'the Azure CLI'

/** @param {import('.').World} world @returns {Promise<import('.').Answered | undefined>} undefined: it is not installed */
async function fromAzureCli({ side, read, env }) {
  const tenant = read('AZURE_TENANT_ID')
  const words = ['account', 'get-access-token', '--output', 'json', '--resource', RESOURCE]
  const args = tenant && /^[\w.-]+$/.test(tenant) ? [...words, '--tenant', tenant] : words
  const { error, stdout, stderr } = await run('az', args, env)
  // A shell says with 127, and that of Windows with 9009 or 1, that there is no such program.
  if (error?.code === 'ENOENT' || error?.code === 9009 || /not recognized/.test(stderr)) return undefined
  if (error) {
    const reason = error.killed ? `it did not answer within ${LIMIT_MS / 1000} seconds` : said(stderr)
    throw new XferError('ENTRA_FAILED', { side, way: WAY, reason, advice: 'Run az login, then repeat the command.' })
  }
  const { accessToken, expires_on: seconds, expiresOn: local } = parsed(stdout)
  const expiresMs = seconds === undefined ? Date.parse(local) : Number(seconds) * 1000
  const expires_in = (expiresMs - Date.now()) / 1000
  return tokenIn({ access_token: accessToken, expires_in }, { side, way: WAY })
}

/** @param {string} stderr */
function said(stderr) {
  return withoutSecrets(firstLine(stderr.replace(/^(?:WARNING|ERROR): /gim, '')) || 'it failed without a word')
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

module.exports = { fromAzureCli }
