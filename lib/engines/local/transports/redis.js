'use strict'

/**
 * Values of Redis as a store, by URLs `redis:`. The header `x-target` is where it is, as JSON, with the password: it never leaves
 * this process. `x-keys`: the keys that the scripts of lib/redis have, as JSON. `x-error` of a refusal is one of its words.
 *
 * GET: `range`, `if-match`. PUT with `content-range`: a part of a partial value that is there. PUT without it: the whole value,
 * which appears when all of it is there. Headers: `if-none-match: *`, `if-match`, `x-ttl`, `x-life` (of the partial value;
 * milliseconds), `x-about` (names and values, a character for each byte, as JSON). Each request has a connection of its own, which ends with it.
 */

const { Failure } = require('../../../../actions/copy-range/failure')
const { statusOf, openSession, wordOf, checked, scripts } = require('../../../redis')
const { answerOf, bodyOf, contentOf, placeOf, rangeOf, refusalOf } = require('./messages')

/** @typedef {import('../../../redis').Session} Session */
/** @typedef {import('../../../../actions/copy-range/transport').Handlers} Handlers */

/**
 * What a request does with its connection. `stop`: nothing more is wanted of it.
 * @typedef {{ write: (piece: Buffer) => boolean, end: () => void, stop: () => void, start: (session: Session) => Promise<void> }} Exchange
 * @typedef {{ fail: (error: unknown) => void, over: () => boolean, finish: () => void }} Flow finish: the exchange has ended well
 */

/** @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']} */
function begin(request, on) {
  let over = false
  let open = false
  let close = () => {}
  /** @param {unknown} error */
  const fail = error => {
    if (over) return
    stop()
    const word = wordOf(error)
    if (word === undefined) return on.lost(/** @type {NodeJS.ErrnoException} */ (error))
    if (!open) on.open()
    on.answer(refusalOf(statusOf(word), word))
  }
  const stop = () => {
    if (over) return
    over = true
    exchange.stop()
    close()
  }
  const flow = { fail, over: () => over, finish: stop }
  /** @type {Exchange} */
  const exchange = (request.method === 'GET' ? beginRead : beginWrite)(request, on, flow)

  const connect = async () => {
    const target = JSON.parse(request.headers['x-target'])
    const session = await openSession(target, { onClient: end => (close = end) })
    await exchange.start(session)
    if (over) return
    open = true
    on.open()
  }
  const end = () => {
    if (!over) exchange.end()
  }
  connect().catch(fail)
  return { write: piece => over || exchange.write(piece), end, destroy: stop }
}

/** Of one command: a longer one would hold up the server's other clients. */
const PIECE_BYTES = 1024 ** 2

/**
 * The key is watched from before its ETag is computed until its last bytes have come: if it was written meanwhile, they are not
 * passed on. https://redis.io/docs/latest/develop/using-commands/transactions/
 *
 * @param {Parameters<import('../../../../actions/copy-range/transport').LocalTransport['begin']>[0]} request
 * @param {Handlers} on
 * @param {Flow} flow
 * @returns {Exchange}
 */
function beginRead({ headers }, on, flow) {
  const [key] = JSON.parse(headers['x-keys'])
  /** @type {Session} */
  let session
  let found = { total: 0, etag: '' }

  /** @type {ReturnType<typeof bodyOf> | undefined} */
  let content

  async function answer() {
    const { total, etag } = found
    const range = rangeOf(headers, total)
    if ((headers['if-match'] ?? etag) !== etag) checked(['CHANGED'])
    if (!range) return checked(['RANGE'])
    content = bodyOf(piecesOf(range), { close: flow.finish, lost: error => on.lost(/** @type {Error} */ (error)) })
    on.answer(contentOf(range, total, etag, content.body))
  }

  /** @param {{ start: number, end: number }} range */
  async function* piecesOf({ start, end }) {
    for (let at = start; at < end; ) {
      const bytes = Math.min(end - at, PIECE_BYTES)
      const piece = await session.command('GETRANGE', key, at, at + bytes - 1)
      at += bytes
      if (!Buffer.isBuffer(piece) || piece.length !== bytes) throw changed()
      if (at === end) await checkUnchanged()
      yield { bytes: piece }
    }
  }

  async function checkUnchanged() {
    await session.command('MULTI')
    if (!(await session.command('EXEC'))) throw changed()
  }

  function changed() {
    return new Failure('SOURCE_CHANGED', { side: 'read', expected: found.etag, found: 'another value' })
  }

  return {
    async start(opened) {
      session = opened
      await session.command('WATCH', key)
      const [total, etag] = checked(await session.run(scripts.LOOK, [key]), 'count', 'etag')
      found = { total, etag }
    },
    write: () => true,
    end: () => void answer().catch(flow.fail),
    stop: () => content?.stop(),
  }
}

/** With so much sent and not answered the source is to wait. */
const MOST_BYTES = 4 * PIECE_BYTES

/**
 * @param {Parameters<import('../../../../actions/copy-range/transport').LocalTransport['begin']>[0]} request
 * @param {Handlers} on
 * @param {Flow} flow
 * @returns {Exchange}
 */
function beginWrite({ headers }, on, flow) {
  /** @type {string[]} */
  const keys = JSON.parse(headers['x-keys'])
  const [partial] = keys
  const place = placeOf(headers)
  const life = headers['x-life']
  /** @type {Session} */
  let session
  /** Not sent yet. @type {Buffer[]} */
  let waiting = []
  let waitingBytes = 0
  let sentTo = place ?? 0
  let unanswered = 0
  let full = false
  let leftover = false
  /** @type {Array<Promise<void>>} */
  const sent = []

  function send() {
    const piece = Buffer.concat(waiting)
    const at = sentTo
    waiting = []
    waitingBytes = 0
    sentTo += piece.length
    unanswered += piece.length
    const answered = session.run(scripts.WRITE, [partial], [at, piece, life]).then(found => {
      unanswered -= piece.length
      checked(found)
      if (!full || unanswered >= MOST_BYTES || flow.over()) return
      full = false
      on.drain()
    })
    answered.catch(flow.fail)
    sent.push(answered)
  }

  async function finish() {
    if (waitingBytes > 0) send()
    await Promise.all(sent)
    if (flow.over()) return
    if (place !== undefined) {
      checked(await session.run(scripts.NOTE, keys, [headers['x-part'], headers['content-length'], life]))
      return answer({})
    }
    const condition = headers['if-match'] ?? (headers['if-none-match'] ? '*' : '')
    const about = JSON.parse(headers['x-about']).map((/** @type {string} */ text) => Buffer.from(text, 'latin1'))
    const args = [condition, headers['x-ttl'], headers['content-length'], '', ...about]
    const [etag] = checked(await session.run(scripts.COMMIT, keys, args), 'etag')
    leftover = false
    answer({ etag })
  }

  /** @param {Record<string, string>} told */
  function answer(told) {
    if (flow.over()) return
    flow.finish()
    on.answer(answerOf(200, told))
  }

  return {
    async start(opened) {
      session = opened
      if (place !== undefined) return
      leftover = true
      await session.run(scripts.BEGIN, keys, [life])
    },
    write(piece) {
      // It is valid until this returns.
      waiting.push(Buffer.from(piece))
      waitingBytes += piece.length
      if (waitingBytes >= PIECE_BYTES) send()
      full = unanswered >= MOST_BYTES
      return !full
    },
    end: () => void finish().catch(flow.fail),
    // It is sent before the connection ends; if it is not, the partial value lapses.
    stop: () => void (leftover && session.command('UNLINK', partial).catch(() => {})),
  }
}

module.exports = { begin }
