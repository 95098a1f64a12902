'use strict'

/** Stands between xfer and any store over plain HTTP, and misbehaves by the same rules as the sandbox's stores: sandbox/common/faults.js. */

const { EventEmitter, once } = require('node:events')
const http = require('node:http')
const { Transform } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { createFaults } = require('../../sandbox/common/faults')
const { S3 } = require('./ends/s3-dialect')
const { serve } = require('./serving')
const { flipped } = require('../../sandbox/common/content')

/**
 * What a request asks for, in the words of S3, whatever its dialect: `UploadPart` is the write of a part or a block.
 *
 * @typedef {object} Asked
 * @property {string} operation
 * @property {string} [bucketName]
 * @property {string} [key]
 * @property {string} [uploadId]
 * @property {number} [partNumber]
 * @property {Map<string, string>} query
 * @property {(name: string) => string | undefined} header
 *
 * @typedef {object} Dialect
 * @property {(request: http.IncomingMessage) => Asked} read
 * @property {(how: { status: number, code?: string }) => { headers: Record<string, string>, body: string }} refuse
 */

/**
 * Known of a rule: which requests and when; `delayMs`, `status` and `errorInBody` (with `code`, `afterWork`), `cutAfterBytes`,
 * `flipByteAt` but as it is stored, `loseAnswer`, `answerDelayMs`. The rest does nothing. Offsets into framed bodies begin behind the
 * head of their first chunk. Events: `begin` of a request, and `done` when the server has answered it.
 *
 * @param {string} endpoint of the server, http
 * @param {{ dialect?: Dialect }} [how]
 */
async function startFaultyRelay(endpoint, { dialect = S3 } = {}) {
  const { hostname, port } = new URL(endpoint)
  const agent = new http.Agent({ keepAlive: true })
  const faults = createFaults(1)
  const events = new EventEmitter()
  const closing = new AbortController()
  const pause = (/** @type {number} */ ms) => delay(ms, undefined, { signal: closing.signal })

  /** @param {http.IncomingMessage} req @param {http.ServerResponse} res */
  async function pass(req, res) {
    const target = dialect.read(req)
    const effects = faults.strike(target)
    // A listener may hold a request back.
    await Promise.all(events.listeners('begin').map(listener => listener(target)))
    const { refuse, errorInBody, afterWork, delayMs, answerDelayMs } = effects
    const spoiled = refuse
      ? { status: refuse.status, code: refuse.code }
      : errorInBody && { status: 200, code: errorInBody }
    if (delayMs !== undefined) await pause(delayMs)
    if (spoiled && !afterWork) return refuseWith(req, res, spoiled, dialect)
    const onward = http.request({ hostname, port, method: req.method, path: req.url, headers: headersOf(req), agent })
    const framed = req.headers['x-amz-decoded-content-length'] !== undefined
    req.pipe(spoil(effects.request, () => req.socket.destroy(), framed)).pipe(onward)
    req.on('close', () => {
      if (!req.complete) onward.destroy()
    })
    const [answer] = /** @type {[http.IncomingMessage]} */ (await once(onward, 'response'))
    events.emit('done', { ...target, status: answer.statusCode })
    if (answerDelayMs !== undefined) await pause(answerDelayMs)
    if (effects.loseAnswer || spoiled) {
      answer.resume()
      await once(answer, 'end')
      if (!spoiled) return void req.socket.destroy()
      return refuseWith(req, res, spoiled, dialect)
    }
    res.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
    // An answer without a body is to leave at once.
    if (req.method === 'HEAD') res.flushHeaders()
    const good = (answer.statusCode ?? 500) < 300
    answer.pipe(spoil(good ? effects.response : {}, () => req.socket.destroy(), false)).pipe(res)
    answer.on('error', () => req.socket.destroy())
  }

  const server = http.createServer({ keepAliveTimeout: 20_000 }, (req, res) => {
    res.on('error', () => {})
    pass(req, res).catch(() => req.socket.destroy())
  })
  let isCut = false
  server.on('connection', socket => {
    if (isCut) socket.destroy()
  })
  const { endpoint: own, close } = await serve(server)
  return {
    endpoint: own,
    faults,
    /** @param {'begin' | 'done'} event @param {(asked: Asked & { status?: number }) => unknown} listener of `begin`: the request waits for what it returns */
    on: (event, listener) => void events.on(event, listener),
    /** Ends all connections; for a while there are no others. @param {number} ms */
    async cutOff(ms) {
      isCut = true
      server.closeAllConnections()
      await pause(ms).catch(() => {})
      isCut = false
    },
    async close() {
      closing.abort()
      await close()
      agent.destroy()
    },
  }
}

/** As they came: they are signed. @param {http.IncomingMessage} req */
function headersOf({ rawHeaders }) {
  /** @type {Record<string, string[]>} */
  const headers = {}
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (/^(connection|expect)$/i.test(rawHeaders[i])) continue
    headers[rawHeaders[i]] = [...(headers[rawHeaders[i]] ?? []), rawHeaders[i + 1]]
  }
  const named = Object.entries(headers).map(([name, values]) => [name, values.length > 1 ? values : values[0]])
  return Object.fromEntries(named)
}

/** @param {import('../../sandbox/store/faults').BodyEffects} effects @param {() => void} cut @param {boolean} framed */
function spoil({ flipAt, cutAfter }, cut, framed) {
  let [passed, head] = [0, framed ? undefined : 0]
  return new Transform({
    /** @param {Buffer} piece */
    transform(piece, _, done) {
      const at = passed
      passed += piece.length
      if (head === undefined) {
        const end = piece.indexOf('\r\n')
        if (end !== -1) head = at + end + 2
      }
      if (cutAfter !== undefined && passed >= cutAfter) {
        done(null, piece.subarray(0, cutAfter - at))
        return cut()
      }
      done(null, flipAt === undefined || head === undefined ? piece : flipped(piece, head + flipAt - at))
    },
  })
}

/** @param {http.IncomingMessage} req @param {http.ServerResponse} res @param {{ status: number, code?: string }} how @param {Dialect} dialect */
function refuseWith(req, res, how, dialect) {
  req.resume()
  const { headers, body } = dialect.refuse(how)
  const length = { 'Content-Length': Buffer.byteLength(body), Connection: 'close' }
  res.writeHead(how.status, { ...headers, ...length })
  res.end(req.method === 'HEAD' ? undefined : body)
}

module.exports = { startFaultyRelay }
