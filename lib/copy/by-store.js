'use strict'

/**
 * Copies one object by one request to the store that holds both ends. xfer sees no byte, so the proof is the store's
 * complete response, for the source's ETag, and the checksums that it stores of both objects.
 */

const { attributesFor, readSourceAttributes } = require('./attributes')
const { XferError, asXferError, rootOf } = require('../errors')
const { CRCS, compareSums, isSamePinned, md5EtagOf, sameEtag, weighCopied } = require('../integrity')
const { explainWith } = require('../schedule')
const { isUnchanged, leavesOpen, look, UNKNOWN_TIMING } = require('../destination')
const { copySourceOf } = require('./store')

/** @typedef {import('./small').Via} Via */
/** @typedef {import('./small').KnownSource} KnownSource */
/** @typedef {import('./small').Order} Order */
/** @typedef {import('../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../types').Notice} Notice */
/** @typedef {import('../types').XferError} XferError */

/** @type {import('../types').ObjectMetadata} */
const NOTHING = { headers: {}, user: {} }
/** Errors of a failed condition, which may be the source's or the destination's. */
const OF_WHICH = new Set(['DESTINATION_EXISTS', 'NO_SUCH_KEY'])

/**
 * @param {object} how
 * @param {import('../job/open').Context} how.job
 * @param {import('./small').Schedule} how.schedule
 * @param {(source: KnownSource) => Promise<{ attributes: ObjectAttributes, notices: Notice[] }>} [how.attributesOf] if they are known already
 * @param {boolean} [how.many] the object is one of many: it waits behind the parts of large ones
 * @returns {Via & { asksFirst(source: KnownSource): boolean }} asksFirst: the object needs a HEAD, its listing is not enough
 */
function byStore({ job, schedule, attributesOf, many = false }) {
  const { source: from, destination: to, settings, trust } = job
  const { cancel: signal } = job.run
  const stores = { source: from.store, destination: to.store }
  const { attributes: wish, proved } = settings
  const given = Object.keys({ ...wish.given.headers, ...wish.given.user }).length > 0
  // Stores refuse a copy onto itself that does not say anew what the object is given.
  const keepsMetadata = wish.metadata === 'copy' && !wish.mtime && !given && !settings.inPlace
  /** To replace some of the metadata, all of it has to be sent. */
  const needsMetadata = wish.mtime || (wish.metadata === 'copy' && !keepsMetadata)
  /** Whether the copy may lose `Expires`, which only a HEAD shows. */
  const losesExpires = () => keepsMetadata && !from.store.serverCopy?.keepsExpires
  /** Whether the store can copy the tags itself, as far as the first objects have shown. */
  let tags = wish.tags === 'copy'

  /**
   * @param {Order} order
   * @param {KnownSource} source
   * @param {boolean} tags whether the store copies them
   * @returns {Promise<import('./small').SentPut | Pick<import('./small').FailedPut, 'attributes' | 'error'>>}
   */
  async function sendOnce(order, source, tags) {
    const described = /** @type {any} */ ({ ...source, metadata: source.metadata ?? NOTHING })
    /** @type {ObjectAttributes} */
    let attributes = { metadata: NOTHING }
    try {
      const found = attributesOf
        ? await attributesOf(source)
        : tags
          ? attributesFor(described, wish, { text: order.from.text, stores })
          : await readSourceAttributes({ source: order.from, destination: to }, described, wish, signal)
      attributes = found.attributes
      const { expires } = described.metadata.headers
      const object = {
        from: copySourceOf(order.from, source.etag),
        key: order.to.key,
        attributes,
        keep: { metadata: keepsMetadata && !(expires && losesExpires()), tags },
        condition: settings.condition,
        // A source without one has nothing to compare it with.
        checksum: proved ? CRCS.find(sum => source.sums?.[sum] !== undefined) : undefined,
      }
      const [outcome] = await schedule([{ partNumber: 1, start: 0, bytes: source.bytes }], {
        sign: async part => /** @type {any} */ ({ ...part, copy: { object } }),
        explain: error => asUncertain(explainWith({ source: order.from, destination: order.to })(error)),
        // If an attempt may have been carried out, the destination is checked before the next one.
        ...(order.before && { settle: async ([part]) => await findOurs(order, source, part) }),
        emit: order.emit,
        lane: many ? 1 : 0,
      })
      const told = /** @type {import('../types').CompletedObject} */ (outcome.object)
      return { attributes, checksum: false, notices: found.notices, source, outcome, told }
    } catch (error) {
      return { attributes, error: asXferError(error) }
    }
  }

  /** @param {Order} order @param {KnownSource} source @param {import('../types').Part} part */
  async function findOurs({ to: { store, key }, before }, source, { partNumber, bytes }) {
    const { object } = await look({ store, key }, signal)
    if (!object || isUnchanged(before, object) || judgeThere(source, object) !== 'ours') return []
    return [{ partNumber, bytes, etag: object.etag, object, sums: {}, timing: UNKNOWN_TIMING }]
  }

  /** @param {Order} order @param {KnownSource} source @param {XferError} error @returns {Promise<XferError>} */
  async function ofWhich(order, source, error) {
    const root = rootOf(error)
    if (!OF_WHICH.has(root.code)) return error
    const now = await askAgain(order)
    if (now && isSamePinned(now, source)) return root
    return new XferError('SOURCE_CHANGED', order.from.store.facts, { cause: error })
  }

  /** @param {Order} order @returns {Promise<import('../types').ObjectHead | undefined>} */
  async function askAgain({ from: { store, key, versionId } }) {
    return await store.head(key, { signal, versionId }).catch(() => undefined)
  }

  return {
    keepsConditions: () => to.store.serverCopy?.conditional === true,
    asks: ({ source, told }) =>
      md5EtagOf(source) === undefined ||
      !sameEtag(source.etag, told.etag) ||
      compareSums(source.sums, told.sums).differs !== undefined,

    asksFirst(source) {
      const md5 = md5EtagOf(source)
      const isMd5 = md5 !== undefined && md5.parts === undefined
      return needsMetadata || losesExpires() || (proved && !isMd5) || source.etag === ''
    },

    async send(order, source) {
      let sent = await sendOnce(order, source, tags)
      const { code, cause } = sent.error ?? {}
      // With permission to write tags but not to read them at the destination, xfer sends the known tags itself.
      if (tags && code === 'COPY_REFUSED' && /** @type {XferError} */ (cause).code === 'ACCESS_DENIED') {
        const own = await sendOnce(order, source, false)
        if (!own.error) {
          tags = false
          sent = own
        }
      }
      if (!sent.error) return sent
      const { attributes, error } = sent
      // It may have been carried out in spite of the error.
      return { attributes, error: await ofWhich(order, source, error), open: leavesOpen(rootOf(error)) }
    },

    async weigh(order, { source, told }, { stored, bytes }) {
      // If equal ETags prove nothing, both heads are needed.
      const asked = proved && stored && !source.metadata ? await askAgain(order) : undefined
      // The source may have been replaced meanwhile.
      const same = asked && isSamePinned(asked, source) ? asked : undefined
      // Only this HEAD shows an encryption with a key that the user chose, of which a notice is due.
      const notices = same ? attributesFor(same, wish, { text: order.from.text, stores }).notices : []
      for (const notice of notices) order.emit(notice)
      const origin = same ?? source
      // What the answer tells is of what was looked at, unless that is another one.
      const answered = !stored || sameEtag(stored.etag, told.etag) ? told : { ...told, sums: undefined }
      const sums = stored?.sums ?? answered.sums
      const shown = { ...answered, etag: stored?.etag ?? told.etag, bytes, encrypted: stored?.encrypted, sums }
      return weighCopied(origin, shown, trust.put())
    },

    async judge(_order, source, object) {
      return { verdict: judgeThere(source, object), proof: weighCopied(source, object, false).proofs }
    },
  }
}

/** @param {KnownSource} source @param {import('../types').ObjectHead} object */
function judgeThere(source, object) {
  const { verdict, proofs } = weighCopied(source, object, false)
  if (verdict === 'contradicted') return 'other'
  // The size alone does not distinguish it from an earlier object.
  return proofs.includes('store') ? 'unknown' : 'ours'
}

/** @param {XferError} error */
function asUncertain(error) {
  return leavesOpen(error)
    ? new XferError(error.code, { ...error.facts, uncertain: true }, { cause: error.cause })
    : error
}

module.exports = { byStore }
