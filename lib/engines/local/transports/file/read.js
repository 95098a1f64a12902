'use strict'

/** A GET of a file. */

const { constants, read } = require('node:fs')
const { fileURLToPath } = require('node:url')
const { Failure } = require('../../../../../actions/copy-range/failure')
const { fileEtag, isEtagOf, withPath } = require('../../../../files')
const { callOf, contentOf, rangeOf } = require('../messages')
const { bodyOf } = require('./body')
const { openHandle } = require('./handle')
const { brokenRead, refuse, withCode } = require('./refusals')

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/** What another version of a file has not in common with this one. @type {Array<'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>} */
const OF_VERSION = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs']

/**
 * The file is looked at when it is opened, and again before its last bytes are passed on: if it has changed, or does not end
 * there, they are not.
 *
 * @type {import('../../../../../actions/copy-range/transport').LocalTransport['begin']}
 */
function beginRead({ headers, local }, on) {
  let over = false
  /** @type {ReturnType<typeof bodyOf> | undefined} */
  let content

  async function answer() {
    /** @type {import('./handle').Handle | undefined} */
    let handle
    try {
      handle = await openSource(local, headers)
      const stats = await handle.stat()
      if (over) return handle.close()
      if (!stats.isFile()) throw withCode('NOT_A_FILE')
      const etag = headers['if-match'] ?? fileEtag(stats)
      if (!isEtagOf(etag, stats)) throw withCode('CHANGED')
      const total = Number(stats.size)
      const range = rangeOf(headers, total)
      if (!range) throw withCode('RANGE')
      content = bodyOf(handle, range, {
        check: () => checkUnchanged(/** @type {import('./handle').Handle} */ (handle), stats, { etag, end: range.end }),
        shrunk: () => changed(etag, 'a shorter file'),
        lost: error => on.lost(brokenRead(error)),
      })
      on.answer(contentOf(range, total, etag, content.body))
    } catch (error) {
      handle?.close()
      if (!over) refuse(error, 'read', on)
    }
  }

  on.open()
  return callOf({
    write: () => true,
    end: answer,
    destroy() {
      over = true
      content?.stop()
    },
  })
}

/**
 * Without O_NONBLOCK a named pipe would be waited for.
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local
 * @param {import('../../../../../actions/copy-range/task').WireRequest['headers']} headers
 * @returns {Promise<import('./handle').Handle>}
 */
async function openSource(local, headers) {
  // Links are followed below the root too.
  const path = fileURLToPath(local.url)
  if (headers['x-links'] === 'follow') return await openHandle(path, O_RDONLY | O_NONBLOCK)
  return await withPath(path, local.root, at => openHandle(at, O_RDONLY | O_NONBLOCK | O_NOFOLLOW))
}

/**
 * @param {import('./handle').Handle} handle
 * @param {import('node:fs').BigIntStats} stats as it was opened
 * @param {{ etag: string, end: number }} asked
 * @throws if it is another version, or does not end where it should
 */
async function checkUnchanged(handle, stats, { etag, end }) {
  const total = Number(stats.size)
  // Files that the kernel makes as they are read (/proc) have a size of 0.
  /** @type {number} */
  const more = end === total ? await handle.wait((fd, done) => read(fd, Buffer.alloc(1), 0, 1, total, done)) : 0
  const now = await handle.stat()
  if (OF_VERSION.some(name => now[name] !== stats[name])) throw changed(etag, fileEtag(now))
  if (more > 0) throw withCode('SIZE')
}

/** @param {string} expected @param {string} found */
function changed(expected, found) {
  return new Failure('SOURCE_CHANGED', { side: 'read', expected, found })
}

module.exports = { beginRead }
