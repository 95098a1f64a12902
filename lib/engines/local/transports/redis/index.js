'use strict'

/**
 * Values of Redis as a store, by URLs `redis:`. The header `x-target` is where it is, as JSON, with the password: it never leaves
 * this process. `x-keys`: the keys that the scripts of lib/redis have, as JSON. `x-error` of a refusal is one of its words.
 *
 * GET: `range`, `if-match`. PUT with `content-range`: a part of a partial value that is there. PUT without it: the whole value,
 * which appears when all of it is there. Headers: `if-none-match: *`, `if-match`, `x-ttl`, `x-life` (of the partial value;
 * milliseconds), `x-about` (names and values, as JSON). Each request has a connection of its own, which ends with it.
 */

const { statusOf, openSession, wordOf } = require('../../../../redis')
const { callOf, refusalOf } = require('../messages')
const { beginRead } = require('./read')
const { beginWrite } = require('./write')

/** @typedef {import('../../../../redis').Session} Session */
/** @typedef {import('../../../../../actions/copy-range/transport').Handlers} Handlers */

/**
 * What a request does with its connection. `stop`: nothing more is wanted of it.
 * @typedef {{ write: (piece: Buffer) => boolean, end: () => void, stop: () => void, start: (session: Session) => Promise<void> }} Exchange
 * @typedef {{ fail: (error: unknown) => void, over: () => boolean, finish: () => void }} Flow finish: the exchange has ended well
 */

/** @type {import('../../../../../actions/copy-range/transport').LocalTransport['begin']} */
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
  return callOf({ write: piece => over || exchange.write(piece), end, destroy: stop })
}

module.exports = { begin }
