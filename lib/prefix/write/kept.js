'use strict'

/**
 * What a destination drops without a word, of all that is written there. The first objects of each kind are looked at, and,
 * of stores that are not known, now and then another one. Once one was found to lack something each of its kind is looked
 * at, unless all of them lack it and no second request mends it.
 */

const { createAttributeCheck, kindsOf, missingTags, tellTags, UNKNOWN_WHY } = require('../../object')
const { notice } = require('../../notices')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../object/put/with-fallbacks').Sent} Sent */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} Place */

/**
 * @typedef {object} Written
 * @property {string} etag
 * @property {string} [versionId]
 * @property {import('../../types').Proof[]} [proof]
 * @property {import('../../types').ObjectHead} [stored]
 * @property {'put' | 'upload' | 'copy'} [way] `put` when absent: stores do not treat them alike
 */

/**
 * Of one kind: objects, those of them that were looked at, and those of these that lacked it.
 *
 * @typedef {{ seen: number, looked: number, lossy: number, pending?: Promise<void> }} State
 */

/** Of each kind. */
const MOST_LOOKS = 3
/** From so many on one is looked at whenever their number has doubled. */
const FIRST_DOUBLED = 8
/** That an ETag is the MD5 of what was sent. @type {import('../../types').Proof[]} */
const MD5_PROOFS = ['source-etag', 'part-md5']

/**
 * @param {object} how
 * @param {ReturnType<typeof import('../report/notify-once').createNotifyOnce>} how.notifyOnce
 * @param {(event: import('../../types').Notice) => void} how.emit
 * @param {ReturnType<typeof import('../../object/put/with-fallbacks').createConceded>} how.conceded
 * @param {ReturnType<typeof import('../../object/attributes').createRefusedTags>} how.refusedTags
 * @param {boolean} how.conditional whether objects are written under a condition
 */
function createKept({ notifyOnce, emit, conceded, refusedTags, conditional }) {
  const { check, repairs } = createAttributeCheck({ refusedTags })
  /** @type {Map<string, State>} */
  const kinds = new Map()
  /** Of objects that lack something, until it is asked for. @type {Map<string, string[]>} */
  const lostBy = new Map()
  /** Objects, by what they lack. @type {Map<string, number>} */
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
    const own = kindsOf(granted, { metadata: !known })
    const conceding = missingTags(attributes.tags, granted.tags)
    const names = conceding.length > 0 ? [...new Set([...own, 'tags'])] : own
    if (names.length === 0) return
    const states = names.map(kind => ({ kind, state: stateOf(kind, way) }))
    // What the first one shows holds for those that were written meanwhile.
    const pending = () => states.find(({ state }) => state.pending)?.state.pending
    while (pending()) await pending()
    const due = states.filter(({ kind, state }) => isDue(kind, state, known))
    for (const { state } of states) state.seen++
    const mends = conceding.some(tag => !refusedTags.has(tag)) && repairs('tags')
    const refusal = sent.refusal ?? conceded.whyWithoutTags(place.text)
    if (due.length === 0 && !mends) return noteKnown(place, { ...sent, refusal }, states)
    const how = { ...written, md5: isMd5(written), conditional }
    const checking = check(place, { ...sent, refusal }, how, signal)
    const settled = checking.then(
      ({ looked, lost, repaired }) => {
        if (!looked) return
        for (const { kind, state } of states) {
          // What was refused says nothing of what is dropped.
          if (kind === 'tags' && conceding.length > 0) continue
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
   * Of an object that is not looked at: it lacks what the others of its kind lack.
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

    /** What an object lacks, by kinds; asked once. @param {string} text the destination, for people @returns {string[]} */
    lostBy(text) {
      const lost = lostBy.get(text) ?? []
      lostBy.delete(text)
      return lost
    },

    /** The first ones were told of: how many there were in the end. */
    tellAll() {
      for (const [kind, objects] of counts) {
        if (objects > 1) emit(notice('ATTRIBUTES_MISSING_TOTAL', { objects, kind }))
      }
      counts.clear()
    },
  }
}

/** Whether it is what its store does with each. @param {State} state */
function isLost({ looked, lossy }) {
  return lossy > 0 && lossy === looked
}

/** @param {Pick<Written, 'proof'>} written */
function isMd5({ proof = [] }) {
  return proof.some(each => MD5_PROOFS.includes(each))
}

module.exports = { createKept }
