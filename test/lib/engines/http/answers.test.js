'use strict'

/** What a worker, or what stands before it, may answer, and what it means. The servers here say anything, on real sockets. */

const net = require('node:net')
const tls = require('node:tls')
const { VERSION } = require('../../../../actions/copy-range/failure')
const { closing, listen } = require('../../../support/listen')
const { SERVER } = require('../../../support/tls')
const { open: openHttp } = require('../../../../lib/engines/http')

const TOKEN = 'a-token-of-the-tests'
const SIGNED = 'http://store/bucket/key?X-Amz-Signature=5ec2e7'
const REQUEST = { method: 'GET', url: SIGNED, headers: {}, accepts: { statuses: [200] } }
const TASK = { partNumber: 1, bytes: 1, sums: [], read: REQUEST }
const OUTCOME = { partNumber: 1, error: { code: 'BAD_TASK', message: 'It is none.' } }
const ABOUT = { interface: VERSION, places: 3, timeoutMs: 300_000, heartbeatMs: 10_000, payloadBytes: 6_000_000 }

/**
 * A server that reads one request of a connection, and then says what it is told.
 *
 * @param {(request: string, socket: net.Socket) => void} say
 * @param {(onSocket: (socket: net.Socket) => void) => net.Server} [create]
 */
async function startTeller(say, create = net.createServer) {
  const server = create(socket => {
    let text = ''
    socket.setEncoding('latin1').on('data', piece => {
      text += piece
      const [head, body = ''] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (text.includes('\r\n\r\n') && body.length >= length) say(text, socket)
    })
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  return (await listen(server)).port
}

/** @param {number} port @param {string} [scheme] */
function engineOf(port, scheme = 'http') {
  const workers = [`${scheme}://127.0.0.1:${port}`]
  const settings = { where: workers[0], reach: 'local', from: 'a test', workers, token: TOKEN, proxy: () => '' }
  const engine = openHttp(settings, {})
  closing(engine.close)
  return engine
}

/** @param {number} status @param {string} body @param {string[]} [headers] */
const answer = (status, body, headers = []) =>
  [`HTTP/1.1 ${status} Words`, `content-length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n')
const own = code => JSON.stringify({ error: { code, message: 'No.' } })
const HTML = '<html><body>Something went wrong</body></html>'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n \r\n'
const result = more => JSON.stringify({ version: VERSION, outcomes: [OUTCOME], ...more })

/** An error without the token, and without what was signed. @param {any} error */
function expectDiscreet(error) {
  const told = `${error.stack} ${error.hint} ${JSON.stringify(error)} ${error.cause?.stack}`
  expect(told).not.toMatch(/a-token|Signature|5ec2e7/)
}

/** How an invocation fails. @param {number} port */
const failureOf = port =>
  engineOf(port)
    .run([TASK])
    .catch(error => error)

const LOST = { code: 'WORKER_LOST', retryable: true, uncertain: true, blameless: true }
const BUSY = { code: 'PLATFORM_THROTTLED', throttled: true, retryAfterMs: 1_000 }
const ENDS = { retryable: false, uncertain: false }

test.each([
  ['502 of a balancer', answer(502, HTML), LOST],
  ['503 of a worker that ends', answer(503, own('DRAINING')), { ...LOST, uncertain: false }],
  ['500 that says when', answer(500, HTML, ['retry-after: 7']), { ...LOST, retryAfterMs: 7_000 }],
  ['429', answer(429, own('BUSY'), ['retry-after: 1']), BUSY],
  ['401', answer(401, own('TOKEN_REFUSED')), { code: 'PLATFORM_KEY_REFUSED', ...ENDS }],
  ['413 of a balancer', answer(413, HTML), { code: 'PAYLOAD_TOO_LARGE', smaller: true, uncertain: false }],
  ['200 that is a page', answer(200, HTML), LOST],
  ['200 cut within the result', [`${CHUNKED}5\r\n{"ver`], LOST],
  ['the end of the connection', [''], LOST],
  ['another interface', answer(200, result({ version: 1 })), { code: 'ACTION_VERSION', ...ENDS }],
])('an invocation that is answered by %s rejects with the code for it', async (_, said, expected) => {
  const port = await startTeller((_request, socket) => {
    // What is in brackets is followed by the end of the connection.
    if (Array.isArray(said)) socket.end(said[0], 'latin1')
    else socket.write(said, 'latin1')
  })
  const error = await failureOf(port)
  expect(error).toMatchObject({ name: 'XferError', exitCode: 5, ...expected })
  expectDiscreet(error)
})

test('an invocation that is answered by a redirect follows it nowhere', async () => {
  const followed = jest.fn()
  const other = await startTeller(followed)
  const location = `location: http://127.0.0.1:${other}/v1/run?${TOKEN}`
  const port = await startTeller((_, socket) => socket.write(answer(307, '', [location])))
  const error = await failureOf(port)
  expect(error).toMatchObject({ code: 'NOT_A_PLATFORM', message: expect.stringContaining('HTTP 307, a redirect') })
  expectDiscreet(error)
  expect(followed).not.toHaveBeenCalled()
})

test('an invocation that is answered by a body without an end is cut', async () => {
  const piece = `100000\r\n${' '.repeat(0x100000)}\r\n`
  const port = await startTeller((_, socket) => {
    socket.write(CHUNKED)
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })
  await expect(engineOf(port).run([TASK])).rejects.toMatchObject(LOST)
})

test('an invocation where nothing listens has certainly not begun', async () => {
  await expect(engineOf(1).run([TASK])).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE', uncertain: false })
})

test('a certificate that nobody has signed is refused before the token is sent', async () => {
  const seen = jest.fn()
  const port = await startTeller(seen, onSocket => tls.createServer({ key: SERVER, cert: SERVER }, onSocket))
  const refused = { code: 'CERTIFICATE_REFUSED', exitCode: 5, retryable: false }
  await expect(engineOf(port, 'https').limits()).rejects.toMatchObject(refused)
  expect(seen).not.toHaveBeenCalled()
})

test.each([
  ['is of another interface', { interface: 1 }, 'ACTION_VERSION'],
  ['has no places', { places: 0 }, 'NOT_A_PLATFORM'],
  ['is ending', { draining: true }, 'PLATFORM_UNREACHABLE'],
])('a worker that is asked what it is, and %s, is an error', async (_, more, code) => {
  const about = answer(200, JSON.stringify({ ...ABOUT, ...more }))
  const port = await startTeller((_request, socket) => socket.write(about))
  const error = await engineOf(port)
    .limits()
    .catch(error => error)
  expect(error).toMatchObject({ code, exitCode: 5, shared: code === 'PLATFORM_UNREACHABLE' })
  expectDiscreet(error)
})
