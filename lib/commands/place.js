'use strict'

/** `xfer head`, `presign` and `mb`: what an object is as its store tells it, a URL of it, and a new bucket. No object is read. */

const { unlessDenied, usage } = require('../errors')
const { headerTexts } = require('../http')
const { etagText, partsOfEtag, sumText } = require('../integrity')
const { ask, headObject } = require('../job')
const { readerOf } = require('../options')
const { notice } = require('../notices')
const { nameFaultsText } = require('../stores')

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
    etag: etagText(etag),
    ...(lastModifiedMs !== undefined && { lastModifiedMs }),
    ...(versionId !== undefined && { versionId }),
    ...(checksums.length > 0 && { checksums }),
    ...(parts && { parts }),
    ...(storageClass !== undefined && { storageClass }),
    ...(encryption && {
      encryption: { kind: encryption.kind, ...(encryption.keyId !== undefined && { keyId: encryption.keyId }) },
    }),
    headers: headerTexts(metadata.headers),
    metadata: headerTexts(metadata.user),
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

/** `xfer presign`: a URL with which anybody may read an object for some time. */

/**
 * The object is asked for first: so the URL is signed for the right region, by the store's clock, and with credentials that may
 * read it.
 *
 * @param {string} location `s3://bucket/key`
 * @param {import('../types').PresignOptions} [options]
 * @returns {Promise<import('../types').Presigned>}
 * @throws {XferError} NO_SUCH_KEY, ACCESS_DENIED; USAGE if the store or the credentials cannot sign such a URL
 */
async function presign(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'presign', text: location, side: 'source' })
  return await ask(asked, options, async ({ end, run: { cancel: signal } }) => {
    const lifeMs = readerOf('presign', options)('expires')
    const { store, key, versionId, text } = end
    if (!store.presign) {
      const advice = 'Give an object of a store that signs requests.'
      throw usage(`There are no signed URLs of ${text}.`, advice)
    }
    await headObject(end, signal, { below: 'list' })
    return { location: text, ...(await store.presign({ key, versionId, lifeMs })) }
  })
}

/** `xfer mb`: creates a bucket, or what the store calls it. */

/**
 * @param {string} location `s3://bucket`
 * @param {import('../types').MakeBucketOptions} [options]
 * @returns {Promise<import('../types').MadeBucket>}
 * @throws {XferError} USAGE if the store refuses such a name; DESTINATION_EXISTS, also if it is the caller's own; the store's refusals
 */
async function makeBucket(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'makeBucket', text: location, side: 'destination' })
  return await ask(asked, inRegion(options), async ({ place, end: { store, text }, run: { cancel: signal, emit } }) => {
    if (!store.makeContainer) {
      const advice = 'Name a bucket, such as s3://bucket; a copy makes the folders that it needs.'
      throw usage(`No bucket is made at ${text}.`, advice)
    }
    const { container = 'container' } = store.facts.terms ?? {}
    if (place.key !== '') {
      const advice = `Name the ${container} alone, such as s3://bucket.`
      throw usage(`${text} names more than a ${container}.`, advice)
    }
    const faults = store.nameFaults?.() ?? []
    const refused = faults.filter(fault => fault.refused)
    if (refused.length > 0) {
      const why = `The store makes no ${container} "${place.container}", because the name ${nameFaultsText(refused)}.`
      throw usage(why, 'Choose another name.')
    }
    if (faults.length > 0) emit(notice('NAME_BREAKS_RULES', { location: text, faults: nameFaultsText(faults) }))
    await store.makeContainer({ region: options.region }, { signal })
    return { location: text }
  })
}

/** The request goes to that region, too. @template {import('../types').MakeBucketOptions} T @param {T} options @returns {T} */
function inRegion(options) {
  const { region, destination } = options ?? {}
  return region === undefined ? options : { ...options, destination: { ...destination, region } }
}

module.exports = { head, presign, makeBucket }
