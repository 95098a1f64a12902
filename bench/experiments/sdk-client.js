'use strict'

/** The AWS SDK as a client of small objects, in this thread or in threads of its own. This file is also the threads' program. */

const { once } = require('node:events')
const { Worker, parentPort, workerData } = require('node:worker_threads')
const { GetObjectCommand, PutObjectCommand, S3Client } = require('@aws-sdk/client-s3')

/** Of a thread that has failed there is no answer. */
const MOST_MS = 60_000

/** @typedef {import('./client-strategies').Server} Server */
/** @typedef {import('./client-strategies').Client} Client */
/** @typedef {import('./client-strategies').Operation} Operation */

/** @param {Server} server @param {string} bucket @param {number} connections @returns {Client} */
function createSdkClient({ endpoint, region, accessKeyId, secretAccessKey }, bucket, connections) {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { httpAgent: { keepAlive: true, maxSockets: connections } },
  })
  return {
    put: async (name, body) =>
      void (await client.send(new PutObjectCommand({ Bucket: bucket, Key: name, Body: body }))),
    async get(name) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: name }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    close: () => client.destroy(),
  }
}

/**
 * A thread with a client of its own, for one call at a time. `call` awaits its answer; `block` keeps this thread waiting for it.
 *
 * @param {Server} server @param {string} bucket @param {Buffer} body of each object
 */
async function startSdkThread({ endpoint, region, accessKeyId, secretAccessKey }, bucket, body) {
  const state = new Int32Array(new SharedArrayBuffer(4))
  const server = { endpoint, region, accessKeyId, secretAccessKey }
  const thread = new Worker(__filename, { workerData: { server, bucket, body, state } })
  await once(thread, 'online')
  return {
    /** @param {Operation} operation @param {string} name */
    async call(operation, name) {
      thread.postMessage({ operation, name })
      await once(thread, 'message')
    },
    /** @param {Operation} operation @param {string} name */
    block(operation, name) {
      Atomics.store(state, 0, 0)
      thread.postMessage({ operation, name, blocks: true })
      if (Atomics.wait(state, 0, 0, MOST_MS) === 'timed-out') throw new Error(`${operation} of ${name} failed`)
    },
    close: () => thread.terminate(),
  }
}

/** The program of a thread: what fails ends it. @param {import('node:worker_threads').MessagePort} port */
function serve(port) {
  const { server, bucket, body, state } = workerData
  const client = createSdkClient(server, bucket, 1)
  port.on('message', async ({ operation, name, blocks }) => {
    await doOne(client, operation, name, Buffer.from(body))
    if (!blocks) return port.postMessage('done')
    Atomics.store(state, 0, 1)
    Atomics.notify(state, 0)
  })
}

/**
 * @param {Client} client @param {Operation} operation @param {string} name
 * @param {Buffer} body of each object
 * @throws {Error} if another one came back
 */
async function doOne(client, operation, name, body) {
  if (operation === 'put') return await client.put(name, body)
  if (!(await client.get(name)).equals(body)) throw new Error(`get of ${name} brought something else`)
}

if (parentPort && workerData?.state) serve(parentPort)

module.exports = { createSdkClient, doOne, startSdkThread }
