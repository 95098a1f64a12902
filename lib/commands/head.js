'use strict'

/** `xfer head`: what an object is, as its store tells it. Nothing of it is read. */

const { unlessDenied } = require('../errors')
const { isPinnedByTime, partsOfEtag, sumText } = require('../integrity')
const { ask, headObject } = require('../job')

/** @typedef {import('../types').ObjectInfo} ObjectInfo */
/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../job/contract').Side} Side */

/**
 * @param {string} location `s3://bucket/key`
 * @param {import('../types').HeadOptions} [options]
 * @returns {Promise<ObjectInfo>}
 * @throws {XferError} NO_SUCH_KEY, and the store's other refusals
 */
async function head(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'head', text: location, side: 'source' })
  return await ask(asked, options, async ({ end, run: { cancel: signal } }) => {
    const found = await headObject(end, signal, { below: 'list' })
    const [parts, tags] = await Promise.all([partsOf(end, found, signal), tagsOf(end, found, signal)])
    return describe(end, found, { parts, tags })
  })
}

/**
 * @param {Side} end
 * @param {ObjectHead} found
 * @param {AbortSignal | undefined} signal
 */
async function partsOf({ store, key, versionId }, { etag }, signal) {
  if (partsOfEtag(etag) === undefined) return undefined
  const asked = await store.partSize?.(key, { signal, versionId }).catch(unlessDenied)
  return asked && { count: asked.parts, bytes: asked.bytes }
}

/**
 * @param {Side} end
 * @param {ObjectHead} found
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Array<[key: string, value: string]> | undefined>} undefined: they may not be read, or the store has none
 */
async function tagsOf({ store, key, versionId }, { tags }, signal) {
  if (tags === 0) return []
  return await store.tags?.read(key, { signal, versionId }).catch(unlessDenied)
}

/**
 * @param {Side} end
 * @param {ObjectHead} found
 * @param {{ parts?: { count: number, bytes: number }, tags?: Array<[string, string]> }} more
 * @returns {ObjectInfo}
 */
function describe({ text, key }, found, { parts, tags }) {
  const { bytes, versionId, lastModifiedMs, metadata, storageClass, encryption, redirect } = found
  // The next command is perhaps a copy with --if-match.
  const { conditionEtag: etag = found.etag } = found
  const checksums = checksumsOf(found)
  return {
    location: text,
    key,
    bytes,
    etag: isPinnedByTime({ etag }) ? '' : etag,
    ...(lastModifiedMs !== undefined && { lastModifiedMs }),
    ...(versionId !== undefined && { versionId }),
    ...(checksums.length > 0 && { checksums }),
    ...(parts && { parts }),
    ...(storageClass !== undefined && { storageClass }),
    ...(encryption && {
      encryption: { kind: encryption.kind, ...(encryption.keyId !== undefined && { keyId: encryption.keyId }) },
    }),
    headers: metadata.headers,
    metadata: metadata.user,
    ...(tags && { tags: Object.fromEntries(tags) }),
    ...(!tags && found.tags !== undefined && { tagCount: found.tags }),
    ...(redirect !== undefined && { redirect }),
    ...(found.unkept && { others: found.unkept }),
  }
}

/** As the store writes them. @param {ObjectHead} found @returns {NonNullable<ObjectInfo['checksums']>} */
function checksumsOf({ sums = {}, composite }) {
  const full = /** @type {Array<[import('../types').Sum, string]>} */ (Object.entries(sums))
  return [
    ...full.map(([sum, hex]) => ({ sum, value: sumText(sum, hex), kind: /** @type {const} */ ('full') })),
    ...(composite
      ? [{ sum: /** @type {const} */ ('crc32'), value: composite.crc32, kind: /** @type {const} */ ('composite') }]
      : []),
  ]
}

module.exports = { head }
