'use strict'

/** `--timeout` says when the program has ended, whatever does not answer. */

const { openStore, startDeployed, startStore } = require('../support/opened')
const { copyEnv, eventsOf, runAlone } = require('../support/run-xfer')
const { bytesOf, createBuckets, put } = require('../support/s3')

let store
let platform
beforeAll(async () => {
  ;[store, platform] = await Promise.all([startStore(), startDeployed()])
  await createBuckets(store, 'bucket')
  await put(openStore(store, 'bucket'), 'large', bytesOf(11 * 1024 ** 2))
  for (const name of ['a', 'b']) await put(openStore(store, 'bucket'), `from/${name}`, bytesOf(1000, name))
})
afterEach(() => store.faults.clear())

const ONE = ['s3://bucket/large', 's3://bucket/to', '--chunk', '5']
const MANY = ['-r', 's3://bucket/from/', 's3://bucket/into/']
const LATE = 60_000
/** Of these it took eight seconds, half a minute, and nineteen seconds; the rest of five is for a busy machine. */
const MOST_MS = 3_000 + 5_000 / 2

test.each([
  ['a read of the source', ONE, ['--engine', 'local'], ['GetObject'], 'TIMED_OUT'],
  [
    'the parts, and then their abort',
    [...ONE, '--on-failure', 'abort'],
    ['--engine', 'local'],
    undefined,
    'UPLOAD_LEFT',
  ],
  ['what functions write below a prefix', MANY, ['--engine', 'openwhisk'], ['PutObject'], 'TIMED_OUT'],
])('%s', async (_, places, engine, operations, code) => {
  const operation = operations ?? ['UploadPart', 'AbortMultipartUpload', 'ListParts']
  store.faults.add({ operation, delayMs: LATE })
  const env = copyEnv(store, store, platform)
  const startedMs = performance.now()
  const { status, stdout } = await runAlone(['copy', ...places, ...engine, '--timeout', '3s', '--json'], { env })
  expect([status, eventsOf({ stdout }).at(-1).code]).toEqual([124, code])
  expect(performance.now() - startedMs).toBeLessThan(MOST_MS)
})
