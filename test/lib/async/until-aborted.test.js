'use strict'

const { getEventListeners } = require('node:events')
const { XferError } = require('../../../lib/errors')
const { explainAnswer } = require('../../../lib/stores/s3/explain')
const { withRenewal } = require('../../../lib/transfer')
const { runParts } = require('../../../lib/schedule')
const { untilAborted } = require('../../../lib/async')

const never = () => new Promise(() => {})
function deferred() {
  let resolve
  const promise = new Promise(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
const reason = new XferError('TIMED_OUT', { after: '2s' })
const PART = { partNumber: 1, start: 0, bytes: 1 }
const LIMITS = { concurrent: 1, perMinute: Infinity, timeoutMs: 60_000, memoryMiB: 256, payloadBytes: 1e6, skewMs: 0 }

test('it waits for the answer or the signal, and does not listen any longer', async () => {
  const controller = new AbortController()
  const { signal } = controller
  expect(await untilAborted(Promise.resolve('answer'), signal)).toBe('answer')
  expect(await untilAborted(Promise.resolve('answer'), undefined)).toBe('answer')
  const waiting = untilAborted(never(), signal)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(untilAborted(never(), signal)).rejects.toBe(reason)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('however many wait for one signal, it has one listener', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const answers = Array.from({ length: 1_000 }, () => deferred())
  const waiting = answers.map(({ promise }) => untilAborted(promise, signal))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  answers[0].resolve('answer')
  expect(await waiting[0]).toBe('answer')
  controller.abort(reason)
  const outcomes = await Promise.allSettled(waiting.slice(1))
  expect(outcomes.filter(outcome => outcome.reason === reason)).toHaveLength(999)
})

test('a signature for which credentials are asked that never come does not outlast the signal', async () => {
  const controller = new AbortController()
  const sign = () => {
    setImmediate(() => controller.abort(reason))
    return never()
  }
  const { signal } = controller
  const how = { sign, run: never, explain: error => error, limits: LIMITS, concurrency: 1, retries: 0, emit() {} }
  await expect(runParts([PART], { ...how, abort: signal })).rejects.toBe(reason)
})

test('neither does a renewal', async () => {
  const refused = {
    partNumber: 1,
    error: { code: 'HTTP_STATUS', side: 'read', status: 400, storeCode: 'ExpiredToken' },
  }
  const explain = answer => explainAnswer(answer, { side: 'source' })
  const engine = withRenewal({ run: async () => [refused] }, { source: { renew: never, explain }, destination: {} })
  const controller = new AbortController()
  const run = engine.run([{ partNumber: 1, read: {} }], { signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await expect(run).rejects.toBe(reason)
})
