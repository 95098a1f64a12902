'use strict'

/**
 * One action container: an HTTP server on a free loopback port with POST /init and POST /run, as openwhisk-runtime-nodejs app.js has
 * it on port 8080. Started by ../process-container.js with a socket as file descriptor 3: this process writes its port to it,
 * and exits when it closes, because the platform is gone then.
 */

const net = require('node:net')
const { createCallServer, readBody, sendAnswer } = require('../../common/calls')
const { createService } = require('./service')

const MAX_BODY_BYTES = 48 * 1024 * 1024

const service = createService()

const lifeline = new net.Socket({ fd: 3, readable: true, writable: true })
lifeline.on('error', () => {})
lifeline.on('close', () => {
  try {
    // the whole group: the action's child processes must not outlive it
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(1)
  }
})
lifeline.resume()

const server = createCallServer(async (request, response) => {
  const { status, body } = await answerTo(request).catch(() => ({ status: 500, body: { error: 'Bad request.' } }))
  sendAnswer(request, response, { status, body: /** @type {object} */ (body) }, {})
})

/** @param {import('node:http').IncomingMessage} request */
async function answerTo(request) {
  const verb = `${request.method} ${request.url}`
  const call = verb === 'POST /init' ? service.init : verb === 'POST /run' ? service.run : undefined
  if (!call) throw new Error('no such route')
  const { bytes } = await readBody(request, MAX_BODY_BYTES)
  return await call(JSON.parse(bytes.toString()))
}

server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  lifeline.write(`${port}\n`)
})
