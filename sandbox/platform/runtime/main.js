'use strict'

/**
 * One action container: an HTTP server on a free loopback port with POST /init and POST /run, as openwhisk-runtime-nodejs app.js has
 * it on port 8080. Started by ../process-container.js with a socket as file descriptor 3: this process writes its port to it,
 * and exits when it closes, because the platform is gone then.
 */

const http = require('node:http')
const net = require('node:net')
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

/**
 * @param {http.ServerResponse} response
 * @param {number} status
 * @param {unknown} body
 */
function answer(response, status, body) {
  const bytes = Buffer.from(JSON.stringify(body))
  // the invoker ignores an answer without a Content-Length
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length })
  response.end(bytes)
}

/**
 * @param {http.IncomingMessage} request
 * @returns {Promise<any>}
 */
async function readJson(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throw new Error('request entity too large')
    chunks.push(chunk)
  }
  const value = JSON.parse(Buffer.concat(chunks).toString())
  if (typeof value !== 'object' || value === null) throw new Error('not a JSON object')
  return value
}

const server = http.createServer(async (request, response) => {
  try {
    const verb = `${request.method} ${request.url}`
    const call = verb === 'POST /init' ? service.init : verb === 'POST /run' ? service.run : undefined
    if (!call) throw new Error('no such route')
    const reply = await call(await readJson(request))
    answer(response, reply.status, reply.body)
  } catch {
    answer(response, 500, { error: 'Bad request.' })
  }
})
// an activation may take as long as its own limit, and longer if its container is frozen
server.timeout = 0
server.requestTimeout = 0
server.headersTimeout = 0
server.keepAliveTimeout = 0
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  lifeline.write(`${port}\n`)
})
