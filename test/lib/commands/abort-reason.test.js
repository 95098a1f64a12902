'use strict'

/** What a signal was aborted with is the cause of the error, and the same object. */

const { once } = require('node:events')
const net = require('node:net')
const { Readable } = require('node:stream')
const { text } = require('node:stream/consumers')
const xfer = require('../../../lib')
const { bareEnv, copyEnv } = require('../../support/run-xfer')

let server
let env
beforeEach(async () => {
  server = net.createServer(socket => socket.on('error', () => {}).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  const store = { endpoint, accessKeyId: 'id', secretAccessKey: 'key', region: 'us-east-1' }
  env = { ...bareEnv, ...copyEnv(store, store, { apihost: endpoint, auth: 'id:key' }) }
})
afterEach(() => server.close())

const [A, B] = ['s3://source/x', 's3://target/x']

/** What a program may abort with. */
class OwnReason {
  constructor() {
    this.why = 'the user went away'
  }
}

const CALLS = {
  copy: options => xfer.copy(A, B, { ...options, engine: 'local' }),
  copyPrefix: options => xfer.copyPrefix('s3://source/x/', 's3://target/x/', { ...options, engine: 'local' }),
  move: options => xfer.move(A, B, { ...options, engine: 'local' }),
  verify: options => xfer.verify(A, B, { ...options, engine: 'local' }),
  upload: options => xfer.upload(Readable.from([Buffer.from('a')]), B, options),
  download: options => text(xfer.download(A, options)),
  head: options => xfer.head(A, options),
  remove: options => xfer.remove(A, options),
  makeBucket: options => xfer.makeBucket('s3://target', options),
  deploy: options => xfer.deploy({ ...options, engine: 'openwhisk' }),
}

const REASONS = [new OwnReason(), new DOMException('late', 'TimeoutError'), Object.assign(new Error('x'), { a: 1 })]

test.each(Object.keys(CALLS))('of %s, aborted before it began', async name => {
  for (const reason of REASONS) {
    const error = await CALLS[name]({ env, signal: AbortSignal.abort(reason) }).catch(error => error)
    expect(error).toMatchObject({ code: 'INTERRUPTED' })
    expect(error.cause).toBe(reason)
  }
})

test.each(['head', 'deploy'])(
  'of %s, aborted while its peer keeps silent',
  async name => {
    const [reason] = REASONS
    const controller = new AbortController()
    const ended = CALLS[name]({ env, signal: controller.signal }).catch(error => error)
    const [socket] = await once(server, 'connection')
    await once(socket, 'data')
    controller.abort(reason)
    const error = await ended
    expect(error).toMatchObject({ code: 'INTERRUPTED' })
    expect(error.cause).toBe(reason)
  },
  30_000,
)
