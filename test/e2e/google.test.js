'use strict'

/** Google Cloud Storage, as the sandbox's store answers in its mode google: what else it does is in test/golden/places.test.js. */

const { randomBytes } = require('node:crypto')
const { readCustomerKey } = require('../../lib/stores/s3/settings')
const { keep, startDeployed, startStore } = require('../support/opened')
const { openGoogleStore } = require('../support/google')
const { newStateHome } = require('../support/journals')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { MiB, bytesOf } = require('../support/s3')
const gs = require('../support/stores')

const BODY = bytesOf(21 * MiB, 'body')
let google
let platform
let store
beforeAll(async () => {
  ;[google, platform] = await Promise.all([startStore({ mode: 'google', buckets: ['bucket'] }), startDeployed()])
  store = keep(openGoogleStore(google, 'bucket'))
  await gs.put(store, 'object', BODY)
})

/** @param {string[]} args @param {Record<string, string>} [env] */
async function xfer(args, env) {
  const run = await runXfer([...args, '--json'], {
    env: {
      ...{ APIHOST: platform.apihost, AUTH: platform.auth },
      ...{ GS_ACCESS_KEY_ID: google.accessKeyId, GS_SECRET_ACCESS_KEY: google.secretAccessKey },
      ...{ XFER_SOURCE_GS_ENDPOINT_URL: google.endpoint, XFER_DEST_GS_ENDPOINT_URL: google.endpoint },
      ...{ XDG_STATE_HOME: newStateHome(), ...env },
    },
  })
  return { ...run, last: eventsOf(run).at(-1) }
}

test("a customer's own key encrypts and decrypts, and no function gets it", async () => {
  const key = randomBytes(32).toString('base64')
  const given = { XFER_DEST_GS_SSE_C_KEY: key }
  const engine = (name, to) =>
    xfer(['copy', 'gs://bucket/object', `gs://bucket/${to}`, '--chunk', '5', '--engine', name], given)
  const there = await engine('local', 'secret')
  expect(there.status).toBe(0)
  expect(there.last.proof).toContain('store-crc32c')
  const refused = [await engine('openwhisk', 'refused'), await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open'])]
  expect(refused.map(({ last }) => last.code)).toEqual(['USAGE', 'STORE_REFUSED'])
  const back = await xfer(['copy', 'gs://bucket/secret', 'gs://bucket/open', '--engine', 'local'], {
    XFER_SOURCE_GS_SSE_C_KEY: key,
  })
  expect(back.status).toBe(0)
  expect((await gs.get(store, 'open')).equals(BODY)).toBe(true)
  const customerKey = await readCustomerKey('destination', { text: key }, google.endpoint)
  const keyed = keep(openGoogleStore(google, 'bucket', { customerKey }))
  expect((await keyed.head('secret')).bytes).toBe(BODY.length)
})
