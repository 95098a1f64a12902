'use strict'

/** Reads the certificates that a deployed function trusts from its archive. */

const { BUNDLE } = require('../../../../actions/copy-range/net')
const { asXferError, throwIfAborted } = require('../../../errors')
const { agent, readBody, send } = require('../../../http')
const { unzipFiles } = require('../../common')
const { INTERFACE, bundleSumOf, isDeployed, sumOf, variablesOf } = require('./compare')
const { XferError } = require('./errors')

/** Ours has less than half a megabyte. */
const MOST_BYTES = 64 * 1024 ** 2
const SILENCE_MS = 30_000

/**
 * xfer notes in a variable which certificates it has deployed. A template of the user's does not, so its archive is read.
 *
 * @param {import('./compare').Found} found
 * @param {Uint8Array} bare our archive without certificates
 * @param {() => Promise<string | undefined>} address of the archive
 * @param {{ action: string, settings: import('../service/settings').LambdaSettings, signal?: AbortSignal }} how
 * @returns {Promise<Uint8Array | undefined>} PEM; undefined if none were deployed
 * @throws {XferError} LAMBDA_CODE_UNREAD
 */
async function deployedBundle(found, bare, address, { action, settings, signal }) {
  const sum = bundleSumOf(found)
  const byXfer = INTERFACE in variablesOf(found)
  if (sum === undefined && (byXfer || isDeployed(bare, found))) return undefined
  const url = await address()
  /** @param {string} reason @param {unknown} [cause] */
  const unread = (reason, cause) => new XferError('LAMBDA_CODE_UNREAD', { action, reason }, { cause })
  if (!url) throw unread('Lambda does not say where it is')
  const archive = await download(url, settings, signal).catch(cause => {
    throwIfAborted(signal)
    throw unread(asXferError(cause).facts.reason ?? 'it cannot be downloaded', cause)
  })
  const files = archive && unzipFiles(archive)
  const caBundle = files?.[BUNDLE]
  if (files && sum === undefined) return caBundle
  if (!caBundle || sumOf(caBundle) !== sum) throw unread('it does not have those that were deployed')
  return caBundle
}

/** @param {string} url @param {import('../service/settings').LambdaSettings} settings @param {AbortSignal} [signal] @returns {Promise<Buffer | undefined>} */
async function download(url, { ca, proxy }, signal) {
  const route = agent(new URL(url).origin, { ca, proxy })
  try {
    const response = await send({ method: 'GET', url }, { agent: route, limitMs: SILENCE_MS, signal })
    const body = await readBody(response, { most: MOST_BYTES, silenceMs: SILENCE_MS })
    if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
    return body
  } finally {
    route.destroy()
  }
}

module.exports = { deployedBundle }
