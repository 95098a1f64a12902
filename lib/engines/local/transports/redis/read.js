'use strict'

const { Failure } = require('../../../../../actions/copy-range/failure')
const { checked, scripts } = require('../../../../redis')
const { contentOf, rangeOf } = require('../messages')

/** Of one command: a longer one would hold up the server's other clients. */
const PIECE_BYTES = 1024 ** 2

/**
 * The key is watched from before its ETag is computed until its last bytes have come: if it was written meanwhile, they are not
 * passed on. https://redis.io/docs/latest/develop/using-commands/transactions/
 *
 * @param {Parameters<import('../../../../../actions/copy-range/transport').LocalTransport['begin']>[0]} request
 * @param {import('./index').Handlers} on
 * @param {import('./index').Flow} flow
 * @returns {import('./index').Exchange}
 */
function beginRead({ headers }, on, flow) {
  const [key] = JSON.parse(headers['x-keys'])
  /** @type {import('./index').Session} */
  let session
  let found = { total: 0, etag: '' }

  async function answer() {
    const { total, etag } = found
    const range = rangeOf(headers, total)
    if ((headers['if-match'] ?? etag) !== etag) checked(['CHANGED'])
    if (!range) return checked(['RANGE'])
    on.answer(contentOf(range, total, etag, bodyOf(range)))
  }

  /** @param {{ start: number, end: number }} range @returns {import('../../../../../actions/copy-range/transport').Body} */
  function bodyOf({ start, end }) {
    /** @type {import('../../../../../actions/copy-range/transport').Taker | undefined} */
    let taker
    let paused = false
    let goOn = () => {}
    /** @returns {Promise<void>} */
    const unpaused = () =>
      new Promise(resolve => {
        goOn = resolve
        if (!paused) resolve()
      })

    async function send() {
      for (let at = start; at < end && !flow.over(); ) {
        const bytes = Math.min(end - at, PIECE_BYTES)
        const piece = await session.command('GETRANGE', key, at, at + bytes - 1)
        at += bytes
        if (piece.length !== bytes) throw changed()
        if (at === end) await checkUnchanged()
        await unpaused()
        if (!flow.over()) taker?.data(piece)
      }
      if (flow.over()) return
      flow.finish()
      taker?.end()
    }
    return {
      start(to) {
        taker = to
        send().catch(error => {
          if (flow.over()) return
          flow.finish()
          on.lost(error)
          to.end()
        })
      },
      pause() {
        paused = true
      },
      resume() {
        paused = false
        goOn()
      },
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
      const [total, etag] = checked(await session.run(scripts.LOOK, [key]))
      found = { total, etag }
    },
    write: () => true,
    end: () => void answer().catch(flow.fail),
    stop() {},
  }
}

module.exports = { beginRead }
