'use strict'

/**
 * How requests travel: over sockets of our own, or by a transport of the caller. A transport has one function, `begin`: it gets
 * a connection and sends nothing yet. It reports to the `Handlers`, and is controlled by the `Call`.
 */

const { closeAgents } = require('../net')
const { begin } = require('./socket')
const { Misfit } = require('./head')
const { closeIdle } = require('./pool')
const { hold, release, SLAB_BYTES, takeSlab } = require('./slab')

/** @typedef {import('./slab').Slab} Slab */

/**
 * Takes the body of an answer. `data` gets pieces that are valid until it returns or, if they have a slab, as long as that is
 * held. `end` is called once, also if the body broke off: `lost` was called before.
 * @typedef {{ data: (piece: Buffer, slab?: Slab) => void, end: () => void }} Taker
 *
 * @typedef {{ start: (taker: Taker) => void, pause: () => void, resume: () => void }} Body no piece is passed on before `start`
 *
 * The head of an answer, and its body.
 * @typedef {{ status: number, headers: Record<string, string | string[] | undefined>, body: Body }} Answer headers: by their
 *   names in lower case
 *
 * @typedef {object} Handlers
 * @property {() => void} open the connection is open; may be called before `begin` has returned
 * @property {(answer: Answer) => void} answer the final one
 * @property {() => void} goOn a 100 came
 * @property {() => void} drain more may be written
 * @property {(error?: NodeJS.ErrnoException) => void} lost the connection broke before the end of the answer; at most once
 *
 * @typedef {object} Call
 * @property {boolean} reused whether the connection had carried another exchange
 * @property {() => boolean} ended whether the whole request was written
 * @property {(piece: Buffer, slab?: Slab) => boolean} write false: no more until `drain`
 * @property {() => void} flush sends what was written so far, at least the head
 * @property {() => void} end ends the request
 * @property {() => void} destroy the connection is closed unless the answer has ended; no handler is called any more
 * @property {() => void} [answerFirst] of a write that fails the answer counts, if it comes soon; absent: it always does
 *
 * Carries requests over no network, to files and memory of this machine. Only a caller in this process can give one.
 * @typedef {{ begin: (request: import('../task').WireRequest & { local: import('../task').LocalTarget }, on: Handlers) => Call }} LocalTransport
 *
 * @typedef {Record<string, LocalTransport>} LocalTransports by the scheme of URLs, with its colon
 */

/** Closes every idle connection. */
function closeConnections() {
  closeIdle()
  closeAgents()
}

module.exports = { begin, closeConnections, hold, Misfit, release, SLAB_BYTES, takeSlab }
