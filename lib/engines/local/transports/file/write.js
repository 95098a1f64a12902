'use strict'

/** A PUT of a whole file, or of a part in place. */

const { answerOf, placeOf } = require('../messages')
const { openInPlace, openWholeInPlace } = require('./in-place')
const { refuse, withCode } = require('./refusals')
const { openWhole } = require('./whole')
const { createWriter } = require('./writer')

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
  let ended = false
  let over = false
  /** @type {Target | undefined} */
  let target
  /** @type {ReturnType<typeof createWriter> | undefined} */
  let writer

  const openTarget = () => {
    if (start !== undefined) return openInPlace(local, { start, bytes, inode: headers['x-inode'] })
    return headers['x-in-place'] === undefined ? openWhole(local, headers) : openWholeInPlace(local, headers)
  }
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
      writer = createWriter(found.handle, found.start, { drain: on.drain, failed: fail })
      on.open()
    } catch (error) {
      if (over) return
      on.open()
      fail(error)
    }
  }

  void open()
  return {
    reused: false,
    ended: () => ended,
    write: (piece, slab) => (over ? true : (writer?.write(piece, slab) ?? false)),
    flush() {},
    end() {
      ended = true
      if (!over) writer?.end(finish)
    },
    destroy: stop,
    socket: () => undefined,
  }
}

module.exports = { beginWrite }
