'use strict'

const { createRules } = require('./rules')

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
 * @property {Pace} [pace]
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

/** The fields that the rules of all stores have: which requests, when, and how; and what happens to them. */
const FIELDS = [
  ...'operation bucket key keyPattern leastBytes header probability seed nth first'.split(' '),
  ...'shared code retryAfter on afterWork delayMs answerDelayMs bytesPerSecond status cutAfterBytes flipByteAt'.split(
    ' ',
  ),
  ...'stall etag ignoreRange wrongContentRange ignoreIfMatch loseAnswer truncateXml endless'.split(' '),
]
/** Effects that are as their rule has them. */
const PLAIN = /** @type {const} */ ([
  ...['etag', 'ignoreRange', 'wrongContentRange', 'ignoreIfMatch', 'loseAnswer', 'afterWork', 'truncateXml', 'endless'],
])

/** Offsets into one body. @typedef {{ cutAfter?: number, stallAfter?: number, flipAt?: number }} BodyEffects */

/**
 * What a store's rules can say beside what all can.
 *
 * @typedef {object} Kind
 * @property {string[]} fields of its own
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
  /** Of the rules whose requests share one. @type {WeakMap<FaultRule, Pace>} */
  const paces = new WeakMap()

  /** @param {FaultRule} rule @param {Target} target */
  function fits(rule, target) {
    const { operation, bucketName, key, header } = target
    if (rule.header !== undefined && header?.(rule.header) === undefined) return false
    const declared = header?.('x-amz-decoded-content-length') ?? header?.('content-length')
    if (rule.leastBytes !== undefined && !(Number(declared) >= rule.leastBytes)) return false
    if (rule.operation !== undefined && ![rule.operation].flat().includes(operation)) return false
    if (rule.bucket !== undefined && rule.bucket !== bucketName) return false
    if (rule.key !== undefined && rule.key !== key) return false
    if (rule.keyPattern !== undefined && !new RegExp(rule.keyPattern).test(key ?? '')) return false
    return kind.fits(rule, target)
  }

  /** @param {FaultRule} rule @param {number} bytesPerSecond */
  function paceOf(rule, bytesPerSecond) {
    const pace = paces.get(rule) ?? createPace(bytesPerSecond)
    if (rule.shared) paces.set(rule, pace)
    return pace
  }

  const { add, clear, strikes } = createRules({ fields: [...FIELDS, ...kind.fields], fits, seed })
  return {
    add: /** @type {(rule: FaultRule) => { readonly hits: number, remove(): void }} */ (add),
    clear,
    /** Chooses the effects for a request. @param {Target} target @returns {Effects} */
    strike(target) {
      /** @type {Effects} */
      const effects = { request: {}, response: {} }
      for (const rule of strikes(target)) {
        addEffects(effects, rule, kind.bodyWrites.includes(target.operation))
        kind.add?.(effects, rule)
        if (rule.bytesPerSecond) effects.pace = paceOf(rule, rule.bytesPerSecond)
      }
      return effects
    },
  }
}

/** @param {Effects} effects @param {FaultRule} rule @param {boolean} writesBody */
function addEffects(effects, rule, writesBody) {
  const { delayMs, status, code, retryAfter, cutAfterBytes, flipByteAt, stall, answerDelayMs } = rule
  const side = rule.on ?? (writesBody ? 'request' : 'response')
  const body = side === 'response' ? effects.response : effects.request
  for (const name of PLAIN) if (rule[name] !== undefined) Object.assign(effects, { [name]: rule[name] })
  if (delayMs !== undefined) effects.delayMs = (effects.delayMs ?? 0) + delayMs
  if (answerDelayMs !== undefined) effects.answerDelayMs = (effects.answerDelayMs ?? 0) + answerDelayMs
  if (status !== undefined) effects.refuse = { status, code, retryAfter }
  if (cutAfterBytes !== undefined) body.cutAfter = cutAfterBytes
  if (stall !== undefined && stall !== false) body.stallAfter = Number(stall === true ? 0 : stall)
  if (flipByteAt !== undefined && side === 'stored') effects.flipStored = flipByteAt
  else if (flipByteAt !== undefined) body.flipAt = flipByteAt
}

/**
 * A cap on bytes per second. Bodies that share one divide it among themselves.
 *
 * @param {number} bytesPerSecond
 */
function createPace(bytesPerSecond) {
  /** The time at which the bytes so far are within the cap. */
  let paidAt = 0
  return {
    /** The largest piece in which bodies are sent and read, so that a slow one flows evenly. */
    pieceBytes: Math.max(1, Math.min(65536, Math.ceil(bytesPerSecond / 20))),
    /** @param {number} bytes @returns {number} milliseconds to wait after them */
    take(bytes) {
      const now = performance.now()
      paidAt = Math.max(paidAt, now) + (bytes / bytesPerSecond) * 1000
      return paidAt - now
    },
  }
}

/** @typedef {ReturnType<typeof createPace>} Pace */

/** @typedef {ReturnType<typeof createFaults>} Faults */

module.exports = { createFaults }
