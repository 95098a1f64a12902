'use strict'

/** `xfer doctor`, interrupted while something is under way. */

const { once } = require('node:events')
const http = require('node:http')
const { putRandom } = require('../../sandbox/objects')
const { startStore } = require('../../sandbox/store')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { expectNothingLeft } = require('../support/s3')

const BOTH = ['s3://src/object', 's3://dst/new']

let source
let destination
let base
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore({ buckets: ['src'] }), startStore({ buckets: ['dst'] })])
  base = copyEnv(source, destination)
  await putRandom(source, { bucket: 'src', key: 'object', bytes: 12_345 })
})
afterAll(() => Promise.all([source, destination].map(member => member?.close())))

/** @param {import('node:child_process').ChildProcess} child */
async function stop({ child, ended }) {
  child.kill('SIGINT')
  const { status, stdout, stderr } = await ended
  expect({ status, stderr }).toEqual({ status: 130, stderr: 'xfer: stopping; press Ctrl-C again to exit at once.\n' })
  const last = eventsOf({ stdout }).at(-1)
  expect(last).toMatchObject({
    type: 'error',
    code: 'INTERRUPTED',
    message: 'The check was interrupted.',
    exitCode: 130,
  })
}

test('Ctrl-C ends a question that nobody answers', async () => {
  const server = http.createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const APIHOST = `http://127.0.0.1:${server.address().port}`
  const run = startXfer(['doctor', '--json'], { env: { ...base, APIHOST, AUTH: 'some:key' } })
  await once(server, 'request')
  await stop(run)
  server.closeAllConnections()
  server.close()
})

test('Ctrl-C while an upload is being begun leaves none', async () => {
  // The answer to CreateMultipartUpload is held back until the program has been told to stop.
  let letGo
  const held = new Promise(resolve => {
    letGo = resolve
  })
  const relay = http.createServer((request, response) => {
    const onward = http.request(destination.endpoint + request.url, {
      method: request.method,
      headers: request.headers,
    })
    onward.on('response', async answer => {
      if (request.url.includes('uploads')) {
        relay.emit('begun')
        await held
      }
      answer.pipe(response.writeHead(answer.statusCode, answer.headers))
    })
    request.pipe(onward)
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const env = { ...base, XFER_DEST_ENDPOINT_URL: `http://127.0.0.1:${relay.address().port}` }
  const run = startXfer(['doctor', ...BOTH, '--json'], { env })
  await once(relay, 'begun')
  const stopping = once(run.child.stderr, 'data')
  const stopped = stop(run)
  await stopping
  letGo()
  await stopped
  relay.closeAllConnections()
  relay.close()
  await expectNothingLeft(destination, 'dst')
})
