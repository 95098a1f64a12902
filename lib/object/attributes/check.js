'use strict'

/**
 * Checks which attributes of a written object its store kept. Missing ones are written by a second request if possible;
 * a notice names those that stay lost. None of this fails a copy.
 */

const { asXferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { compareAttributes, comparisonOf, kindsLost, kindsOf, losesMetadata, noticesOfLosses } = require('./compare')
const { createRefusedTags } = require('./refused-tags')
const { mayRewrite, rewriteMetadata } = require('./rewrite')
const { UNKNOWN_WHY, commonTags, missingTags, restoreTags, tellTags, whyNoTags } = require('./tags')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {import('./refused-tags').Tag} Tag */
/** @typedef {import('./rewrite').Place} Place */

/**
 * @typedef {object} Sent
 * @property {ObjectAttributes} attributes as requested
 * @property {ObjectAttributes} granted what it was written with
 * @property {string} [refusal] why without its tags, a clause
 *
 * @typedef {object} Written
 * @property {string} etag
 * @property {string} [versionId]
 * @property {ObjectHead} [stored] as it was found there, where somebody has looked already
 * @property {boolean} [md5] whether its ETag is the MD5 of what was sent
 * @property {boolean} [conditional]
 *
 * @typedef {object} Checked
 * @property {ObjectAttributes} attributes that it has, as far as that is known
 * @property {import('../../types').Notice[]} notices
 * @property {boolean} looked whether the object was looked at, and is the one that was written
 * @property {string[]} lost kinds, as `kindsOf` names them
 * @property {string[]} repaired likewise: what it has now by a second request
 */

/** After this many denied writes of tags in a row, no tags are written. */
const MOST_DENIED = 3
/** Answers of stores that write no tags, whatever the object. */
const KNOWS_NONE = new Set([405, 501])
/** Errors of the question which tags there are, of stores that do not know what is asked. */
const KNOWS_NO_TAGS = new Set(['NOT_A_STORE', 'STORE_REFUSED'])

/**
 * Makes the check of one job: a repair that its store does not support is not tried again.
 *
 * @param {{ refusedTags?: ReturnType<typeof createRefusedTags> }} [of]
 */
function createAttributeCheck({ refusedTags = createRefusedTags() } = {}) {
  const worth = { rewriting: true, tagging: true }
  let denied = 0
  /** Why its store is not believed to know of tags, a clause. @type {string | undefined} */
  let tagless

  /**
   * @param {Place} place
   * @param {Sent} sent
   * @param {Written} written
   * @param {AbortSignal} [signal]
   * @returns {Promise<Checked>}
   * @throws {import('../../types').XferError} INTEGRITY
   */
  async function check(place, sent, written, signal) {
    const { store, key, text } = place
    const { attributes, granted, refusal = UNKNOWN_WHY } = sent
    const leftOut = missingTags(attributes.tags, granted.tags)
    const about = comparisonOf(store)
    if (leftOut.length === 0 && kindsOf(granted, about).length === 0) return kept(granted)
    const object = written.stored ?? (await store.head(key, { signal }).catch(() => undefined))
    // The object cannot be read, or somebody else has written it since.
    if (!object || !sameEtag(object.etag, written.etag)) {
      if (leftOut.length === 0) return kept(granted)
      const notices = [tellTags(leftOut, attributes.tags ?? [], { text, why: refusal })]
      return { attributes: granted, notices, looked: false, lost: ['tags'], repaired: [] }
    }
    const { found, compared, repaired } = await settleMetadata(place, granted, object, written, signal)
    const tags = await settleTags(place, sent, found, signal)
    return {
      attributes: withTags(compared.kept, tags.kept),
      looked: true,
      notices: [
        ...noticesOfLosses(compared.lost, granted, found, { text, defaultClass: about.defaultClass }),
        ...tags.notices,
      ],
      lost: [...kindsLost(compared.lost, granted), ...(tags.lost ? ['tags'] : [])],
      repaired: [...repaired, ...(tags.repaired ? ['tags'] : [])],
    }
  }

  /**
   * @param {Place} place
   * @param {ObjectAttributes} granted
   * @param {ObjectHead} found
   * @param {Written} written
   * @param {AbortSignal} [signal]
   */
  async function settleMetadata(place, granted, found, written, signal) {
    // By its answer the store may have told its name.
    const about = comparisonOf(place.store)
    const compared = compareAttributes(granted, found, about)
    const repairs = losesMetadata(compared.lost) && worth.rewriting && mayRewrite(place, found, written)
    if (!repairs) return { found, compared, repaired: [] }
    const { now, refused } = await rewriteMetadata(place, found, granted, signal)
    if (refused) worth.rewriting = false
    if (!now) return { found, compared, repaired: [] }
    const after = compareAttributes(granted, now, about)
    const lost = kindsLost(after.lost, granted)
    const repaired = kindsLost(compared.lost, granted).filter(kind => !lost.includes(kind))
    if (repaired.length === 0) worth.rewriting = false
    return { found: now, compared: after, repaired }
  }

  /**
   * @param {Place} place
   * @param {Sent} sent
   * @param {ObjectHead} found
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ kept: Tag[], notices: import('../../types').Notice[], lost: boolean, repaired: boolean }>}
   */
  async function settleTags({ store: { tags: calls }, key, text }, { attributes, granted, refusal }, found, signal) {
    const { tags: wanted = [] } = attributes
    const all = { kept: wanted, notices: [], lost: false, repaired: false }
    const leftOut = missingTags(wanted, granted.tags)
    if (wanted.length === 0 || (leftOut.length === 0 && found.tags === wanted.length)) return all
    const none = (/** @type {string} */ why) => ({
      ...{ kept: [], lost: true, repaired: false },
      notices: [tellTags(wanted, wanted, { text, why })],
    })
    if (!calls) {
      worth.tagging = false
      return none('its store has no tags')
    }
    const { there, denied: unread } = await tagsThere({ calls, key }, signal)
    // Nobody may know.
    if (unread && leftOut.length === 0) return all
    if (!there && !unread) return none(tagless ?? 'its store does not say which it has')
    const before = commonTags(wanted, there ?? granted.tags)
    if (before.length === wanted.length) return all
    const open = missingTags(wanted, before).some(tag => !refusedTags.has(tag))
    const tried = open && worth.tagging
    const { kept = before, error } = tried
      ? await restoreTags({ calls, key }, wanted, { refused: refusedTags, signal })
      : { kept: before, error: undefined }
    if (tried) learn(error)
    const lost = missingTags(wanted, kept)
    const repaired = kept.length > before.length
    if (lost.length === 0) return { ...all, repaired }
    const dropped = leftOut.length === 0 ? 'its store did not keep them' : (refusedTags.why() ?? UNKNOWN_WHY)
    const why = error ? whyNoTags(error) : (refusal ?? dropped)
    return { kept, notices: [tellTags(lost, wanted, { text, why })], lost: true, repaired }
  }

  /**
   * A store that does not know of tags may take a request for them as one for the object: it answers the question with the
   * object, and would replace that by a list of tags. So none are written where the question was not answered as it should be;
   * a refusal to who may read the object shows that its store knows what was asked.
   *
   * @param {{ calls: import('../../types').Tags, key: string }} object one that was looked at
   * @param {AbortSignal} [signal]
   * @returns {Promise<{ there?: Tag[], denied?: boolean }>}
   */
  async function tagsThere({ calls, key }, signal) {
    if (tagless !== undefined) return {}
    try {
      return { there: await calls.read(key, { signal }) }
    } catch (cause) {
      const { code, facts } = asXferError(cause)
      if (code === 'ACCESS_DENIED') return { denied: true }
      if (!KNOWS_NO_TAGS.has(code)) return {}
      worth.tagging = false
      tagless = `its store knows of no tags (${facts.storeCode ?? code})`
      return {}
    }
  }

  /** @param {import('../../types').XferError | undefined} error of writing tags alone */
  function learn(error) {
    denied = error?.code === 'ACCESS_DENIED' ? denied + 1 : 0
    if (denied === MOST_DENIED || KNOWS_NONE.has(error?.facts.status)) worth.tagging = false
  }

  return {
    check,
    /** Whether a loss of that kind is worth another look at the next object that has it. @param {string} kind of `kindsOf` */
    repairs(kind) {
      if (kind === 'tags') return worth.tagging
      return worth.rewriting && !/^(?:class|encryption) /.test(kind)
    },
  }
}

/** @param {ObjectAttributes} granted @returns {Checked} */
function kept(granted) {
  return { attributes: granted, notices: [], looked: false, lost: [], repaired: [] }
}

/** @param {ObjectAttributes} attributes @param {Tag[]} tags @returns {ObjectAttributes} */
function withTags({ tags: _, ...rest }, tags) {
  return { ...rest, ...(tags.length > 0 && { tags }) }
}

module.exports = { createAttributeCheck }
