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
 * @property {{ status: number, code?: string }} [refuse]
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
 * @property {string} [copySum]
 * @property {'none'} [crc]
 * @property {'nothing' | 'half' | 'other'} [keeps]
 */

/** What a rule can say: which requests, when, and how; and what happens to them. */
const FIELDS = [
  ...'operation bucket key keyPattern partNumber leastBytes header probability seed nth first'.split(' '),
  ...'shared code on afterWork delayMs answerDelayMs bytesPerSecond status cutAfterBytes flipByteAt'.split(' '),
  ...'stall etag ignoreRange wrongContentRange ignoreIfMatch loseAnswer truncateXml endless errorInBody blanks'.split(
    ' ',
  ),
  ...'copySum crc keeps'.split(' '),
]
/** Effects that are as their rule has them. */
const PLAIN = /** @type {Array<keyof FaultRule & keyof Effects>} */ (
  'etag ignoreRange wrongContentRange ignoreIfMatch loseAnswer afterWork truncateXml endless blanks copySum crc keeps'.split(
    ' ',
  )
)

/** Offsets into one body. @typedef {{ cutAfter?: number, stallAfter?: number, flipAt?: number }} BodyEffects */

/** Operations whose bodies a rule means where it does not say which. */
const BODY_WRITES = ['PutObject', 'UploadPart', 'PutBlob', 'PutBlock']

/** Whether a rule means a request. @param {FaultRule} rule @param {Target} target */
function fits(rule, { operation, bucketName, key, query, header }) {
  const declared = header?.('x-amz-decoded-content-length') ?? header?.('content-length')
  return (
    (rule.header === undefined || header?.(rule.header) !== undefined) &&
    (rule.leastBytes === undefined || Number(declared) >= rule.leastBytes) &&
    (rule.operation === undefined || [rule.operation].flat().includes(operation)) &&
    (rule.bucket === undefined || rule.bucket === bucketName) &&
    (rule.key === undefined || rule.key === key) &&
    (rule.keyPattern === undefined || new RegExp(rule.keyPattern).test(key ?? '')) &&
    (rule.partNumber === undefined || String(rule.partNumber) === query.get('partNumber'))
  )
}

/**
 * The fault rules of a store.
 *
 * @param {number} seed of the random numbers for all rules without a seed of their own
 */
function createFaults(seed) {
  /** Of the rules whose requests share one. @type {WeakMap<FaultRule, Pace>} */
  const paces = new WeakMap()

  /** @param {FaultRule} rule @param {number} bytesPerSecond */
  function paceOf(rule, bytesPerSecond) {
    const pace = paces.get(rule) ?? createPace(bytesPerSecond)
    if (rule.shared) paces.set(rule, pace)
    return pace
  }

  const { add, clear, strikes } = createRules({ fields: FIELDS, fits, seed })
  return {
    add: /** @type {(rule: FaultRule) => { readonly hits: number, remove(): void }} */ (add),
    clear,
    /** Chooses the effects for a request. @param {Target} target @returns {Effects} */
    strike(target) {
      /** @type {Effects} */
      const effects = { request: {}, response: {} }
      for (const rule of strikes(target)) {
        addEffects(effects, rule, BODY_WRITES.includes(target.operation))
        if (rule.bytesPerSecond) effects.pace = paceOf(rule, rule.bytesPerSecond)
      }
      return effects
    },
  }
}

/** @param {Effects} effects @param {FaultRule} rule @param {boolean} writesBody */
function addEffects(effects, rule, writesBody) {
  const { delayMs, status, code, cutAfterBytes, flipByteAt, stall, answerDelayMs } = rule
  const side = rule.on ?? (writesBody ? 'request' : 'response')
  const body = side === 'response' ? effects.response : effects.request
  for (const name of PLAIN) if (rule[name] !== undefined) Object.assign(effects, { [name]: rule[name] })
  if (delayMs !== undefined) effects.delayMs = (effects.delayMs ?? 0) + delayMs
  if (answerDelayMs !== undefined) effects.answerDelayMs = (effects.answerDelayMs ?? 0) + answerDelayMs
  if (rule.errorInBody) effects.errorInBody = code ?? 'InternalError'
  if (status !== undefined) effects.refuse = { status, code }
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
