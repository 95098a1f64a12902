'use strict'

/** Copies from addresses of the web by the real program: through functions, from presigned URLs of a store. */

const { presign } = require('../../lib')
const { startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { bareEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

test('functions read a presigned URL of a store, and its signature is told nowhere', async () => {
  const BODY = bytesOf(12 * 1024 ** 2)
  const [store, platform] = await Promise.all([startStore(), startDeployed()])
  const route = await openRoute({ source: store, platform })
  await put(route.from, 'dir/an object', BODY)
  const { url } = await presign('s3://source/dir/an object', { expires: '10m', env: { ...bareEnv, ...route.env } })
  const run = await runXfer(['copy', url, 's3://target/', '--json', '--chunk', '5'], { env: route.env })
  const events = eventsOf(run)
  expect({ status: run.status, code: events.at(-1).code }).toEqual({ status: 0, code: undefined })
  const plan = { engine: 'openwhisk', destination: 's3://target/an object' }
  expect(events.find(({ type }) => type === 'plan')).toMatchObject(plan)
  expect((await get(route.to, 'an object')).equals(BODY)).toBe(true)
  expect(run.stdout + run.stderr).not.toMatch(/Signature|X-Amz|\?/)
})
