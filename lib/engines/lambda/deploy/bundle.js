'use strict'

/** Reads the certificates that a deployed function trusts from its archive. */

const { Readable } = require('node:stream')
const { BUNDLE } = require('../../../../actions/copy-range/net')
const { asXferError } = require('../../../errors')
const { unzipFiles } = require('../../common')
const { bundleSumOf, sumOf } = require('./compare')
const { XferError } = require('./errors')

/** Ours has less than half a megabyte. */
const MOST_BYTES = 64 * 1024 ** 2
const READ_MS = 60_000

/**
 * @param {import('./compare').Found} found
 * @param {() => Promise<string | undefined>} address of the archive
 * @param {{ action: string, signal?: AbortSignal }} how
 * @returns {Promise<Uint8Array | undefined>} undefined if none were deployed
 * @throws {XferError} LAMBDA_CODE_UNREAD
 */
async function deployedBundle(found, address, { action, signal }) {
  const sum = bundleSumOf(found)
  if (sum === undefined) return undefined
  const url = await address()
  /** @param {string} reason @param {unknown} [cause] */
  const unread = (reason, cause) => new XferError('LAMBDA_CODE_UNREAD', { action, reason }, { cause })
  if (!url) throw unread('Lambda does not say where it is')
  const archive = await download(url, signal).catch(cause => {
    throw unread(asXferError(cause).facts.reason ?? 'it cannot be downloaded', cause)
  })
  const caBundle = unzipFiles(archive)?.[BUNDLE]
  if (!caBundle || sumOf(caBundle) !== sum) throw unread('they are not those that were deployed')
  return caBundle
}
