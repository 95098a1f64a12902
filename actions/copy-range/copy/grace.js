'use strict'

/** How long the answer to a broken write is waited for. */
const GRACE_MS = 250

/**
 * Lets the answer win over the error. A store that refuses a part half-way answers and closes; the write that runs into
 * the closed connection then fails, often before the answer, which has long arrived, was read: and Node.js would destroy
 * the socket, with the answer in it, at that very moment. So a socket whose write failed is kept a little longer.
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
    // A failed write marks the reading half too, which then drops what arrives; there is no public way around it.
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
