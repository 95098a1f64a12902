'use strict'

const { checked, scripts } = require('../../../../redis')
const { answerOf, placeOf } = require('../messages')

/** Of one command. */
const PIECE_BYTES = 1024 ** 2
/** With so much sent and not answered the source is to wait. */
const MOST_BYTES = 4 * PIECE_BYTES

/**
 * @param {Parameters<import('../../../../../actions/copy-range/transport').LocalTransport['begin']>[0]} request
 * @param {import('./index').Handlers} on
 * @param {import('./index').Flow} flow
 * @returns {import('./index').Exchange}
 */
function beginWrite({ headers }, on, flow) {
  /** @type {string[]} */
  const keys = JSON.parse(headers['x-keys'])
  const [partial] = keys
  const place = placeOf(headers)
  const life = headers['x-life']
  /** @type {import('./index').Session} */
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
    const about = JSON.parse(headers['x-about'])
    const args = [condition, headers['x-ttl'], headers['content-length'], '', ...about]
    const [etag] = checked(await session.run(scripts.COMMIT, keys, args))
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

module.exports = { beginWrite }
