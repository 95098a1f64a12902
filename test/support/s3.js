'use strict'

/** What suites do with a store that speaks S3 besides copying: buckets, requests played, objects written and read back. */

const { gcs } = require('../../lib/stores/gcs')
const { createS3Store } = require('../../lib/stores/s3/store')
const { call } = require('../sandbox/store/support')
const stores = require('./stores')

const MiB = 1024 ** 2

/** @typedef {{ endpoint: string, accessKeyId: string, secretAccessKey: string, region: string }} Access */

/**
 * xfer's own store for a server's bucket.
 *
 * @param {Access} access
 * @param {string} bucket
 * @param {object} [settings] over the usual ones; see SideSettings
 * @param {() => number} [now]
 */
function openStore({ endpoint, accessKeyId, secretAccessKey, region }, bucket, settings = {}, now = undefined) {
  const credentials = { accessKeyId, secretAccessKey }
  return createS3Store({
    bucket,
    now,
    dialects: gcs.dialects,
    settings: {
      side: 'destination',
      endpoint,
      region,
      addressing: 'auto',
      credentials: async () => credentials,
      requestPayer: false,
      ...settings,
    },
  })
}

/** Those that are not there yet. @param {Access} access @param {...string} buckets */
async function createBuckets(access, ...buckets) {
  for (const bucket of buckets) {
    const port = Number(new URL(access.endpoint).port)
    const { status, text } = await call({ ...access, port }, { method: 'PUT', path: `/${bucket}` })
    if (status !== 200 && !text.includes('BucketAlreadyOwnedByYou'))
      throw new Error(`no bucket is made: ${status} ${text}`)
  }
}

/**
 * Plays a signed request as anybody could who has it.
 *
 * @param {{ method: string, url: string, headers: Record<string, string>, framing?: { trailer: string } }} request
 * @param {Buffer} [bytes] of a write, before framing
 * @returns {Promise<{ status: number, headers: Record<string, string>, body: Buffer, code?: string }>}
 */
async function play(request, bytes) {
  const answer = await stores.send(request, bytes && stores.bodyFor(request, bytes))
  if (answer.status < 300) return answer
  return { ...answer, code: /<Code>(.*?)<\/Code>/.exec(answer.body.toString('latin1'))?.[1] }
}

/** Nothing is in a bucket, and nothing was begun in it. @param {any} server @param {string} bucket */
async function expectNothingLeft(server, bucket) {
  const store = openStore(server, bucket)
  const { uploads } = await store.upload.pending({ prefix: '' })
  const { objects } = await store.list({ prefix: '' })
  store.close()
  expect({ uploads, objects }).toEqual({ uploads: [], objects: [] })
}

module.exports = { ...stores, MiB, createBuckets, expectNothingLeft, openStore, play }
