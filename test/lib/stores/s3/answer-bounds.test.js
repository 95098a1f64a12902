'use strict'

/** Answers to control calls have bounds: in bytes, in time, and in how slowly they may come. */

const { storeAnswering } = require('../../../support/answering')

/** Longer than a busy machine takes for what does come. */
const ANSWER_MS = 3_000

/** @param {number} status @param {string} begin */
const endless = (status, begin) => response => {
  response.writeHead(status, { 'content-type': 'application/xml' }).write(begin)
  const more = () => !response.destroyed && response.write(' '.repeat(65_536), () => setImmediate(more))
  more()
}

/** Blanks, which are no silence. @param {number} everyMs @param {number} times @param {string} end */
const blanks = (everyMs, times, end) => response => {
  response.writeHead(200, { 'content-type': 'application/xml' }).write('<?xml version="1.0" encoding="UTF-8"?>')
  let left = times
  const timer = setInterval(() => {
    if (left-- > 0) return response.write(' ')
    clearInterval(timer)
    response.end(end)
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}

const list = store => store.list({ prefix: '' })
const complete = store =>
  store.upload.complete({ key: 'key', uploadId: 'id', bytes: 1, parts: [{ partNumber: 1, etag: '"e"' }] })

// Each call has a bound of its own.
test.each([
  ['a list', list],
  ['a deletion', store => store.removeAll(['a', 'b'])],
])('%s that is answered without end fills no memory', async (_, call) => {
  const store = await storeAnswering(endless(200, '<?xml version="1.0"?>'))
  const before = process.memoryUsage().rss
  const failure = { code: 'BAD_ANSWER', message: expect.stringMatching(/with more than \d+ KiB/) }
  await expect(call(store)).rejects.toMatchObject(failure)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2)
})

test('an endless error document still counts as the error', async () => {
  const store = await storeAnswering(endless(403, '<Error><Code>AccessDenied</Code>'))
  await expect(list(store)).rejects.toMatchObject({ code: 'NOT_A_STORE', facts: { status: 403 } })
})

test.each([
  ['a list', list],
  ['a completion', complete],
])('%s that is answered with a byte now and then, for ever, is given up', async (_, call) => {
  const store = await storeAnswering(blanks(100, 1e9, ''), { answerMs: ANSWER_MS / 3 })
  await expect(call(store)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retryable: true })
})

test('a completion may say nothing but blanks for longer than a list may take', async () => {
  const made = '<CompleteMultipartUploadResult><ETag>"made"</ETag></CompleteMultipartUploadResult>'
  const store = await storeAnswering(blanks(ANSWER_MS / 10, 14, made), { answerMs: ANSWER_MS, silenceMs: ANSWER_MS })
  expect(await complete(store)).toMatchObject({ etag: '"made"' })
})
