'use strict'

/** A PUT of a whole file, or of a part of a partial file. */

const { constants } = require('node:fs')
const { fileURLToPath } = require('node:url')
const { withPath } = require('../../../../files')
const { answerOf, callOf, placeOf } = require('../messages')
const { openHandle } = require('./handle')
const { codeOf, refuse, withCode } = require('./refusals')
const { openWhole } = require('./whole')
const { createWriter } = require('./writer')

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants

/**
 * A file that is written. `start`: where; `finish`: everything was written, resolves to the headers of the answer; `drop`:
 * nothing of it is needed any more, also after `finish`.
 * @typedef {{
 *   handle: import('./handle').Handle, start: number, finish: () => Promise<Record<string, string>>, drop: () => void
 * }} Target
 */

/** @type {import('../../../../../actions/copy-range/transport').LocalTransport['begin']} */
function beginWrite({ headers, local }, on) {
  const bytes = Number(headers['content-length'])
  const start = placeOf(headers)
  let over = false
  /** @type {Target | undefined} */
  let target
  /** @type {ReturnType<typeof createWriter> | undefined} */
  let writer

  const openTarget = () =>
    start === undefined ? openWhole(local, headers) : openPart(local, { start, end: start + bytes - 1 })
  /** @param {unknown} error */
  const fail = error => {
    if (over) return
    stop()
    refuse(error, 'write', on)
  }
  const stop = () => {
    over = true
    writer?.stop()
    target?.drop()
  }
  const finish = async () => {
    try {
      if (writer?.written() !== bytes) throw withCode('LENGTH')
      const headers = await target?.finish()
      if (over) return
      stop()
      on.answer(answerOf(200, headers))
    } catch (error) {
      fail(error)
    }
  }
  const open = async () => {
    try {
      const found = await openTarget()
      if (over) return found.drop()
      target = found
      writer = createWriter(found.handle, found.start, { drain: () => on.drain(), failed: fail })
      on.open()
    } catch (error) {
      if (over) return
      on.open()
      fail(error)
    }
  }

  void open()
  return callOf({
    write: (piece, slab) => (over ? true : (writer?.write(piece, slab) ?? false)),
    end() {
      if (!over) writer?.end(finish)
    },
    destroy: stop,
  })
}

/**
 * Opens a file that is there, to write a part of it. What makes the whole durable is done once, when all parts are there.
 *
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local
 * @param {{ start: number, end: number }} part end: of the last byte
 * @returns {Promise<Target>}
 * @throws {NodeJS.ErrnoException} with the code NOT_A_FILE for a socket, or a named pipe that nobody reads
 */
async function openPart({ url, root }, { start, end }) {
  const open = (/** @type {string} */ path) => openHandle(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
  const handle = await withPath(fileURLToPath(url), root, open).catch(error => {
    throw codeOf(error) === 'ENXIO' ? withCode('NOT_A_FILE') : error
  })
  return { handle, start, finish: async () => ({ etag: `"${start}-${end}"` }), drop: handle.close }
}

module.exports = { beginWrite }
