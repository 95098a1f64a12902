'use strict'

/** A command, by whichever way it opens its stores, refuses an endpoint that names the bucket of its location, before any request to either store. */

const { Readable } = require('node:stream')
const xfer = require('../../../lib')
const { jobFiles, newStateHome } = require('../../support/journals')
const { startStore } = require('../../support/opened')

const A = 's3://other/a'
const B = 's3://photos/b'

let server
beforeAll(async () => {
  server = await startStore({ buckets: ['other', 'photos'] })
})

test.each([
  ['copy', options => xfer.copy(A, B, options)],
  ['copy from it', options => xfer.copy(B, A, options)],
  ['upload', options => xfer.upload(Readable.from([Buffer.from('a')]), B, options)],
  ['list', options => xfer.list('s3://photos/', options).next()],
  ['copy to gs', options => xfer.copy(A, 'gs://photos/b', options), 'XFER_DEST_ENDPOINT_URL'],
])('%s', async (_, call, from = 'AWS_ENDPOINT_URL') => {
  const home = newStateHome()
  const endpoint = `http://photos.s3.localhost:${server.port}`
  const { accessKeyId, secretAccessKey } = server
  const env = {
    ...{ HOME: home, XDG_STATE_HOME: home, AWS_ENDPOINT_URL: endpoint, [from]: endpoint },
    ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    ...{ GS_ACCESS_KEY_ID: accessKeyId, GS_SECRET_ACCESS_KEY: secretAccessKey },
  }
  expect(await (async () => await call({ env }))().catch(thrown => thrown)).toMatchObject({
    ...{ code: 'USAGE', exitCode: 2 },
    message: expect.stringMatching(`"${endpoint}" \\(set by ${from}\\) names the bucket "photos"`),
    hint: expect.stringContaining(`http://s3.localhost:${server.port}.`),
  })
  expect([server.requests, jobFiles(home)]).toEqual([{}, []])
})
