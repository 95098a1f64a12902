'use strict'

const { setTimeout: delay } = require('node:timers/promises')

/** @typedef {import('./types').Context} Context */

/**
 * Reads a request's body to its end, with the effects of the fault rules: a rate cap, a cut, a stall.
 *
 * Uses events and not `for await`: the iterator joins buffered pieces into new buffers, and destroys the connection when the
 * loop ends early, so that no answer could be sent.
 *
 * @param {Context} ctx
 * @param {(piece: Buffer) => Promise<unknown> | undefined} consume may throw; reading goes on when its promise resolves
 * @returns {Promise<void>} rejects with what `consume` threw, or when the connection breaks
 */
function pump(ctx, consume) {
  const { req, signal } = ctx
  const { cutAfter, stallAfter } = ctx.effects.request
  const { pace } = ctx.effects
  ctx.continueBody()
  return new Promise((resolve, reject) => {
    /** @param {unknown} [error] */
    function settle(error) {
      req.off('data', onData).off('end', onEnd).off('error', settle)
      signal.removeEventListener('abort', onGone)
      if (error === undefined) resolve()
      else {
        req.pause()
        reject(error)
      }
    }
    function onGone() {
      settle(new Error('the client went away'))
    }
    function onEnd() {
      ctx.bodyRead = true
      settle()
    }
    /** @param {Buffer} piece */
    function onData(piece) {
      ctx.bytesReceived += piece.length
      try {
        if (cutAfter !== undefined && ctx.bytesReceived >= cutAfter) {
          req.socket.destroy()
          return
        }
        const wait = consume(piece)
        if (stallAfter !== undefined && ctx.bytesReceived >= stallAfter) req.pause()
        else if (wait || pace) hold(wait, pace ? pace.take(piece.length) : 0)
      } catch (error) {
        settle(error)
      }
    }
    /** @param {Promise<unknown> | undefined} wait @param {number} ms */
    function hold(wait, ms) {
      req.pause()
      Promise.all([wait, ms >= 1 ? delay(ms, undefined, { signal }) : undefined]).then(() => req.resume(), settle)
    }

    if (signal.aborted) {
      onGone()
      return
    }
    signal.addEventListener('abort', onGone)
    if (cutAfter === 0) req.socket.destroy()
    else if (stallAfter !== 0) req.on('data', onData)
    req.on('end', onEnd).on('error', settle)
  })
}

module.exports = { pump }
