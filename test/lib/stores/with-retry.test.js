'use strict'

const { passTime } = require('../../support/time')
const { repeat } = require('../../../lib/async')
const { XferError } = require('../../../lib/errors')
const { withRetry } = require('../../../lib/stores')

const passing = (retryAfterMs = undefined) =>
  new XferError('STORE_ERROR', { side: 'source', status: 500, retryAfterMs })

/** A store whose `head` fails with these, one a call, and then answers. */
function storeFailing(...failures) {
  const times = []
  const head = jest.fn(async () => {
    times.push(performance.now())
    if (failures.length > 0) throw failures.shift()
    return { bytes: 1 }
  })
  return { head, times, upload: {} }
}

test('a call whose failure may pass is made again, not before the time that the store named, and each repetition is told beforehand', async () => {
  const store = storeFailing(passing(700), passing())
  const told = []
  const onRetry = (error, call, attempt) => told.push(`${error.code} ${call} ${attempt}`)
  // What has to hold before a call may not hold any more before the next attempt.
  const before = jest.fn()
  expect(await passTime(withRetry(store, { retries: 3, onRetry }).head('key', { before }))).toEqual({ bytes: 1 })
  expect(before).toHaveBeenCalledTimes(3)
  expect(store.head.mock.calls).toEqual(Array(3).fill(['key', {}]))
  expect(told).toEqual(['STORE_ERROR head 1', 'STORE_ERROR head 2'])
  expect(store.times[1] - store.times[0]).toBeGreaterThanOrEqual(700)
})

test('whether an outage excuses a failure is asked with the beginning of that attempt', async () => {
  let nowMs = 0
  const excuses = jest.fn(async () => true)
  const outages = { now: () => ++nowMs, excuses, up: async () => {}, answered() {} }
  const call = storeFailing(passing(), passing()).head
  await repeat(call, { retries: 0, outages })
  expect(excuses.mock.calls.map(([, askedMs]) => askedMs)).toEqual([1, 2])
})

test.each([1, 12])('with --retries %i the last failure is the answer, and is not told as one more', async retries => {
  const failures = Array.from({ length: retries + 2 }, () => passing())
  const store = storeFailing(...failures)
  const onRetry = jest.fn()
  await expect(passTime(withRetry(store, { retries, onRetry }).head('key'))).rejects.toBe(failures[retries])
  expect(store.head).toHaveBeenCalledTimes(retries + 1)
  expect(onRetry).toHaveBeenCalledTimes(retries)
})

test.each([
  [new XferError('ACCESS_DENIED', { side: 'source' }), 'ACCESS_DENIED'],
  // Of another class: it is wrapped.
  [new TypeError('oops'), 'INTERNAL'],
])('%s is never repeated', async (fatal, code) => {
  const store = storeFailing(fatal)
  await expect(withRetry(store, { retries: 5 }).head('key')).rejects.toMatchObject({ code })
  expect(store.head).toHaveBeenCalledTimes(1)
})

test.each([
  ['while the store is to be left alone', passing(60_000)],
  ['between two attempts', passing()],
])('an abort %s ends the call at once, and no other is made', async (_, failure) => {
  const store = storeFailing(failure, failure)
  const controller = new AbortController()
  const onRetry = () => process.nextTick(() => controller.abort())
  const answer = withRetry(store, { retries: 5, onRetry }).head('key', { signal: controller.signal })
  // Nobody lets time pass, so that the next attempt never comes: who waits for it hangs.
  await expect(answer).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
  expect(store.head).toHaveBeenCalledTimes(1)
})

test('calls of an upload are made again too, and told by names of their own', async () => {
  const told = []
  const failingOnce = () => jest.fn(async () => ({ etag: '"e"' })).mockRejectedValueOnce(passing())
  const part = failingOnce()
  const store = { upload: { part, complete: failingOnce(), pending: failingOnce() } }
  const { upload } = withRetry(store, { retries: 1, onRetry: (_error, call) => told.push(call) })
  expect(await passTime(upload.complete({}))).toEqual({ etag: '"e"' })
  expect(await passTime(upload.pending({}))).toEqual({ etag: '"e"' })
  expect(told).toEqual(['completeUpload', 'listUploads'])
  expect(upload.part).toBe(part)
})

test('copies by the store are made once: their outcome must be checked first', async () => {
  const object = jest.fn(async () => Promise.reject(passing()))
  const { serverCopy } = withRetry({ upload: {}, serverCopy: { object } }, { retries: 5 })
  await expect(serverCopy.object({})).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(object).toHaveBeenCalledTimes(1)
})

test('a completion, before which all bytes were sent, is repeated more often than other calls', async () => {
  const failing = () => storeFailing(passing(), passing()).head
  const { upload } = withRetry({ upload: { complete: failing(), abort: failing() } }, { retries: 0 })
  await expect(upload.abort({})).rejects.toMatchObject({ code: 'STORE_ERROR' })
  expect(await passTime(upload.complete({}))).toEqual({ bytes: 1 })
})
