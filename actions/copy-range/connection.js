'use strict'

/**
 * A connection that carries one exchange after the other. What arrives is read into memory of our own and
 * passed on as one piece, however many records or packets came together: the cost of moving bytes is a cost per piece.
 */

const { createBodyReader, createHeadReader, Misfit } = require('./http1')
const { release, takeSlab } = require('./slab')

/** @typedef {import('./slab').Slab} Slab */

/**
 * The exchange that a connection is in, and the body of its answer. `on.answer` is called when the head of the answer has come,
 * and its body waits until `resume`; `on.drain` when more can be written, after `write` has answered false. `taker` gets pieces
 * of the body, each valid until the call returns unless its slab is held. `onEnd` is called when all of the answer has come;
 * `onLost` if the connection broke before that, at most once.
 * @typedef {import('./transport').Body & {
 *   on: Pick<import('./transport').Handlers, 'answer' | 'drain'>, taker?: Pick<import('./transport').Taker, 'data'>,
 *   onEnd: () => void, onLost: (error?: Error) => void, answerFirst: boolean
 * }} User
 *
 * `answerFirst`: the answer is preferred to the error. A store that refuses a part half-way answers and closes. The next
 * write to the closed connection fails, often before the answer was read, and Node.js then destroys the socket with the
 * answer in it. So a socket whose write failed is destroyed a moment later, by when the answer is read; at once if no call waits.
 */

/** Where heads and what is not asked for land, of all connections of this thread. @type {Buffer | undefined} */
let scratch
const SCRATCH_BYTES = 65_536

/** A read into less than this share of a slab is not worth its call. */
const LEAST_ROOM = 1 / 4

/** So many writes wait for the kernel at once: one is on its way while the next fills. */
const MOST_WRITES = 2

/** How long to wait for the answer to a broken write. */
const GRACE_MS = 250

/** So many heads of a 1xx may come before an answer. */
const MOST_INTERIM = 100

/**
 * @param {(reading: { onread: import('node:net').OnReadOpts, data: (bytes: Buffer) => void }) => import('node:net').Socket} makeSocket
 *   `onread` is for Node's option of that name, `data` for sockets that do not take it
 * @param {boolean} gathers whether pieces come in small records, several in one turn of the event loop
 */
function createConnection(makeSocket, gathers) {
  /** @type {User | undefined} */
  let user
  const headReader = createHeadReader()
  /** Whether the head of an answer is to come. */
  let awaitsHead = false
  /** @type {import('./http1').BodyReader | undefined} */
  let body
  let persistent = false
  /** No body is read now, or its reader wants no more for the moment. */
  let paused = true
  let closed = false
  /** What ended the connection, where that was an error. @type {Error | undefined} */
  let broken
  /** Between two exchanges, until the next request begins: what comes then answers nothing. */
  let quiet = false
  let interim = 0
  let writes = 0
  /** What has come and was not given on yet, oldest first. @type {Array<{ slab: Slab, from: number, to: number }>} */
  let waiting = []
  /** Where the next bytes land. @type {Slab | undefined} */
  let slab
  let at = 0
  /** @type {NodeJS.Immediate | undefined} */
  let turn

  /** The memory that the next read fills. Node.js calls this at the start and after every read; only then may it change. */
  function landing() {
    if (!body) {
      letGo()
      scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES)
      return scratch
    }
    if (slab && waiting.length === 0 && slab.users === 1) at = 0
    else if (slab && slab.memory.length - at < LEAST_ROOM * slab.memory.length) letGo()
    slab ??= takeSlab()
    return at === 0 ? slab.memory : slab.memory.subarray(at)
  }

  function letGo() {
    if (slab) release(slab)
    slab = undefined
    at = 0
  }

  /** @param {number} bytes that have landed at `at` */
  function landed(bytes) {
    const here = /** @type {Slab} */ (slab)
    const last = waiting.at(-1)
    if (last && last.slab === here && last.to === at) last.to += bytes
    else {
      here.users++
      waiting.push({ slab: here, from: at, to: at + bytes })
    }
    at += bytes
  }

  /** @param {number} length @param {Uint8Array} buffer @returns {boolean} whether to go on reading */
  function onRead(length, buffer) {
    // The caller does not read the body yet. What came with the head is kept.
    if (body && paused) socket.pause()
    if (body && slab && buffer.buffer === slab.memory.buffer) {
      landed(length)
      const room = slab.memory.length - at
      if (gathers && room >= LEAST_ROOM * slab.memory.length) turn ??= setImmediate(giveOn)
      else giveOn()
    } else {
      arrived(/** @type {Buffer} */ (buffer).subarray(0, length))
    }
    return !socket.isPaused()
  }

  /** Bytes that are not in a slab. @param {Buffer} bytes */
  function arrived(bytes) {
    if (quiet) return void socket.destroy()
    let rest = bytes
    try {
      while (awaitsHead && rest.length > 0) {
        const found = headReader.feed(rest)
        if (!found) return
        rest = rest.subarray(found.used)
        const { status, persistent: lasts, headers } = found.head
        const isInterim = status < 200 && status !== 101
        if (isInterim && ++interim > MOST_INTERIM) throw new Misfit('INTERIM')
        if (isInterim) continue
        body = createBodyReader(found.head)
        awaitsHead = false
        persistent = lasts && body.delimited
        user?.on.answer({ status, headers, body: user })
      }
    } catch (error) {
      return lose(/** @type {Error} */ (error))
    }
    if (rest.length === 0) return
    if (!body) return void socket.destroy()
    for (let from = 0; from < rest.length; ) {
      if (slab && slab.memory.length === at) letGo()
      slab ??= takeSlab()
      const copied = rest.copy(slab.memory, at, from)
      landed(copied)
      from += copied
    }
    giveOn()
  }

  /** Gives on what waits, and notices the end. */
  function giveOn() {
    clearImmediate(turn)
    turn = undefined
    while (body && !paused) {
      const piece = waiting.shift()
      if (!piece) break
      const { slab, from, to } = piece
      try {
        const used = body.feed(slab.memory.subarray(from, to), /** @type {User} */ (user), slab)
        // Bytes after an answer belong to no answer.
        if (used < to - from) throw new Misfit('SURPLUS')
      } catch (error) {
        lose(/** @type {Error} */ (error))
      } finally {
        release(slab)
      }
    }
    if (!body || paused) return
    if (!body.ended && !closed) return
    if (!body.ended && (broken || body.delimited)) return lose(broken)
    const ended = /** @type {User} */ (user)
    reset()
    quiet = true
    // The end of the connection shows only while it is read.
    if (!closed) socket.resume()
    ended.onEnd()
  }

  /** @param {Error} [error] */
  function lose(error) {
    const losing = user
    reset()
    persistent = false
    socket?.destroy()
    losing?.onLost(error)
  }

  function reset() {
    clearImmediate(turn)
    turn = undefined
    for (const { slab } of waiting) release(slab)
    waiting = []
    user = undefined
    awaitsHead = false
    body = undefined
    paused = true
  }

  /** Nothing more will come. @param {Error} [error] */
  function onClosed(error) {
    if (closed) return
    closed = true
    broken = error
    // What has arrived may still have to be passed on, and may be everything.
    if (body) giveOn()
    else if (user) lose(error)
  }

  /** @param {Buffer} bytes of a socket without `onread` */
  function onData(bytes) {
    if (body && paused) socket.pause()
    arrived(bytes)
  }

  const socket = makeSocket({ onread: { buffer: landing, callback: onRead }, data: onData })
  socket
    // If TLS did not even open, an error follows that says so.
    .on('end', () => (socket.destroyed ? undefined : onClosed()))
    .on('error', onClosed)
    .on('close', () => {
      onClosed()
      letGo()
    })

  const { destroy } = socket
  socket.destroy = error => {
    const { syscall } = /** @type {NodeJS.ErrnoException} */ (error ?? {})
    if (!user?.answerFirst || syscall !== 'write') return destroy.call(socket, error)
    user.answerFirst = false
    // A failed write marks the reading half as failed too, and it drops what arrives. There is no public way around it.
    const { _readableState: reading } = /** @type {{ _readableState?: { errored: unknown } }} */ (
      /** @type {unknown} */ (socket)
    )
    if (reading) reading.errored = null
    const finish = () => void destroy.call(socket, error)
    const timer = setTimeout(finish, GRACE_MS)
    socket.once('end', finish).once('close', () => clearTimeout(timer))
    return socket
  }

  const connection = {
    socket,
    /** Whether another exchange may follow. */
    usable: () => persistent && !closed && !user && !socket.destroyed && socket.writable && writes === 0,
    /** Bytes that the kernel has not taken: only the handle knows of a part of a write, and of TLS the one below it. */
    unsent() {
      const { _handle: handle } = /** @type {any} */ (socket)
      return socket.writableLength && (handle?._parent ?? handle)?.writeQueueSize
    },
    /** @param {User} next */
    begin(next) {
      user = next
      awaitsHead = true
      interim = 0
    },
    /** Nobody is interested any more. */
    abandon() {
      user = undefined
      lose()
    },
    pause() {
      paused = true
      socket.pause()
    },
    /** Gives the body on from now on. */
    resume() {
      if (!paused) return
      paused = false
      giveOn()
      if (user && !paused) socket.resume()
    },
    /**
     * @param {string} lead what goes before the piece, a character a byte
     * @param {Buffer} [piece]
     * @param {Slab} [from] where the piece is, if that may be used again
     * @returns {boolean} false: enough for now, `drain` will tell
     */
    write(lead, piece, from) {
      let counted = false
      const taken = () => {
        if (!counted) return
        if (from) release(from)
        if (writes-- === MOST_WRITES) user?.on.drain()
      }
      quiet = false
      if (!piece) socket.write(lead, 'latin1', taken)
      else if (lead === '') socket.write(piece, taken)
      else {
        socket.cork()
        socket.write(lead, 'latin1')
        socket.write(piece, taken)
        socket.uncork()
      }
      // The kernel took all of it, and the memory is free.
      if (socket.writableLength === 0) return true
      counted = true
      writes++
      if (from) from.users++
      return writes < MOST_WRITES
    },
  }
  return connection
}

/** @typedef {ReturnType<typeof createConnection>} Connection */

module.exports = { createConnection }
