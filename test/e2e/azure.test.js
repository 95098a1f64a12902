'use strict'

/** What only blobs of Azure have, in copies between containers and from them to S3. */

const { copy, copyPrefix } = require('../../lib')
const { openEnd, openStore, startAzureStore, startKinds, startStore } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { call } = require('../support/ends/azure-objects')
const { makeHome } = require('../support/home')
const { newStateHome } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get } = require('../support/stores')

const MiB = 1024 ** 2

let azure
let s3
let bucket
let options
beforeAll(async () => {
  azure = await startAzureStore({ containers: ['from', 'copies'], hierarchical: false, versioning: true })
  s3 = await startStore({ buckets: ['bucket'] })
  bucket = openStore(s3, 'bucket')
  const env = {
    ...{ HOME: makeHome({}), AWS_ACCESS_KEY_ID: s3.accessKeyId, AWS_SECRET_ACCESS_KEY: s3.secretAccessKey },
    AZURE_STORAGE_KEY: azure.key,
  }
  options = { engine: 'local', chunk: '5MiB', env, retries: 0 }
})

const AZ = () => ({ endpointUrl: azure.endpoint })
const S3 = () => ({ endpointUrl: s3.endpoint, region: s3.region })
const at = (container, key) => `az://${azure.account}/${container}/${key}`
const raw = request =>
  call({ port: Number(new URL(azure.endpoint).port), account: azure.account, key: azure.key }, request)

/** @param {string} key @param {Buffer} body @param {Record<string, string>} [headers] */
async function write(key, body, headers = {}) {
  const answer = await raw({
    ...{ method: 'PUT', path: `/from/${key}`, body },
    headers: { 'x-ms-blob-type': 'BlockBlob', 'content-type': 'application/octet-stream', ...headers },
  })
  expect(answer.status).toBe(201)
  return answer.headers
}

/** @param {string} key of a copy */
const found = async key => (await raw({ method: 'HEAD', path: `/copies/${key}` })).headers

test('small blobs below a prefix keep their tiers, though a read does not tell them', async () => {
  const tiers = ['Cool', undefined, 'Cold', 'Cool', undefined]
  for (const [i, tier] of tiers.entries()) {
    await write(`tiers/${i}`, bytesOf(10 + i), tier ? { 'x-ms-access-tier': tier } : {})
  }
  await copyPrefix(at('from', 'tiers/'), at('copies', 'tiers/'), { ...options, source: AZ(), destination: AZ() })
  const heads = await Promise.all(tiers.map((_, i) => found(`tiers/${i}`)))
  const own = heads.map(head => (head['x-ms-access-tier-inferred'] ? undefined : head['x-ms-access-tier']))
  expect(own).toEqual(tiers)
})

test('a version is read as it was', async () => {
  const { 'x-ms-version-id': versionId } = await write('moving', Buffer.from('first'))
  await write('moving', Buffer.from('second'))
  const to = S3()
  const source = { ...AZ(), versionId }
  await copy(at('from', 'moving'), 's3://bucket/version', { ...options, source, destination: to })
  await copy(at('from', 'moving'), 's3://bucket/newest', { ...options, source: AZ(), destination: to })
  const texts = await Promise.all(['version', 'newest'].map(async key => String(await get(bucket, key))))
  expect(texts).toEqual(['first', 'second'])
})

// Of a commit whose answer nobody has read the blocks' ids tell whether the blob is the copy.
test('a copy that was killed after its commit is found done, and nothing is copied again', async () => {
  const body = bytesOf(10 * MiB + 1, 'ours')
  const store = await startAzureStore({ versioning: true })
  const source = await openEnd((await startKinds([KINDS[0]]))[0], 'origin')
  const destination = await openEnd({ ...azureServer(store), name: 'sandbox-azure' }, 'target')
  const env = { XDG_STATE_HOME: newStateHome(), ...source.env('SOURCE'), ...destination.env('DEST') }
  await source.write('one', { bytes: body })
  store.faults.add({ operation: 'PutBlockList', nth: 1, answerDelayMs: 120_000 })
  const args = ['copy', source.text('one'), destination.text('one'), '--engine', 'local', '--chunk', '5']
  const run = startXfer(args, { env })
  while ((await store.look('target')).objects.length === 0) await new Promise(resolve => setImmediate(resolve))
  run.child.kill('SIGKILL')
  await run.ended
  store.faults.clear()
  const blocks = store.requests.PutBlock
  const { status } = await startXfer(['resume'], { env }).ended
  expect({ status, again: store.requests.PutBlock - blocks }).toEqual({ status: 0, again: 0 })
  expect((await destination.read('one')).bytes.equals(body)).toBe(true)
})
