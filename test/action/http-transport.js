'use strict'

/** The transport over Node's own HTTP: the oracle of the action's own (`actions/copy-range/transport/socket.js`). */

const http = require('node:http')
const https = require('node:https')
const { agentOnRoute } = require('../../actions/copy-range/net')

/** @typedef {import('../../actions/copy-range/transport').Call} Call */

/**
 * @param {import('../../actions/copy-range/task').WireRequest} request
 * @param {{ route: import('../../actions/copy-range/net/routes').Route, fresh: boolean }} how
 * @param {import('../../actions/copy-range/transport').Handlers} on
 * @returns {Call}
 * @throws {NodeJS.ErrnoException} what HTTP cannot carry
 */
function begin({ secure, host, port, path, method, headers }, { route, fresh }, on) {
  const options = { host, port, path, method, headers, agent: agentOnRoute(route), fresh }
  const req = secure ? https.request(options) : http.request(options)
  let over = false
  /** @type {http.IncomingMessage | undefined} */
  let answer
  /** @param {NodeJS.ErrnoException} [error] */
  const lost = error => {
    if (over) return
    over = true
    on.lost(error)
  }
  whenConnected(req, on.open)
  req.on('response', response => {
    answer = response
    response.on('error', lost).on('close', () => {
      if (!response.complete) lost()
    })
    on.answer({ status: Number(response.statusCode), headers: response.headers, body: bodyOf(response) })
  })
  req.on('continue', on.goOn).on('drain', on.drain).on('error', lost)
  req.on('close', () => {
    if (!answer) lost()
  })
  return {
    get reused() {
      return req.reusedSocket
    },
    ended: () => req.writableEnded,
    // As bytes: a head not sent yet would go in the encoding of a string.
    write: piece => req.write(piece),
    flush: () => req.flushHeaders(),
    end: () => void req.end(),
    destroy() {
      over = true
      req.destroy()
    },
    socket: () => req.socket ?? undefined,
  }
}

/** @param {http.IncomingMessage} response @returns {import('../../actions/copy-range/transport').Body} */
function bodyOf(response) {
  return {
    start({ data, end }) {
      let over = false
      const finish = () => {
        if (!over) end()
        over = true
      }
      response
        .on('data', piece => data(piece))
        .on('end', finish)
        .on('close', finish)
      if (response.closed) finish()
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  }
}

/**
 * @param {http.ClientRequest} req
 * @param {() => void} done
 */
function whenConnected(req, done) {
  req.once('socket', socket => {
    const { secureConnecting } = /** @type {{ secureConnecting?: boolean }} */ (/** @type {unknown} */ (socket))
    if (secureConnecting) socket.once('secureConnect', done)
    else if (socket.connecting) socket.once('connect', done)
    else done()
  })
}

module.exports = { begin }
