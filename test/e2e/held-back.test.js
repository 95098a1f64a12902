'use strict'

/** What is said at the end of a real copy whose limit is known. It takes some seconds, because a shorter one is not judged. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')

const MiB = 1024 ** 2

test('destination: a store that refuses some', async () => {
  const source = await startStore({ synthetic: { 'source/large': 200 * MiB } })
  const refuses = { operation: 'UploadPart', probability: 0.15, status: 503, code: 'SlowDown' }
  const destination = await startStore({ faults: [refuses, { operation: 'UploadPart', delayMs: 500 }] })
  const route = await openRoute({ source, destination })
  const { status, last } = await route.copy('large', 'copy')
  const sentence =
    /^Held back by s3:\/\/target\/copy: it refused \d+ requests and allowed about (\d+) at once for \d+ % of the time; --concurrency \1 asks it less\.$/
  const message = expect.stringMatching(sentence)
  expect({ status, ...last.heldBack }).toEqual({ status: 0, by: 'destination', message, option: 'concurrency' })
})
