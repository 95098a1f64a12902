'use strict'

/** `--timeout` ends the program soon, whatever does not answer. */

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
// Without a bound of its own each of them takes longer: what does not answer is waited for, and then its abort.
jest.setTimeout(25_000)

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
  const { status, stdout } = await runAlone(['copy', ...places, ...engine, '--timeout', '3s', '--json'], { env })
  expect([status, eventsOf({ stdout }).at(-1).code]).toEqual([124, code])
})
