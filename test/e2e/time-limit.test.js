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
const LOCAL = ['--engine', 'local']
const ABORT = [...LOCAL, '--on-failure', 'abort']
const WRITES = ['UploadPart', 'AbortMultipartUpload', 'ListParts']
// Without a bound of its own each of them takes longer: what does not answer is waited for, and then its abort.
jest.setTimeout(25_000)

test.each([
  ['a read of the source', ONE, LOCAL, ['GetObject'], 'TIMED_OUT'],
  ['the parts, and then their abort', ONE, ABORT, WRITES, 'UPLOAD_LEFT'],
  ['what functions write below a prefix', MANY, ['--engine', 'openwhisk'], ['PutObject'], 'TIMED_OUT'],
])('%s', async (_, places, flags, operation, code) => {
  store.faults.add({ operation, delayMs: LATE })
  const env = copyEnv(store, store, platform)
  const { status, stdout } = await runAlone(['copy', ...places, ...flags, '--timeout', '3s', '--json'], { env })
  expect([status, eventsOf({ stdout }).at(-1).code]).toEqual([124, code])
})
