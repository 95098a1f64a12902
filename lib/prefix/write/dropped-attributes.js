'use strict'

/**
 * Finds attributes that a destination silently drops. It checks the first objects of each kind and, on an unknown store,
 * another one now and then. Once an object lacks an attribute, each object of its kind is checked, unless all checked ones
 * lack it and no second request can repair it.
 */

const { comparisonOf, createAttributeCheck, kindsOf, missingTags, tellTags, UNKNOWN_WHY } = require('../../object')
const { notice } = require('../../notices')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../object/put/fallbacks').Sent} Sent */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} Place */

/**
 * @typedef {object} Written
 * @property {string} etag
 * @property {string} [versionId]
 * @property {import('../../types').Proof[]} [proof]
 * @property {import('../../types').ObjectHead} [stored]
 * @property {'put' | 'upload' | 'copy'} [way] default: `put`; stores may treat them differently
 */

/**
 * Counts of one kind of attribute: objects with it, those that were checked, and those that lacked it.
 *
 * @typedef {{ seen: number, looked: number, lossy: number, pending?: Promise<void> }} State
 */

/** First objects of each kind that are checked. */
const MOST_LOOKS = 3
/** From this number of objects on, one is checked whenever their number has doubled. */
const FIRST_DOUBLED = 8
/** Proofs which imply that the ETag is the MD5 of the sent bytes. @type {import('../../types').Proof[]} */
const MD5_PROOFS = ['source-etag', 'part-md5']

/**
 * @param {object} how
 * @param {ReturnType<typeof import('../report/notify-once').createNotifyOnce>} how.notifyOnce
 * @param {(event: import('../../types').Notice) => void} how.emit
 * @param {ReturnType<typeof import('../../object/put/fallbacks').createFallbacks>} how.fallbacks
 * @param {ReturnType<typeof import('../../object/attributes').createRefusedTags>} how.refusedTags
 * @param {boolean} how.conditional whether objects are written under a condition
 */
function createDroppedAttributes({ notifyOnce, emit, fallbacks, refusedTags, conditional }) {
  const { check, repairs } = createAttributeCheck({ refusedTags })
  /** @type {Map<string, State>} */
  const kinds = new Map()
  /** By object, the attributes that it lacks, until they are asked for. @type {Map<string, string[]>} */
  const lostBy = new Map()
  /** Number of objects by missing attribute. @type {Map<string, number>} */
  const counts = new Map()

  /** @param {string} kind @param {string} way */
  function stateOf(kind, way) {
    const name = `${way} ${kind}`
    const state = kinds.get(name) ?? { seen: 0, looked: 0, lossy: 0 }
    kinds.set(name, state)
    return state
  }

  /**
   * @param {Place} place of the object
   * @param {Sent} sent
   * @param {Written} written
   * @param {AbortSignal} [signal]
   * @returns {Promise<void>}
   * @throws {import('../../types').XferError} INTEGRITY
   */
  async function look(place, sent, { way = 'put', ...written }, signal) {
    const { attributes, granted } = sent
    const known = place.store.can.keepsMetadata
    const own = kindsOf(granted, comparisonOf(place.store))
    const leftOut = missingTags(attributes.tags, granted.tags)
    const names = leftOut.length > 0 ? [...new Set([...own, 'tags'])] : own
    if (names.length === 0) return
    const states = names.map(kind => ({ kind, state: stateOf(kind, way) }))
    // Objects that were written meanwhile wait for the result of the first check.
    const pending = () => states.find(({ state }) => state.pending)?.state.pending
    while (pending()) await pending()
    const due = states.filter(({ kind, state }) => isDue(kind, state, known))
    for (const { state } of states) state.seen++
    const mends = leftOut.some(tag => !refusedTags.has(tag)) && repairs('tags')
    const refusal = sent.refusal ?? fallbacks.whyWithoutTags(place.text)
    if (due.length === 0 && !mends) return noteKnown(place, { ...sent, refusal }, states)
    const how = { ...written, md5: isMd5(written), conditional }
    const checking = check(place, { ...sent, refusal }, how, signal)
    const settled = checking.then(
      ({ looked, lost, repaired }) => {
        if (!looked) return
        for (const { kind, state } of states) {
          // Refused tags show nothing about dropped ones.
          if (kind === 'tags' && leftOut.length > 0) continue
          state.looked++
          if (lost.includes(kind) || repaired.includes(kind)) state.lossy++
        }
      },
      () => {},
    )
    for (const { state } of states) {
      if (state.seen > 1) continue
      state.pending = settled.then(() => {
        state.pending = undefined
      })
    }
    const { notices, lost, attributes: kept } = await checking
    await settled
    for (const notice of notices) notifyOnce(notice)
    note(place, lost, kept)
  }

  /**
   * Records an object that is not checked: it lacks what the others of its kind lack.
   *
   * @param {Place} place
   * @param {Sent} sent
   * @param {Array<{ kind: string, state: State }>} states
   */
  function noteKnown(place, { attributes, granted, refusal }, states) {
    const { tags = [] } = attributes
    const missing = missingTags(tags, granted.tags)
    const why = refusal ?? refusedTags.why() ?? UNKNOWN_WHY
    if (missing.length > 0) notifyOnce(tellTags(missing, tags, { text: place.text, why }))
    const lost = states.filter(({ kind, state }) => kind !== 'tags' && isLost(state)).map(({ kind }) => kind)
    if (missing.length > 0) return note(place, [...lost, 'tags'], granted)
    const dropped = states.some(({ kind, state }) => kind === 'tags' && isLost(state))
    note(place, dropped ? [...lost, 'tags'] : lost, dropped ? { ...granted, tags: [] } : granted)
  }

  /** @param {Place} place @param {string[]} lost kinds @param {ObjectAttributes} now */
  function note({ text }, lost, now) {
    if (lost.length === 0) return
    lostBy.set(text, lost)
    for (const kind of lost) {
      const name = kind === 'tags' && now.tags?.length ? 'some tags' : kind
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }

  /** @param {string} kind @param {State} state @param {boolean} known */
  function isDue(kind, { seen, looked, lossy }, known) {
    if (lossy > 0 && (lossy < looked || repairs(kind))) return true
    return seen < MOST_LOOKS || (!known && seen >= FIRST_DOUBLED && Number.isInteger(Math.log2(seen)))
  }

  return {
    look,

    /** The kinds of attributes that an object lacks; call it once for each object. @param {string} text the destination, for people @returns {string[]} */
    lostBy(text) {
      const lost = lostBy.get(text) ?? []
      lostBy.delete(text)
      return lost
    },

    /** Notices named only the first objects: emits the total numbers. */
    tellAll() {
      for (const [kind, objects] of counts) {
        if (objects > 1) emit(notice('ATTRIBUTES_MISSING_TOTAL', { objects, kind }))
      }
      counts.clear()
    },
  }
}

/** Whether every checked object lacked it. @param {State} state */
function isLost({ looked, lossy }) {
  return lossy > 0 && lossy === looked
}

/** @param {Pick<Written, 'proof'>} written */
function isMd5({ proof = [] }) {
  return proof.some(each => MD5_PROOFS.includes(each))
}

module.exports = { createDroppedAttributes }
