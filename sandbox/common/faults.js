'use strict'

const { createPace } = require('./pace')

/**
 * @typedef {import('./types').FaultRule} FaultRule
 * @typedef {{ operation: string, bucketName?: string, key?: string, query: Map<string, string>,
 *   header?: (name: string) => string | undefined }} Target
 */

/**
 * The combined effects of all rules that match a request.
 *
 * @typedef {object} Effects
 * @property {number} [delayMs]
 * @property {{ status: number, code?: string, retryAfter?: number | string }} [refuse]
 * @property {import('./pace').Pace} [pace]
 * @property {BodyEffects} request
 * @property {BodyEffects} response
 * @property {number} [flipStored]
 * @property {string} [etag]
 * @property {boolean} [ignoreRange]
 * @property {boolean} [wrongContentRange]
 * @property {boolean} [ignoreIfMatch]
 * @property {string} [errorInBody] the error's code
 * @property {boolean} [afterWork] whether refuse and errorInBody come after the work
 * @property {number} [answerDelayMs]
 * @property {number} [blanks]
 * @property {boolean} [loseAnswer]
 * @property {boolean} [truncateXml]
 * @property {boolean} [endless]
 */

/**
 * The purpose of each field that the rules of all stores have: `which` requests and `when`, `what` happens to them, and `how`.
 *
 * @type {Record<keyof FaultRule, 'which' | 'when' | 'what' | 'how'>}
 */
const COMMON_FIELDS = {
  operation: 'which',
  bucket: 'which',
  key: 'which',
  keyPattern: 'which',
  leastBytes: 'which',
  header: 'which',
  probability: 'when',
  seed: 'when',
  nth: 'when',
  first: 'when',
  delayMs: 'what',
  bytesPerSecond: 'what',
  shared: 'how',
  status: 'what',
  code: 'how',
  retryAfter: 'how',
  on: 'how',
  cutAfterBytes: 'what',
  flipByteAt: 'what',
  stall: 'what',
  etag: 'what',
  ignoreRange: 'what',
  wrongContentRange: 'what',
  ignoreIfMatch: 'what',
  loseAnswer: 'what',
  truncateXml: 'what',
  endless: 'what',
  afterWork: 'how',
  answerDelayMs: 'what',
}

/** Offsets into one body. @typedef {{ cutAfter?: number, stallAfter?: number, flipAt?: number }} BodyEffects */

/**
 * What a store's rules can say beside what all can.
 *
 * @typedef {object} Kind
 * @property {Record<string, 'which' | 'when' | 'what' | 'how'>} fields the purpose of each field of a rule; one with any other is refused
 * @property {string[]} bodyWrites operations whose bodies a rule means where it does not say which
 * @property {(rule: any, target: Target) => boolean} fits whether a rule's own conditions hold
 * @property {(effects: any, rule: any) => void} [add] its own effects
 */

/**
 * The fault rules of a store.
 *
 * @param {number} seed of the random numbers for all rules without a seed of their own
 * @param {Kind} kind
 */
function createFaults(seed, kind) {
  const shared = randomOf(seed)
  /** @type {{ rule: FaultRule, pattern?: RegExp, random: () => number, seen: number, hits: number, pace?: import('./pace').Pace }[]} */
  let active = []

  /** @param {typeof active[number]} entry @param {Target} target */
  function fits({ rule, pattern }, target) {
    const { operation, bucketName, key, header } = target
    if (rule.header !== undefined && header?.(rule.header) === undefined) return false
    if (rule.operation !== undefined && ![rule.operation].flat().includes(operation)) return false
    if (rule.bucket !== undefined && rule.bucket !== bucketName) return false
    if (rule.key !== undefined && rule.key !== key) return false
    if (pattern && !pattern.test(key ?? '')) return false
    return kind.fits(rule, target)
  }

  return {
    /**
     * @param {FaultRule} rule
     * @returns {{ readonly hits: number, remove(): void }} hits: how often the rule was applied
     * @throws {TypeError} for an unknown field: a misspelled rule would never be applied
     */
    add(rule) {
      for (const name of Object.keys(rule)) {
        if (!Object.hasOwn(kind.fields, name)) throw new TypeError(`a fault rule has no "${name}"`)
      }
      const pattern = rule.keyPattern === undefined ? undefined : new RegExp(rule.keyPattern)
      const pace = rule.shared && rule.bytesPerSecond ? createPace(rule.bytesPerSecond) : undefined
      const random = rule.seed === undefined ? shared : randomOf(rule.seed)
      const entry = { rule: { ...rule }, pattern, random, seen: 0, hits: 0, pace }
      active.push(entry)
      return {
        get hits() {
          return entry.hits
        },
        remove() {
          active = active.filter(other => other !== entry)
        },
      }
    },
    clear() {
      active = []
    },
    /**
     * Chooses the effects for a request.
     *
     * @param {Target} target
     * @returns {Effects}
     */
    strike(target) {
      /** @type {Effects} */
      const effects = { request: {}, response: {} }
      for (const entry of active) {
        if (!fits(entry, target)) continue
        entry.seen++
        const { nth, first, probability } = entry.rule
        if (nth !== undefined && entry.seen !== nth) continue
        if (first !== undefined && entry.seen > first) continue
        if (probability !== undefined && entry.random() >= probability) continue
        entry.hits++
        addEffects(effects, entry.rule, kind.bodyWrites.includes(target.operation))
        kind.add?.(effects, entry.rule)
        if (entry.rule.bytesPerSecond) effects.pace = entry.pace ?? createPace(entry.rule.bytesPerSecond)
      }
      return effects
    },
  }
}

/** @param {Effects} effects @param {FaultRule} rule @param {boolean} writesBody */
function addEffects(effects, rule, writesBody) {
  const { delayMs, status, code, retryAfter, etag, cutAfterBytes, flipByteAt, stall, answerDelayMs } = rule
  const side = rule.on ?? (writesBody ? 'request' : 'response')
  const body = side === 'response' ? effects.response : effects.request
  if (delayMs !== undefined) effects.delayMs = (effects.delayMs ?? 0) + delayMs
  if (status !== undefined) effects.refuse = { status, code, retryAfter }
  if (cutAfterBytes !== undefined) body.cutAfter = cutAfterBytes
  if (stall !== undefined && stall !== false) body.stallAfter = Number(stall === true ? 0 : stall)
  if (flipByteAt !== undefined && side === 'stored') effects.flipStored = flipByteAt
  else if (flipByteAt !== undefined) body.flipAt = flipByteAt
  if (etag !== undefined) effects.etag = etag
  if (answerDelayMs !== undefined) effects.answerDelayMs = (effects.answerDelayMs ?? 0) + answerDelayMs
  effects.ignoreRange ||= rule.ignoreRange
  effects.wrongContentRange ||= rule.wrongContentRange
  effects.ignoreIfMatch ||= rule.ignoreIfMatch
  effects.loseAnswer ||= rule.loseAnswer
  effects.afterWork ||= rule.afterWork
  effects.truncateXml ||= rule.truncateXml
  effects.endless ||= rule.endless
}

/** Small and repeatable (a 32-bit Weyl sequence, mixed); not for secrets. @param {number} seed */
function randomOf(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** @typedef {ReturnType<typeof createFaults>} Faults */

module.exports = { COMMON_FIELDS, createFaults, randomOf }
