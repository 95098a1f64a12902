'use strict'

/** How long to wait for the answer to a broken write. */
const GRACE_MS = 250

/**
 * Prefers the answer to the error. A store that refuses a part half-way answers and closes. The next write to the closed
 * connection fails, often before the answer was read, and Node.js then destroys the socket with the answer in it. So a
 * socket whose write failed is kept a little longer.
 * @param {import('node:net').Socket} socket
 * @param {AbortSignal} signal ends the wait
 * @returns {() => void} makes it an ordinary socket again
 */
function answerBeforeError(socket, signal) {
  const { destroy } = socket
  const restore = () => {
    socket.destroy = destroy
  }
  socket.destroy = error => {
    const { syscall } = /** @type {NodeJS.ErrnoException} */ (error ?? {})
    restore()
    if (syscall !== 'write' || signal.aborted) return socket.destroy(error)
    // A failed write marks the reading half as failed too, and it drops what arrives. There is no public way around it.
    const { _readableState: reading } = /** @type {{ _readableState?: { errored: unknown } }} */ (
      /** @type {unknown} */ (socket)
    )
    if (reading) reading.errored = null
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      socket.off('end', finish)
      socket.destroy(error)
    }
    const timer = setTimeout(finish, GRACE_MS)
    signal.addEventListener('abort', finish, { once: true })
    socket.once('end', finish)
    return socket
  }
  return restore
}

module.exports = { answerBeforeError }
