'use strict'

/** `xfer serve` as a process of its own, and a relay before it that makes the faults: of the worker, and of what stands between. */

const { once } = require('node:events')
const http = require('node:http')
const { buffer } = require('node:stream/consumers')
const { createRules } = require('../../sandbox/common/rules')
const { serve } = require('./serving')
const { startWorkerProcess } = require('./worker-process')

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

const FIELDS = 'nth first instead signal lose'.split(' ')

/**
 * @typedef {{ status: number, body: (params: any) => string }} Answer
 * @typedef {import('../../sandbox/common/rules').When & { instead?: Answer, signal?: NodeJS.Signals, lose?: boolean }} Fault
 *   Before the worker gets the call: answer in its place. When it has begun: signal, to its process. When it has ended: lose the answer.
 */

/** @param {Parameters<typeof startWorkerProcess>[0] & { faults?: Fault[] }} [how] the rest: of the worker */
async function startFaultyWorker({ faults: initial = [], ...how } = {}) {
  const faults = createRules({ fields: FIELDS, fits: (_, { path }) => path === '/v1/run' }, initial)
  const worker = await startWorkerProcess(how)

  /** @param {Request} request @param {Response} response */
  async function pass(request, response) {
    const { instead, signal, lose } = faults.strike({ path: request.url })
    const body = await buffer(request)
    if (instead) return response.writeHead(instead.status).end(instead.body(JSON.parse(`${body}`)))
    const { url: path, method, headers } = request
    const onward = http.request(`${worker.url}${path}`, { method, headers, agent: false }).end(body)
    response.on('close', () => onward.destroy())
    const [answer] = await once(onward, 'response')
    if (signal) worker.child.kill(signal)
    // An answer to be lost is lost whole.
    const text = await buffer(answer)
    if (lose) return request.socket.destroy()
    response.writeHead(answer.statusCode, answer.headers).end(text)
  }

  const server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => {})
    pass(request, response).catch(() => request.socket.destroy())
  })
  const { endpoint: url, close } = await serve(server)
  return {
    url,
    async close() {
      await close()
      await worker.close()
    },
  }
}

module.exports = { startFaultyWorker }
