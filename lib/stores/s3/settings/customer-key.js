'use strict'

/**
 * Server-side encryption with a customer key (SSE-C). The store does not keep the key, so every request that reads or writes
 * the object carries it. The key comes from the environment or from a file, never from an option, because process lists show
 * options. It is passed on as a function, because functions are never printed, journaled or sent.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ServerSideEncryptionCustomerKeys.html
 */

const { createHash } = require('node:crypto')
const { readFile } = require('node:fs/promises')
const { checkPrivate, usage } = require('../../common')

const KEY_BYTES = 32
const HEADER = 'x-amz-server-side-encryption-customer-'

/**
 * @param {'source' | 'destination'} side
 * @param {{ file?: string, text?: string, needed?: boolean }} given file: path of the file with the key; text: the key from the environment;
 *   needed: the job began with a key
 * @param {string | undefined} endpoint
 * @returns {Promise<(() => Record<string, string>) | undefined>} returns the headers; undefined without a key
 * @throws {XferError} USAGE; its text never contains the key
 */
async function readCustomerKey(side, { file, text, needed = false }, endpoint) {
  const variable = `XFER_${side === 'source' ? 'SOURCE' : 'DEST'}_SSE_C_KEY`
  const option = `--${side === 'source' ? 'source' : 'dest'}-sse-c-key-file`
  if (file === undefined && text === undefined) {
    if (!needed) return undefined
    throw usage(
      `The copy was begun with a customer's own key (SSE-C) for the ${side}, which is written down nowhere.`,
      `Give it once more, by ${variable} or ${option}.`,
    )
  }
  const key = file === undefined ? fromBase64(text ?? '') : await fromFile(file, option)
  if (key?.length !== KEY_BYTES) {
    const where = file === undefined ? variable : `The file that ${option} names`
    throw usage(`${where} holds no key of ${KEY_BYTES} bytes.`, 'Make one with openssl rand -base64 32.')
  }
  const secret = "A customer's own key (SSE-C)"
  checkPrivate(endpoint, side, { secret, advice: 'Give the endpoint as https://host.' })
  const headers = {
    [`${HEADER}algorithm`]: 'AES256',
    [`${HEADER}key`]: key.toString('base64'),
    [`${HEADER}key-md5`]: createHash('md5').update(key).digest('base64'),
  }
  return () => ({ ...headers })
}

/** @param {string} path @param {string} option @returns {Promise<Buffer | undefined>} the 32 bytes, raw or decoded from base64 */
async function fromFile(path, option) {
  const content = await readFile(path).catch(cause => {
    throw usage(
      `The file "${path}", named by ${option}, cannot be read (${cause.code}).`,
      'Check its name and its permissions.',
    )
  })
  return content.length === KEY_BYTES ? content : fromBase64(content.toString('latin1').trim())
}

/** @param {string} text @returns {Buffer | undefined} */
function fromBase64(text) {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

module.exports = { readCustomerKey }
