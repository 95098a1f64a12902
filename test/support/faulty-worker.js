'use strict'

/** `xfer serve` as a process of its own, and a relay before it that makes the faults: of the worker, and of what stands between. */

const { once } = require('node:events')
const http = require('node:http')
const { createRules } = require('../../sandbox/common/rules')
const { startWorkerProcess } = require('./worker-process')

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

const FIELDS = 'on nth first probability seed cut instead signal restart lose cutAnswer silent answer'.split(' ')

/**
 * @typedef {{ status: number, body?: string | ((params: any) => string), headers?: Record<string, string> }} Answer default: a page
 * @typedef {import('../../sandbox/common/rules').When & {
 *   on?: 'run' | 'worker', cut?: boolean, instead?: Answer,
 *   signal?: NodeJS.Signals, restart?: boolean, lose?: boolean, cutAnswer?: boolean, silent?: boolean,
 *   answer?: (text: string) => string,
 * }} Fault
 *   on: an invocation (default), or the question what the worker is. Before the worker gets the call: cut the connection, or answer
 *   in its place.
 *   When it has begun: signal, to its process; restart: another one takes its place. When it has ended: lose the answer;
 *   cutAnswer, in its middle; silent: blanks came, and then nothing; answer: what is sent in place of its JSON.
 */

const PATHS = { run: '/v1/run', worker: '/v1/worker' }

/** @param {Parameters<typeof startWorkerProcess>[0] & { faults?: Fault[] }} [how] the rest: of the worker */
async function startFaultyWorker({ faults: initial = [], ...how } = {}) {
  const faults = createRules({ fields: FIELDS, fits: (fault, { path }) => path === PATHS[fault.on ?? 'run'] }, initial)
  let worker = await startWorkerProcess(how)
  /** @type {Promise<unknown>[]} */
  const gone = []

  /** @param {Fault} fault */
  async function strikeProcess({ signal, restart }) {
    const { child, close } = worker
    child.kill(signal)
    gone.push(close)
    if (restart) worker = await startWorkerProcess(how)
  }

  /** @param {Request} request @param {Response} response */
  async function pass(request, response) {
    const fault = faults.strike({ path: request.url })
    const body = await bytesOf(request)
    if (fault.cut) return request.socket.destroy()
    if (fault.instead) {
      const { status, body: page = '', headers = { 'content-type': 'text/html' } } = fault.instead
      return response.writeHead(status, headers).end(typeof page === 'string' ? page : page(JSON.parse(`${body}`)))
    }
    const { url: path, method, headers } = request
    const onward = http.request(`${worker.url}${path}`, { method, headers, agent: false }).end(body)
    response.on('close', () => onward.destroy())
    const [answer] = await once(onward, 'response')
    if (fault.signal) await strikeProcess(fault)
    // An answer to be lost is lost whole.
    if (!fault.lose) response.writeHead(answer.statusCode, headersOf(answer, fault))
    if (fault.silent) response.write(' ')
    const text = `${await bytesOf(answer)}`
    await end(request, response, { fault, text })
  }

  const server = http.createServer((request, response) => {
    for (const stream of [request, response]) stream.on('error', () => {})
    pass(request, response).catch(() => request.socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await Promise.all([...gone, worker.close].map(close => close()))
    },
  }
}

/** What the caller gets of an answer that is there. */
async function end(request, response, { fault: { lose, cutAnswer, silent, answer }, text }) {
  if (silent) return
  if (lose) return request.socket.destroy()
  if (cutAnswer) {
    response.write(text.slice(0, text.length >> 1), () => request.socket.destroy())
    return
  }
  response.end(answer ? answer(text) : text)
}

/** @param {Request} answer @param {Fault} fault */
function headersOf({ headers }, { answer }) {
  const { 'content-length': length, ...others } = headers
  return answer || length === undefined ? others : { ...others, 'content-length': length }
}

/** @param {Request} stream */
async function bytesOf(stream) {
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

module.exports = { startFaultyWorker }
