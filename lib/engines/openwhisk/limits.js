'use strict'

/**
 * What the platform allows, from the documents in which it says so: the namespace's limits, then the platform's own
 * (`GET /`), then no limit. https://github.com/apache/openwhisk/blob/master/docs/reference.md, "System limits"
 */

const { VERSION } = require('../../../actions/copy-range/version')
const { XferError } = require('../../errors')

/** @typedef {import('../../types').EngineLimits} EngineLimits */

const MiB = 1024 ** 2
/** Upstream's: standard duration and memory of an action, what an invocation may say, how long it may keep a caller. */
const USUAL = { timeoutMs: 60_000, memoryBytes: 256 * MiB, payloadBytes: MiB, answerMs: 60_000 }
/** Of a call to a warm function, some tens of milliseconds as a rule: the client's and the platform's share, and its record. */
const INVOCATION_MS = 50

/** @type {Record<string, number>} */
const UNITS = { B: 1, KB: 1024, MB: MiB, GB: 1024 ** 3 }

/**
 * @param {object} documents as the platform answered them, or anything else where it did not
 * @param {any} documents.deployed the action
 * @param {any} [documents.namespace] `GET namespaces/_/limits`
 * @param {any} [documents.root] `GET /`
 * @param {object} known
 * @param {Partial<EngineLimits>} known.given by the user, who knows better
 * @param {number} known.skewMs
 * @returns {EngineLimits}
 */
function readLimits({ deployed, namespace, root }, { given, skewMs }) {
  const memoryMB = positive(deployed?.limits?.memory)
  const none = Number.POSITIVE_INFINITY
  return {
    concurrent: positive(namespace?.concurrentInvocations) ?? positive(root?.limits?.concurrent_actions) ?? none,
    perMinute: positive(namespace?.invocationsPerMinute) ?? positive(root?.limits?.actions_per_minute) ?? none,
    timeoutMs: positive(deployed?.limits?.timeout) ?? USUAL.timeoutMs,
    answerMs: USUAL.answerMs,
    invocationMs: INVOCATION_MS,
    memoryBytes: memoryMB === undefined ? USUAL.memoryBytes : memoryMB * MiB,
    payloadBytes: bytesOf(namespace?.maxPayloadSize) ?? USUAL.payloadBytes,
    skewMs,
    ...given,
  }
}

/** Whether what was answered, and given, leaves a question to `GET /`. @param {any} namespace @param {Partial<EngineLimits>} given */
function leavesOpen(namespace, given) {
  return (
    (given.concurrent ?? positive(namespace?.concurrentInvocations)) === undefined ||
    (given.perMinute ?? positive(namespace?.invocationsPerMinute)) === undefined
  )
}

/**
 * The manifest notes the interface's version beside the action; one that was deployed otherwise shows it by its first answer.
 *
 * @param {any} deployed the action
 * @param {{ action: string, where: string }} facts
 * @throws {XferError} ACTION_VERSION
 */
function checkVersion(deployed, facts) {
  const annotations = Array.isArray(deployed.annotations) ? deployed.annotations : []
  const noted = annotations.find((/** @type {any} */ annotation) => annotation?.key === 'xfer-interface')?.value
  if (noted === undefined || Number(noted) === VERSION) return
  const version = /^[\w.-]{1,20}$/.test(String(noted)) ? noted : 'unknown'
  throw new XferError('ACTION_VERSION', { ...facts, reason: `its interface version is ${version}, not ${VERSION}` })
}

/** @param {unknown} value */
function positive(value) {
  return typeof value === 'number' && value > 0 ? value : undefined
}

/** Upstream's ByteSize, such as `1048576 B` or `1 MB`. @param {unknown} text */
function bytesOf(text) {
  const [, count, unit] = /^(\d+) ?([KMG]?B)$/i.exec(typeof text === 'string' ? text.trim() : '') ?? []
  return count === undefined ? undefined : positive(Number(count) * UNITS[unit.toUpperCase()])
}

module.exports = { readLimits, leavesOpen, checkVersion }
