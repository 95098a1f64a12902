'use strict'

/** One small object through the scheduler: the two signed requests, and what the answers prove. */

const { carry } = require('../carry')
const { crc32FromBase64, crc32ToBase64 } = require('../crc32')
const { XferError, asXferError } = require('../errors')
const { checkParts, proofsOf, sameEtag } = require('../integrity')
const { createMd5Check } = require('../md5')
const { explainWith, mayHaveWritten } = require('../outcome')
const { attributesOf, checksumOf } = require('../stores/s3/attributes')

/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('./whole').Found} Found */
/** @typedef {import('./whole').Copied} Copied */

/**
 * @typedef {object} How
 * @property {boolean} checksum whether the write carries one
 * @property {boolean} md5 whether the source's ETag is taken for the MD5 of its bytes
 * @property {number} [crc32] of the bytes, where they were read before
 * @property {import('./conceded').Grant} grant
 * @property {import('../types').WriteCondition} condition
 */

/**
 * @typedef {{ copied: Copied, sent: number | undefined } & import('./conceded').Sent} Made sent: the CRC-32 of its
 *   bytes
 * @typedef {object} Failed
 * @property {import('../types').XferError} error
 * @property {import('./conceded').Sent} last that was sent
 * @property {boolean} open whether one that was sent may have been written, whatever was said of the last
 * @property {import('./doubtful').Doubt} [doubt] where one was written that is not what was sent, as it seems
 *
 * @typedef {{ attributes: ObjectAttributes, notices: string[], encrypted: boolean }} Carried
 */

/** How often one is found to be described otherwise than a moment ago. */
const MOST_CHANGES = 3
/** An MD5 of the whole. */
const MD5_ETAG = /^"?([0-9a-f]{32})"?$/

/**
 * @param {object} how
 * @param {import('../job').Job} how.job
 * @param {ReturnType<typeof import('./numbers').withOwnNumbers>['scheduleOne']} how.scheduleOne
 * @param {ReturnType<typeof import('./guess').createGuess>} how.guess
 * @param {ReturnType<typeof import('./samples').createSamples>} how.samples
 * @param {ReturnType<typeof import('./told').createToldOnce>} how.tellOnce
 */
function createWholeTask({ job, scheduleOne, guess, samples, tellOnce }) {
  const { source, destination, settings, stopping: signal, emit } = job
  const proved = settings.proved
  const compareMd5 = createMd5Check(destination.store.facts, settings.retries)
  const described = createDescribed(settings.attributes)
  /** Whether the destination has taken a checksum. */
  let taken = false

  /**
   * @param {string} name
   * @param {Found} found
   * @param {How} how
   * @returns {Promise<Made | Failed>}
   */
  return async function copyOnce(name, found, { checksum, md5, crc32: known, grant, condition }) {
    const { bytes, etag } = found
    const key = source.key + name
    const end = { ...source, key, text: source.text + name }
    const explain = explainWith({
      source: source.store,
      destination: destination.store,
      trailer: () => checksum && !taken,
    })
    /** Not guessed. */
    let headers = found.headers
    let changes = 0
    /** Tasks, and those of which nothing was written for certain. */
    let signed = 0
    let unwritten = 0
    /** @type {Failed['doubt']} */
    let doubt
    /** @type {ObjectAttributes} */
    let attributes = { metadata: { headers: {}, user: {} } }
    let granted = attributes

    /** @param {import('../types').Part} part */
    async function sign({ partNumber }) {
      const expected = headers ?? guess.headers(name)
      const carried = (samples.untold() === 0 && described.alike(expected)) || (await carryOwn(expected))
      attributes = carried.attributes
      granted = grant(attributes)
      signed++
      if (headers) for (const notice of carried.notices) tellOnce(notice, end.text)
      const asMd5 = md5 && known === undefined && !carried.encrypted ? MD5_ETAG.exec(etag)?.[1] : undefined
      const write = { key: destination.key + name, bytes, attributes: granted, checksum, condition }
      return {
        partNumber,
        bytes,
        read: await source.store.readRequest({ key, etag, checksum: proved }),
        write: await destination.store.putRequest(write),
        expect: {
          etag,
          totalBytes: bytes,
          headers: expected,
          ...(asMd5 && { md5: asMd5 }),
          ...(known !== undefined && { crc32: known }),
        },
        tell: /** @type {const} */ (true),
        ...(proved && (!checksum || asMd5 !== undefined) && { md5: true }),
        ...(!proved && { crc32: /** @type {const} */ (false) }),
      }
    }

    /** @param {Record<string, string>} expected @returns {Promise<Carried>} */
    async function carryOwn(expected) {
      const { tags, ...object } = attributesOf(expected)
      const asked = headers === found.headers && 'tags' in found
      const untold = asked ? found.tags : samples.untold()
      const told = { ...object, tags: tags ?? untold, lastModifiedMs: found.lastModifiedMs }
      const own = { ...(await carry(end, told, settings.attributes, signal)), encrypted: isEncrypted(object) }
      if (told.tags === 0) described.remember(expected, own)
      return own
    }

    try {
      const outcome = await scheduleOne(bytes, {
        sign,
        explain(error) {
          if (!mayHaveWritten(error)) unwritten++
          if (error.code !== 'HEADERS_DIFFER' || !error.headers || ++changes > MOST_CHANGES) return explain(error)
          if (!headers) guess.was(false)
          guess.learn(name, error.headers)
          headers = error.headers
          return explain({ ...error, renewed: true })
        },
        check(outcome, attempt) {
          taken ||= checksum
          const stored = storedCrc32(outcome)
          const wrong = stored === undefined ? compareMd5(outcome, attempt) : compareCrc32(outcome, stored)
          doubt = wrong && { etag: outcome.etag, crc32: outcome.crc32 }
          return wrong
        },
        emit: event => event.type !== 'part' && emit(/** @type {any} */ ({ ...event, name })),
      })
      if (!headers) guess.was(true)
      return { ...concluded(found, outcome, known !== undefined), attributes, granted }
    } catch (cause) {
      return { error: asXferError(cause), last: { attributes, granted }, open: signed > unwritten, doubt }
    }
  }

  /** @param {TaskSuccess} outcome @param {string} stored */
  function compareCrc32({ crc32 }, stored) {
    if (crc32 === undefined || crc32FromBase64(stored) === crc32) return undefined
    const reason = `CRC-32 ${crc32ToBase64(crc32)} was sent, ${stored} stored`
    return new XferError('PART_CORRUPTED', { ...destination.store.facts, reason, expected: crc32, found: stored })
  }

  /** @param {Found} found @param {TaskSuccess} outcome @param {boolean} again whether it was read before, and alike */
  function concluded({ bytes, etag: sourceEtag }, outcome, again) {
    const { etag, md5, headers: { read = {}, write = {} } = {} } = outcome
    const object = /** @type {import('../types').ObjectHead} */ ({
      bytes,
      etag: sourceEtag,
      checksum: checksumOf(read),
    })
    const crc32 = checkParts([outcome], [{ partNumber: outcome.partNumber, start: 0, bytes }], object)
    const asMd5 = md5 !== undefined && sameEtag(`"${md5}"`, sourceEtag)
    /** @type {import('../types').Proof[]} */
    const proofs = [
      ...(asMd5 ? /** @type {const} */ (['source-md5']) : []),
      ...(again ? /** @type {const} */ (['source-read']) : []),
    ]
    const versionId = write['x-amz-version-id']
    /** @type {Copied} */
    const copied = {
      bytes,
      etag,
      ...(crc32 !== undefined && { crc32: crc32ToBase64(crc32) }),
      ...(versionId !== undefined && { versionId }),
      proof: proofsOf({ source: object, outcomes: [outcome], crc32, etag, storedCrc32: storedCrc32(outcome), proofs }),
    }
    return { copied, sent: crc32 }
  }
}

/** Of the whole object, as the answer to the write tells it. @param {TaskSuccess} outcome */
function storedCrc32({ headers: { write = {} } = {} }) {
  const checksum = checksumOf(write)
  return checksum?.type === 'FULL_OBJECT' ? checksum.crc32 : undefined
}

/**
 * Objects that are described by the same headers are carried alike, but for their tags and the time of their own.
 *
 * @param {import('../types').AttributeWish} wish
 */
function createDescribed({ mtime }) {
  /** By the very headers that were guessed or found. @type {WeakMap<Record<string, string>, Carried>} */
  const known = new WeakMap()
  return {
    /** @param {Record<string, string>} headers @returns {Carried | undefined} */
    alike: headers => known.get(headers),
    /** @param {Record<string, string>} headers @param {Carried} carried */
    remember(headers, carried) {
      if (!mtime) known.set(headers, { ...carried, notices: [] })
    },
  }
}

/** Its ETag is no MD5 then. @param {Pick<import('../types').ObjectDescription, 'encryption'>} object */
function isEncrypted({ encryption }) {
  return encryption !== undefined && encryption.kind !== 'AES256'
}

module.exports = { createWholeTask }
