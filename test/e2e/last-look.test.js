'use strict'

/** Nothing ends with 0 that the destination does not show, or is known to show at once: what the uploads of a service ask. */

const { Readable } = require('node:stream')
const xfer = require('../../lib')
const { startStore } = require('../support/opened')
const { bareEnv, sideEnv } = require('../support/run-xfer')

test.each([
  ['that is known to check, and to show at once, is one request', {}, 1],
  ['of which nothing is known gets a HEAD each', { serverName: 'Oddity/1.0' }, 4],
])('the upload of a service to a store %s', async (_, options, heads) => {
  const store = await startStore({ buckets: ['target'], ...options })
  const env = { ...bareEnv, ...sideEnv('DEST', store) }
  for (const key of ['1', '2', '3']) await xfer.upload(Readable.from([Buffer.from(key)]), `s3://target/${key}`, { env })
  expect(store.requests).toMatchObject({ PutObject: 3, HeadObject: heads })
})
