'use strict'

/** A GET of a file. */

const { constants } = require('node:fs')
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
    try {
      const handle = await openSource(local, headers)
      if (over) return handle.close()
      content = await contentFrom(handle).catch(error => {
        handle.close()
        throw error
      })
    } catch (error) {
      if (!over) refuse(error, 'read', on)
    }
  }

  /** @param {import('./handle').Handle} handle */
  async function contentFrom(handle) {
    const stats = await handle.stat()
    if (!stats.isFile()) throw withCode('NOT_A_FILE')
    const etag = headers['if-match'] ?? fileEtag(stats)
    if (!isEtagOf(etag, stats)) throw withCode('CHANGED')
    const total = Number(stats.size)
    const range = rangeOf(headers, total)
    if (!range) throw withCode('RANGE')
    const found = bodyOf(handle, range, {
      async check() {
        const longer = range.end === total && (await hasByteAt(handle, total))
        const now = await handle.stat()
        if (OF_VERSION.some(name => now[name] !== stats[name])) throw changed(etag, fileEtag(now))
        if (longer) throw withCode('SIZE')
      },
      shrunk: () => changed(etag, 'a shorter file'),
      lost: error => on.lost(brokenRead(error)),
    })
    if (over) {
      found.stop()
      return found
    }
    on.answer(contentOf(range, total, etag, found.body))
    return found
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
 * Files that the kernel makes as they are read (/proc) have a size of 0.
 * @param {import('./handle').Handle} handle
 * @param {number} at
 * @returns {Promise<boolean>}
 */
function hasByteAt(handle, at) {
  return new Promise((resolve, reject) => {
    handle.read(Buffer.alloc(1), 0, 1, at, (error, bytes) => (error ? reject(error) : resolve(bytes > 0)))
  })
}

/** @param {string} expected @param {string} found */
function changed(expected, found) {
  return new Failure('SOURCE_CHANGED', { side: 'read', expected, found })
}

module.exports = { beginRead }
