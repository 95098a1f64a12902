'use strict'

const { doctor } = require('../../../../lib')
const { startStore } = require('../../../../sandbox/store')
const { TOKEN, openWorker } = require('../../../support/worker')

const workers = []
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close()
})
async function open() {
  const worker = await openWorker({ places: 5 })
  workers.push(worker)
  return worker.url
}

/** The findings about workers, by their names. @param {object} options */
async function check({ worker, token = TOKEN }) {
  const checks = {}
  const onCheck = ({ name, ...finding }) => {
    checks[name] = finding
  }
  const env = { HOME: __dirname, ...(token && { XFER_TOKEN: token }) }
  const { exitCode } = await doctor(undefined, undefined, { engine: 'http', worker, env, onCheck })
  return { exitCode, ...checks }
}

test('xfer doctor asks every worker, and has each run nothing', async () => {
  expect(await check({ worker: [await open(), await open()] })).toMatchObject({
    exitCode: 0,
    workers: { ok: true, detail: 'All 2 workers answer: places for 10 invocations at once (configured in --worker).' },
    invocation: { ok: true, detail: expect.stringMatching(/^The function answered in \d+( to \d+)? ms\.$/) },
  })
})

test('xfer doctor says which worker does not answer', async () => {
  expect(await check({ worker: [await open(), 'http://127.0.0.1:1'] })).toMatchObject({
    exitCode: 5,
    workers: {
      ok: false,
      detail: expect.stringMatching(/^Only 1 of 2 workers answer, with 5 places\. The worker http:\/\/127\.0\.0\.1:1 /),
      hint: expect.stringContaining('xfer serve'),
    },
    invocation: { ok: null },
  })
})

test('xfer doctor says that the token is refused', async () => {
  expect(await check({ worker: await open(), token: 'another' })).toMatchObject({
    exitCode: 5,
    workers: { ok: false, detail: expect.stringContaining('refuses the token (HTTP 401)') },
  })
})

test('xfer doctor says that no worker is configured, and how one is', async () => {
  expect(await check({})).toMatchObject({
    workers: { ok: true, detail: 'No worker is configured.', hint: expect.stringContaining('xfer serve') },
    invocation: { ok: null, detail: 'Skipped, for no worker is configured.' },
  })
})

test('xfer doctor says where a worker gets its rules, if they refuse a store', async () => {
  const store = await startStore({ buckets: ['bucket'] })
  const worker = await openWorker({ allowHosts: ['*.example.org'] })
  workers.push(worker)
  const findings = {}
  const onCheck = ({ name, ...finding }) => {
    findings[name] = finding
  }
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = store
  const env = { HOME: __dirname, XFER_TOKEN: TOKEN, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
  const source = { endpointUrl: store.endpoint, region: 'us-east-1' }
  try {
    await doctor('s3://bucket', undefined, { engine: 'http', worker: worker.url, env, onCheck, source })
  } finally {
    await store.close()
  }
  expect(findings['source from functions']).toMatchObject({
    ok: false,
    hint: expect.stringContaining('xfer serve'),
  })
})
