'use strict'

/**
 * One object that its store copies by one request, from a source that it holds itself. No byte is seen on the way: what
 * counts is the store's complete answer, pinned to the source's ETag, and what it keeps of both objects.
 */

const { attributesFor, carry } = require('../attributes')
const { XferError, asXferError } = require('../../errors')
const { fullCrc32, md5EtagOf, sameEtag, weighCopied } = require('../../integrity')
const { explainWith } = require('../../transfer')
const { isUnchanged, leavesOpen, look, UNKNOWN_TIMING } = require('../../destination')
const { rootOf } = require('./result')

/** @typedef {import('./types').Via} Via */
/** @typedef {import('./types').KnownSource} KnownSource */
/** @typedef {import('./types').Order} Order */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').Notice} Notice */
/** @typedef {import('../../types').XferError} Failure */

/** @type {import('../../types').ObjectMetadata} */
const NOTHING = { headers: {}, user: {} }
/** A condition that did not hold may be that of the source, or that of the destination. */
const OF_WHICH = new Set(['DESTINATION_EXISTS', 'NO_SUCH_KEY'])

/**
 * @param {object} how
 * @param {import('../../job/open').Context} how.job
 * @param {import('./types').ScheduleOne} how.scheduleOne
 * @param {import('../../types').WriteCondition} how.condition
 * @param {(source: KnownSource, from: import('./types').End) => import('../../types').CopySource} how.copySourceOf
 * @param {(notice: Notice) => void} how.tell as of createPut
 * @param {(source: KnownSource) => Promise<{ attributes: ObjectAttributes, notices: Notice[] }>} [how.attributesOf] where they are known already
 * @returns {Via & { asksFirst(source: KnownSource): boolean }} asksFirst: what a list tells of an object is not enough
 */
function byStore({ job, scheduleOne, condition, copySourceOf, attributesOf, tell }) {
  const { source: from, destination: to, settings, trust } = job
  const { cancel: signal } = job.run
  const { attributes: wish, proved } = settings
  const given = Object.keys({ ...wish.given.headers, ...wish.given.user }).length > 0
  const keepsMetadata = wish.metadata === 'copy' && !wish.mtime && !given
  /** What is replaced in part is sent as a whole. */
  const needsMetadata = wish.mtime || (wish.metadata === 'copy' && given)
  /** Only who has asked knows of which object. */
  const losesExpires = () => keepsMetadata && !from.store.can.serverCopy?.keepsExpires
  const explain = explainWith({ source: from.store, destination: to.store, trailer: () => false })
  /** Whether the store may take them from the source, as far as the first objects have shown. */
  let tags = wish.tags === 'copy'

  /**
   * Who may write tags, and not read them there, sends those that are known.
   *
   * @param {Order} order
   * @param {KnownSource} source
   * @param {import('./types').SendHow} how
   */
  async function sendGranted(order, source, how) {
    try {
      return await sendOnce(order, source, { ...how, tags })
    } catch (cause) {
      const error = asXferError(cause)
      const denied = error.code === 'COPY_REFUSED' && /** @type {Failure} */ (error.cause).code === 'ACCESS_DENIED'
      if (!denied || !tags) throw error
      const sent = await sendOnce(order, source, { ...how, tags: false }).catch(() => {
        throw error
      })
      tags = false
      return sent
    }
  }

  /** @param {Order} order @param {KnownSource} source @param {import('./types').SendHow & { tags: boolean }} how */
  async function sendOnce(order, source, { grant, tags }) {
    const described = { ...source, metadata: source.metadata ?? NOTHING }
    const { expires } = described.metadata.headers
    const { attributes, notices } = attributesOf
      ? await attributesOf(source)
      : tags
        ? attributesFor(/** @type {any} */ (described), wish, { text: order.from.text })
        : await carry(/** @type {any} */ (order.from), /** @type {any} */ (described), wish, signal)
    const granted = grant(attributes)
    const object = {
      from: copySourceOf(source, order.from),
      key: order.to.key,
      attributes: granted,
      keep: { metadata: keepsMetadata && !(expires && losesExpires()), tags },
      condition,
      // Of a source that has none there is nothing to compare it with.
      checksum: proved && fullCrc32(source.checksum) !== undefined,
    }
    try {
      const outcome = await scheduleOne(source.bytes, {
        sign: async part => /** @type {any} */ ({ ...part, copy: { object } }),
        explain: error => asUncertain(explain(error)),
        // Where an attempt may have been carried out, what is there is looked at before the next.
        ...(order.before && { settle: async ([part]) => await findOurs(order, source, part) }),
        emit: order.emit,
      })
      const told = /** @type {import('../../types').CompletedObject} */ (outcome.object)
      return { attributes, granted, notices, source, outcome, told }
    } catch (error) {
      throw Object.assign(asXferError(error), { sent: { attributes, granted } })
    }
  }

  /** @param {Order} order @param {KnownSource} source @param {import('../../types').Part} part */
  async function findOurs({ to: { store, key }, before }, source, { partNumber, bytes }) {
    const { object } = await look({ store, key }, signal)
    if (!object || isUnchanged(before, object) || judgeThere(source, object) !== 'ours') return []
    return [{ partNumber, bytes, etag: object.etag, object, timing: UNKNOWN_TIMING }]
  }

  /** @param {Order} order @param {KnownSource} source @param {Failure} error @returns {Promise<Failure>} */
  async function ofWhich(order, source, error) {
    const root = rootOf(error)
    if (!OF_WHICH.has(root.code)) return error
    const now = await askAgain(order)
    if (now && sameEtag(now.etag, source.etag) && now.bytes === source.bytes) return root
    return new XferError('SOURCE_CHANGED', order.from.store.facts, { cause: error })
  }

  /** @param {Order} order @returns {Promise<import('../../types').ObjectHead | undefined>} */
  async function askAgain({ from: { store, key, versionId } }) {
    return await store.head(key, { signal, versionId }).catch(() => undefined)
  }

  return {
    readable: false,
    asks: (_order, { source, told }) => md5EtagOf(source) === undefined || !sameEtag(source.etag, told.etag),

    asksFirst(source) {
      const md5 = md5EtagOf(source)
      const isMd5 = md5 !== undefined && md5.parts === undefined
      return needsMetadata || losesExpires() || (proved && !isMd5) || source.etag === ''
    },

    async send(order, source, how) {
      try {
        return await sendGranted(order, source, how)
      } catch (cause) {
        const given = asXferError(cause)
        const none = { metadata: NOTHING }
        const { sent = { attributes: none, granted: none } } = /** @type {any} */ (given)
        const error = await ofWhich(order, source, given)
        return { ...sent, error, open: mayHaveCopied(given) }
      }
    },

    async weigh(order, { source, told }, { stored, bytes }) {
      // Where equal ETags prove nothing both are asked for.
      const asked = proved && stored && !source.metadata ? await askAgain(order) : undefined
      // Somebody may have replaced it meanwhile.
      const same = asked && sameEtag(asked.etag, source.etag) ? asked : undefined
      // Nothing else has told that it is encrypted with a key that its store does not keep itself.
      const notices = same ? attributesFor(same, wish, { text: order.from.text }).notices : []
      for (const notice of notices) tell(notice)
      const origin = same ?? source
      return weighCopied(
        origin,
        { ...told, bytes, encrypted: stored?.encrypted, checksum: stored?.checksum ?? told.checksum },
        trust.put(),
      )
    },

    async judge(_order, source, object) {
      return { verdict: judgeThere(source, object), proof: weighCopied(source, object, false).proofs }
    },
  }
}

/** @param {KnownSource} source @param {import('../../types').ObjectHead} object */
function judgeThere(source, object) {
  const { verdict, proofs } = weighCopied(source, object, false)
  if (verdict === 'contradicted') return 'other'
  // Its size alone does not tell it from what was there before.
  return proofs.includes('store') ? 'unknown' : 'ours'
}

/** @param {Failure} error */
function asUncertain(error) {
  return leavesOpen(error)
    ? new XferError(error.code, { ...error.facts, uncertain: true }, { cause: error.cause })
    : error
}

/** Whether a copy may have been carried out, whatever was said. @param {Failure} error */
function mayHaveCopied(error) {
  return leavesOpen(rootOf(error))
}

module.exports = { byStore }
