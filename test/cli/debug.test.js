'use strict'

/** `--debug`: what was asked, and what came of it; nothing that would let somebody else ask. */

const { openStore, startStore } = require('../support/opened')
const { expectDiscreet } = require('../support/copies')
const { copyEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

test('each request, part and retry is a line, without queries and headers', async () => {
  const server = await startStore({ buckets: ['bucket'] })
  await put(openStore(server, 'bucket'), 'large', bytesOf(6 * 1024 ** 2))
  server.faults.add({ operation: 'CompleteMultipartUpload', first: 1, status: 503 })
  const env = copyEnv(server, server)
  const line = 'copy s3://bucket/large s3://bucket/copy --chunk 5 --engine local --debug --route engine'
  const run = await runXfer(line.split(' '), { env })
  expectDiscreet(run, env)
  const { host } = new URL(server.endpoint)
  const lines = run.stderr.split('\n').map(line => line.replace(/\d+ ms$/, 'N ms'))
  expect(run.status).toBe(0)
  expect(lines).toEqual(
    expect.arrayContaining([
      `request HEAD ${host}/bucket/large 200 N ms`,
      `request POST ${host}/bucket/copy 503 N ms`,
      `request POST ${host}/bucket/copy 200 N ms`,
      expect.stringMatching(/^part partNumber=1 bytes=5242880 attempt=1 elapsedMs=\d+$/),
      expect.stringMatching(/^retry call="completeUpload" side="destination" attempt=1 code="STORE_THROTTLED"$/),
    ]),
  )
})
