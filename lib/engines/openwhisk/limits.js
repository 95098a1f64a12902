'use strict'

/**
 * The limits of the platform: those of the deployed action and of the namespace. What neither has is no limit.
 * https://github.com/apache/openwhisk/blob/master/docs/reference.md, "System limits"
 */

const { sampleOf, skewOf } = require('../../http')
const { misfitOf, positive } = require('../common')

/** @typedef {import('../../types').EngineLimits} EngineLimits */

const MiB = 1024 ** 2
/** Upstream's defaults: timeout and memory of an action, size of parameters and results, duration of a blocking call. */
const USUAL = { timeoutMs: 60_000, memoryBytes: 256 * MiB, payloadBytes: MiB, answerMs: 60_000 }
/** The limits with which xfer deploys the action: those of manifest.yaml. */
const AS_DEPLOYED = { limits: { timeout: 300_000, memory: 256 } }
/** The overhead of a call to a warm function: client, platform and activation record take some tens of milliseconds. */
const INVOCATION_MS = 50

/** @type {Record<string, number>} */
const UNITS = { B: 1, KB: 1024, MB: MiB, GB: 1024 ** 3 }

/**
 * @param {object} documents the platform's answers; anything else if it did not answer
 * @param {any} documents.deployed the action
 * @param {any} [documents.namespace] `GET namespaces/_/limits`
 * @param {number} skewMs
 * @returns {EngineLimits}
 */
function readLimits({ deployed, namespace }, skewMs) {
  const memoryMB = positive(deployed?.limits?.memory)
  const none = Number.POSITIVE_INFINITY
  return {
    concurrent: positive(namespace?.concurrentInvocations) ?? none,
    perMinute: positive(namespace?.invocationsPerMinute) ?? none,
    timeoutMs: positive(deployed?.limits?.timeout) ?? USUAL.timeoutMs,
    answerMs: USUAL.answerMs,
    invocationMs: INVOCATION_MS,
    memoryBytes: memoryMB === undefined ? USUAL.memoryBytes : memoryMB * MiB,
    payloadBytes: bytesOf(namespace?.maxPayloadSize) ?? USUAL.payloadBytes,
    skewMs,
  }
}

/**
 * The manifest annotates the action with the interface's version.
 *
 * @param {any} deployed the action
 * @param {{ action: string, where: string }} facts
 * @throws {XferError} ACTION_VERSION
 */
function checkVersion(deployed, facts) {
  const annotations = Array.isArray(deployed.annotations) ? deployed.annotations : []
  const noted = annotations.find((/** @type {any} */ annotation) => annotation?.key === 'xfer-interface')?.value
  const misfit = misfitOf(noted, facts)
  if (misfit) throw misfit
}

/** Upstream's ByteSize, such as `1048576 B` or `1 MB`. @param {unknown} text */
function bytesOf(text) {
  const [, count, unit] = /^(\d+) ?([KMG]?B)$/i.exec(typeof text === 'string' ? text.trim() : '') ?? []
  return count === undefined ? undefined : positive(Number(count) * UNITS[unit.toUpperCase()])
}

/** A smaller skew may come from the whole seconds of `Date`. */
const NONE_MS = 1_000

/**
 * How far the platform's clock is ahead of ours, by the `Date` of an answer.
 *
 * @param {import('./client').Head | undefined} head
 * @returns {number} milliseconds; 0 if it has none, or if the skew is below a second
 */
function aheadOf(head) {
  const [sample] = head ? sampleOf('', head) : []
  const skewMs = sample ? -Math.round(skewOf(sample)) : 0
  return Math.abs(skewMs) > NONE_MS ? skewMs : 0
}

module.exports = { AS_DEPLOYED, readLimits, checkVersion, aheadOf }
