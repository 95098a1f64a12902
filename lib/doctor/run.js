'use strict'

/** Runs checks one after the other, each with a deadline. If a check fails, only those that need it are skipped. And what checks share. */

const { anySignal, untilAborted } = require('../async')
const { EXIT, XferError, asXferError, throwIfAborted } = require('../errors')
const { skewOf } = require('../http')

/**
 * @typedef {import('../types').Finding} Finding
 * @typedef {import('../types').Checked} Checked
 * @typedef {import('../engines/contract').Check} Check
 */

/** Exit statuses that a failed check keeps; the others have a meaning only for copies. @type {number[]} */
const OWN_STATUS = [EXIT.NOT_FOUND, EXIT.ACCESS, EXIT.ENGINE]

/**
 * @param {Check[]} checks
 * @param {{ signal?: AbortSignal, tell: (checked: Checked, error?: import('../types').XferError) => void }} how tell: called for
 *   each check once it is done
 * @returns {Promise<number>} the exit status: 0, or that of the first failed check
 * @throws {XferError} the abort's reason
 */
async function runChecks(checks, { signal, tell }) {
  /** @type {Map<string, Finding & { blocks?: boolean }>} */
  const done = new Map()
  let status = 0
  for (const check of checks) {
    throwIfAborted(signal)
    const foregone = check.foregone?.()
    const skip = foregone ? undefined : skipped(check, done)
    /** @type {Finding & { error?: import('../types').XferError }} */
    const { error, ...finding } = foregone ?? skip ?? (await attempt(check, { signal }))
    done.set(check.name, { ...finding, blocks: skip !== undefined || finding.ok === false })
    if (finding.ok === false) status ||= statusOf(check, error)
    tell({ name: check.name, ...finding }, error)
  }
  return status
}

/**
 * @param {Check} check
 * @param {Map<string, Finding & { blocks?: boolean }>} done
 * @returns {Finding | undefined} undefined if the check can run
 */
function skipped({ needs = [] }, done) {
  const missing = needs.find(name => done.get(name)?.blocks)
  if (missing === undefined) return undefined
  const before = done.get(missing)
  // A check that was skipped has said why.
  return { ok: null, detail: before?.ok === null ? before.detail : `Skipped, for the check "${missing}" failed.` }
}

/**
 * @param {Check} check
 * @param {{ signal: AbortSignal | undefined }} how
 * @returns {Promise<Finding & { error?: import('../types').XferError }>}
 */
async function attempt(check, { signal }) {
  try {
    const finding = await within(check, signal)
    throwIfAborted(signal)
    return finding
  } catch (cause) {
    throwIfAborted(signal)
    const error = asXferError(cause)
    return { ok: false, detail: error.message, hint: error.hint, error }
  }
}

/** @param {Check} check @param {AbortSignal | undefined} outer @returns {Promise<Finding>} */
async function within({ limitMs, cleans, run }, outer) {
  const late = new AbortController()
  const signal = anySignal([late.signal, ...(outer ? [outer] : [])])
  const facts = { check: true, afterMs: limitMs, exit: EXIT.FAILED }
  const timer = setTimeout(() => late.abort(new XferError('TIMED_OUT', facts)), limitMs)
  try {
    return await (cleans ? run(signal) : untilAborted(run(signal), signal))
  } finally {
    clearTimeout(timer)
  }
}

/** @param {Check} check @param {import('../types').XferError | undefined} error */
function statusOf({ exit = EXIT.FAILED }, error) {
  return error && OWN_STATUS.includes(error.exitCode) ? error.exitCode : exit
}

/** The oldest supported Node.js; package.json tells npm the same. */
const NODE = '20.19'

/**
 * @param {string} version of `process.versions.node`
 * @returns {Finding}
 */
function judgeNode(version) {
  const ok = version.localeCompare(NODE, 'en', { numeric: true }) >= 0
  const detail = `This is Node.js ${version}, and ${NODE} or later is needed.`
  return ok ? { ok, detail } : { ok, detail, hint: 'Install a newer Node.js.' }
}

/** How far this machine's clock differs from the peers' clocks. */

/** From here on a warning is useful: the platform's minutes begin at other times, and credentials seem expired. */
const WARN_MS = 60_000
/** Stores refuse signatures whose time differs by more than this. */
const WRONG_MS = 15 * 60_000
/** `Date` has whole seconds and the answer takes time, so a smaller difference means nothing. */
const LEVEL_MS = 2_000

/**
 * @param {import('../http/connection').Sample[]} samples at least one
 * @returns {Finding}
 */
function judgeClock(samples) {
  const skews = samples.map(sample => ({ who: sample.who, skewMs: skewOf(sample) }))
  const worst = Math.max(...skews.map(({ skewMs }) => Math.abs(skewMs)))
  /** Peers with the same difference share one sentence. @type {Map<string, string[]>} */
  const byWords = new Map()
  for (const { who, skewMs } of skews) byWords.set(wordsOf(skewMs), [...(byWords.get(wordsOf(skewMs)) ?? []), who])
  // Not at the top: it loads the rules of all languages, which takes milliseconds that no copy needs.
  const list = new Intl.ListFormat('en-GB')
  const words = [...byWords].map(([how, whom]) => `${how} ${list.format(whom)}`)
  const detail = `The clock of this machine is ${words.join(', ')}.`
  if (worst < WARN_MS) return { ok: true, detail }
  return { ok: worst < WRONG_MS, detail, hint: "Set this machine's clock, or the other one's." }
}

/** @param {number} skewMs */
function wordsOf(skewMs) {
  if (Math.abs(skewMs) < LEVEL_MS) return 'in step with'
  return `${spanOf(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'}`
}

/** @param {number} ms */
function spanOf(ms) {
  if (ms < 2 * 60_000) return `${Math.round(ms / 1000)} s`
  return ms < 2 * 3_600_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 3_600_000)} hours`
}

module.exports = { runChecks, judgeClock, judgeNode }
