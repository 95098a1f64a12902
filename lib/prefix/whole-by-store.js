'use strict'

/**
 * An object that its store copies by one request, and by nothing else where that is enough: the list has told its ETag, which
 * is the copy's too where both are MD5s, and the store keeps what describes it. Only what is not proved so is asked for.
 */

const { attributesFor } = require('../attributes')
const { carry } = require('../carry')
const { isConditional } = require('../condition')
const { XferError, asXferError } = require('../errors')
const { checkStored, fullCrc32, md5EtagOf, sameEtag } = require('../integrity')
const { explainWith } = require('../outcome')
const { copySourceOf } = require('../server-side')
const { proofsOfCopied } = require('../server-side/proofs')
const { acceptGone, look } = require('../settle')
const { takeAway } = require('../verify/read-back')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('./conceded').Sent} Sent */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {import('./whole').Copied} Copied */

/**
 * As it was listed, or as its head tells it.
 *
 * @typedef {{ bytes: number, etag: string, lastModifiedMs?: number, storageClass?: string, metadata?: undefined } | ObjectHead} Found
 *
 * @typedef {{ tags: boolean, grant: import('./conceded').Grant }} How tags: the store takes them from the source
 */

/** How often one is found to be another than it was a moment ago, before it is left. */
const MOST_CHANGES = 3
/** @type {import('../types').ObjectMetadata} */
const NOTHING = { headers: {}, user: {} }
/** What says that there may be another source than was expected; or, under a condition, another destination. */
const CHANGES = new Set(['SOURCE_CHANGED', 'DESTINATION_EXISTS', 'NO_SUCH_KEY'])

/**
 * @param {object} how
 * @param {import('./ways').Way} how.way
 * @param {ReturnType<typeof import('./told').createToldOnce>} how.tellOnce
 * @param {ReturnType<typeof import('./conceded').createConceded>} how.conceded
 * @param {ReturnType<typeof import('./kept').createKept>} how.kept
 */
function createWholeByStore({ way, tellOnce, conceded, kept }) {
  const { job, scheduleOne } = way
  const { source, destination, settings, stopping: signal, emit } = job
  const { attributes: wish, condition } = settings
  const proved = settings.proved
  const given = Object.keys({ ...wish.given.headers, ...wish.given.user }).length > 0
  const keepsMetadata = wish.metadata === 'copy' && !wish.mtime && !given
  /** What is replaced in part is sent as a whole. */
  const needsMetadata = wish.mtime || (wish.metadata === 'copy' && given)
  /** Only who has asked knows of which object. */
  const losesExpires = () => keepsMetadata && !source.store.copiesExpires()
  const atomic = !isConditional(condition) || destination.store.copiesUnderCondition
  const explain = explainWith({ source: source.store, destination: destination.store, trailer: () => false })
  /** Whether the store may take them from the source, as far as the first objects have shown. */
  let tags = wish.tags === 'copy'

  /** @param {string} name */
  function endsOf(name) {
    const [from, to] = [source, destination].map(end => ({ ...end, key: end.key + name, text: end.text + name }))
    return { from, to }
  }

  /** @param {string} name @returns {Promise<ObjectHead | undefined>} undefined: it is gone */
  async function ask(name) {
    return await source.store.head(source.key + name, { signal }).catch(acceptGone)
  }

  /**
   * @param {import('./whole').Work} work
   * @returns {Promise<Copied | 'skipped' | { now: ObjectHead }>} now: what it has become is not for one request
   */
  async function copy({ name, source: listed }) {
    const { to } = endsOf(name)
    if (to.key === '') throw new XferError('NO_NAME', { key: source.key })
    const isMd5 = md5EtagOf(listed)?.parts === undefined && md5EtagOf(listed) !== undefined
    const asks = needsMetadata || losesExpires() || (proved && !isMd5) || listed.etag === ''
    /** @type {Found | undefined} */
    let found = asks ? await ask(name) : asListed(listed)
    /** Once it was refused. @type {import('./conceded').Conceding | undefined} */
    let own
    for (let changes = 1; ; ) {
      if (!found) return 'skipped'
      if (found.metadata && way.inParts(found)) return { now: found }
      // As late as can be.
      if (!atomic && (await look(to, signal)).object) return 'skipped'
      try {
        const { copied, sent } = await copyGranted(name, found, { tags, grant: (own ?? conceded).grant })
        conceded.taken(sent, own)
        return copied
      } catch (cause) {
        const error = asXferError(cause)
        if (CHANGES.has(error.code)) {
          /** @type {Found | undefined} */
          const next = await ask(name)
          const same = next && sameEtag(next.etag, found.etag) && next.bytes === found.bytes
          if (same && error.code === 'DESTINATION_EXISTS') return 'skipped'
          if (same || changes++ === MOST_CHANGES) throw changed(error)
          found = next
        } else {
          const { sent } = /** @type {{ sent?: Sent }} */ (error)
          if (!sent) throw error
          own ??= conceded.of(to.text)
          own.concede(error, sent)
        }
      }
    }
  }

  /** @param {Failure} error */
  function changed(error) {
    return error.code === 'SOURCE_CHANGED'
      ? error
      : new XferError('SOURCE_CHANGED', source.store.facts, { cause: error })
  }

  /** Who may write tags, and not read them there, sends those that are known. @param {string} name @param {Found} found @param {How} now */
  async function copyGranted(name, found, now) {
    try {
      return await copyOnce(name, found, now)
    } catch (cause) {
      const error = asXferError(cause)
      const denied = error.code === 'COPY_REFUSED' && /** @type {Failure} */ (error.cause).code === 'ACCESS_DENIED'
      if (!denied || !now.tags) throw error
      const copied = await copyOnce(name, found, { ...now, tags: false }).catch(() => {
        throw error
      })
      tags = false
      return copied
    }
  }

  /** @param {string} name @param {Found} found @param {How} now @returns {Promise<{ copied: Copied, sent: Sent }>} */
  async function copyOnce(name, found, { tags, grant }) {
    const { bytes, etag } = found
    const { from, to } = endsOf(name)
    const described = { ...found, metadata: found.metadata ?? NOTHING }
    const { expires } = described.metadata.headers
    const { attributes, notices } = tags
      ? attributesFor(described, wish, { text: from.text })
      : await carry(from, described, wish, signal)
    const granted = grant(attributes)
    const sent = { attributes, granted }
    const object = {
      from: copySourceOf(from, etag),
      key: to.key,
      attributes: granted,
      keep: { metadata: keepsMetadata && !(expires && losesExpires()), tags },
      condition,
      // Of a source that has none there is nothing to compare it with.
      checksum: proved && kept32(found) !== undefined,
    }
    try {
      const outcome = await scheduleOne(bytes, {
        sign: async part => /** @type {any} */ ({ ...part, copy: { object } }),
        explain,
        emit: event => event.type !== 'part' && emit(/** @type {any} */ ({ ...event, name })),
      })
      const answer = /** @type {import('../types').CompletedObject} */ (outcome.object)
      const copied = await confirm(name, found, answer)
      for (const notice of notices) tellOnce(notice, from.text)
      await kept.look(to, granted, answer, signal)
      return { copied, sent }
    } catch (error) {
      throw Object.assign(asXferError(error), { sent })
    }
  }

  /**
   * Where equal ETags prove nothing both are asked for.
   *
   * @param {string} name
   * @param {Found} found
   * @param {import('../types').CompletedObject} answer
   * @returns {Promise<Copied>}
   * @throws {Failure} INTEGRITY, once what is not the source is taken away
   */
  async function confirm(name, found, { etag, versionId, checksum }) {
    const { from, to } = endsOf(name)
    const { bytes } = found
    const asks = proved && !sameMd5(found, etag)
    const [object, stored] = asks
      ? await Promise.all([found.metadata ? found : ask(name), look(to, signal)])
      : [found, {}]
    // Somebody may have replaced either meanwhile.
    const origin = object && sameEtag(object.etag, found.etag) ? object : found
    const there = 'object' in stored && stored.object && sameEtag(stored.object.etag, etag) ? stored.object : undefined
    const kept = there?.checksum ?? checksum
    try {
      checkStored({ bytes: there?.bytes, checksum: kept }, { bytes, crc32: kept32(origin) })
    } catch (cause) {
      const { facts } = asXferError(cause)
      const now = await takeAway(to, { etag })
      throw new XferError('INTEGRITY', { ...facts, reason: `${facts.reason}; ${now}` }, { cause })
    }
    // Of an object that is encrypted with a key of KMS: nothing else tells it from one that is not.
    if (origin.metadata && !found.metadata) {
      for (const notice of attributesFor(origin, wish, { text: from.text }).notices) tellOnce(notice, from.text)
    }
    const storedCrc32 = kept?.type === 'FULL_OBJECT' ? kept.crc32 : undefined
    const source = /** @type {ObjectHead} */ ({ ...origin, metadata: origin.metadata ?? NOTHING })
    return {
      bytes,
      etag,
      ...(storedCrc32 !== undefined && { crc32: storedCrc32 }),
      ...(versionId !== undefined && { versionId }),
      proof: proofsOfCopied({ source, etag, ...(storedCrc32 !== undefined && { storedCrc32 }) }),
    }
  }

  return { copy }
}

/** @param {import('../types').ListedObject} listed @returns {Found} */
function asListed({ bytes, etag, lastModifiedMs, storageClass }) {
  return { bytes, etag, lastModifiedMs, ...(storageClass !== undefined && { storageClass }) }
}

/** @param {Found} found */
function kept32(found) {
  return found.metadata ? fullCrc32(found.checksum) : undefined
}

/** @param {Found} found @param {string} etag of the copy */
function sameMd5(found, etag) {
  return md5EtagOf(found) !== undefined && sameEtag(found.etag, etag)
}

module.exports = { createWholeByStore }
