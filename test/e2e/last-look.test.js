'use strict'

/**
 * Stores that answer a write well and show something else: nothing ends with 0 that the destination does not show, and no
 * source of a move is deleted for it.
 */

const { Readable } = require('node:stream')
const xfer = require('../../lib')
const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { bareEnv } = require('../support/run-xfer')

jest.setTimeout(120_000)

let source
let destination
beforeEach(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
})

test.each([
  ['that is known to check, and to show at once, is one request', {}, 1],
  ['of which nothing is known gets a HEAD each', { serverName: 'Oddity/1.0' }, 4],
])('the upload of a service to a store %s', async (_, options, heads) => {
  destination = await startStore(options)
  const route = await openRoute({ source, destination })
  const env = { ...bareEnv, ...route.env }
  for (const key of ['1', '2', '3']) {
    await xfer.upload(Readable.from([Buffer.from(key)]), `s3://target/${key}`, { env })
  }
  const { PutObject, HeadObject } = destination.requests
  expect({ PutObject, HeadObject }).toEqual({ PutObject: 3, HeadObject: heads })
})
