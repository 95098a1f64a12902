'use strict'

const { readFile } = require('node:fs/promises')
const { XferError } = require('../errors')

/** What an Authorization header can carry (RFC 6750 section 2.1, and more): no blanks, no control characters. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/**
 * The token that a worker and its callers share: the first line of `--token-file`, or XFER_TOKEN. It is never an option itself,
 * because process lists show options.
 *
 * @param {string | undefined} path of `--token-file`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string | undefined>} undefined if neither is given
 * @throws {XferError} USAGE if the file cannot be read, or if it is no token; its text never contains the token
 */
async function readToken(path, env) {
  const from = path === undefined ? 'XFER_TOKEN' : `The file "${path}" of --token-file`
  const text = path === undefined ? env.XFER_TOKEN : await readFirstLine(path)
  if (path === undefined && !text) return undefined
  const token = text?.trim() ?? ''
  if (TOKEN.test(token)) return token
  throw new XferError('USAGE', {
    text: `${from} holds no token.`,
    advice: 'Give printable characters without blanks, such as those of: openssl rand -hex 32',
  })
}

/** @param {string} path */
async function readFirstLine(path) {
  const text = await readFile(path, 'utf8').catch(cause => {
    const facts = {
      text: `The file "${path}" of --token-file cannot be read (${cause.code}).`,
      advice: 'Check the path.',
    }
    throw new XferError('USAGE', facts, { cause })
  })
  return text.trim().split(/\r?\n/)[0]
}

module.exports = { readToken }
