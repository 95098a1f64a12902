'use strict'

/** Copies from addresses of the web by the real program: through functions, from presigned URLs of a store, killed and repeated. */

const xfer = require('../../lib')
const { startStore } = require('../../sandbox/store')
const { startHttpsHost } = require('../support/https-host')
const { startDeployed } = require('../support/platform')
const { bareEnv, copyEnv, eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { bytesOf, createBuckets, get, openStore, put } = require('../support/s3')

const BODY = bytesOf(12 * 1024 ** 2)

let host
let store
let platform
let from
let to
beforeAll(async () => {
  ;[host, store, platform] = await Promise.all([startHttpsHost(), startStore(), startDeployed()])
  await createBuckets(store, 'source', 'target')
  ;[from, to] = ['source', 'target'].map(bucket => openStore(store, bucket))
})
afterAll(async () => {
  from?.close()
  to?.close()
  await Promise.all([host?.close(), store?.close(), platform?.close()])
})

const envOf = more => ({ ...copyEnv(store, store, platform), ...more })
/** @param {string[]} args @param {Record<string, string>} [env] */
const copied = async (args, env) => {
  const run = await runXfer(['copy', ...args, '--json', '--chunk', '5'], { env: envOf(env) })
  const events = eventsOf(run)
  return { ...run, events, last: events.at(-1), plan: events.find(({ type }) => type === 'plan') }
}
const presigned = async key => {
  const options = { expires: '10m', env: { ...bareEnv, ...sideEnv('SOURCE', store) } }
  return (await xfer.presign(`s3://source/${key}`, options)).url
}

test('functions read a presigned URL of a store, and its signature is told nowhere', async () => {
  await put(from, 'dir/an object', BODY)
  const url = await presigned('dir/an object')
  const { status, last, plan, stdout, stderr } = await copied([url, 's3://target/'])
  expect({ status, code: last.code }).toEqual({ status: 0, code: undefined })
  expect(plan).toMatchObject({ engine: 'openwhisk', destination: 's3://target/an object' })
  expect((await get(to, 'an object')).equals(BODY)).toBe(true)
  expect(stdout + stderr).not.toMatch(/Signature|X-Amz|\?/)
})

test('functions get no header of the user', async () => {
  const flags = ['s3://target/header', '--source-header', 'X-Token: SECRET']
  const url = host.put('/header', { body: BODY, wants: { 'x-token': 'SECRET' } })
  const here = await copied([url, ...flags])
  expect(here).toMatchObject({ status: 0, plan: { engine: 'local', why: expect.stringContaining('--source-header') } })
  expect(here.stdout + here.stderr).not.toContain('SECRET')
})
