'use strict'

const fs = require('node:fs')

/**
 * An open file. It is closed once, and only after the calls that are under way: until they return they use its number and the
 * memory that they were given. On a file system that hangs that may take long.
 *
 * @typedef {ReturnType<typeof createHandle>} Handle
 * @param {number} fd
 */
function createHandle(fd) {
  let calls = 0
  let closing = false
  let closed = false
  const closeIfIdle = () => {
    if (!closing || closed || calls > 0) return
    closed = true
    fs.close(fd, () => {})
  }
  /** @template {any[]} R @param {(error: NodeJS.ErrnoException | null, ...rest: R) => void} done */
  const counted = done => {
    calls++
    return (/** @type {NodeJS.ErrnoException | null} */ error, /** @type {R} */ ...rest) => {
      calls--
      done(error, ...rest)
      closeIfIdle()
    }
  }
  /**
   * Waits for a call of node:fs.
   * @template [R=void]
   * @param {(fd: number, done: (error: NodeJS.ErrnoException | null, result: R) => void) => void} call
   * @returns {Promise<R>}
   */
  const wait = call =>
    new Promise((resolve, reject) => {
      if (closing) return reject(isClosed())
      const done = counted((error, /** @type {R} */ result) => (error ? reject(error) : resolve(result)))
      try {
        call(fd, done)
      } catch (error) {
        // An argument that node:fs does not take.
        done(/** @type {NodeJS.ErrnoException} */ (error), /** @type {R} */ (undefined))
      }
    })
  return {
    /** @param {Buffer} memory @param {number} offset @param {number} bytes @param {number} at @param {(error: NodeJS.ErrnoException | null, bytes: number) => void} done */
    read: (memory, offset, bytes, at, done) => fs.read(fd, memory, offset, bytes, at, counted(done)),
    /** @param {Buffer[]} pieces @param {number} at @param {(error: NodeJS.ErrnoException | null, bytes: number) => void} done */
    write: (pieces, at, done) => fs.writev(fd, pieces, at, counted(done)),
    /** @returns {Promise<fs.BigIntStats>} */
    stat: () => wait((fd, done) => fs.fstat(fd, { bigint: true }, done)),
    wait,
    close() {
      closing = true
      closeIfIdle()
    },
  }
}

/** Its number may be another file's by now. */
const isClosed = () => Object.assign(new Error('the file is closed'), { code: 'ECANCELED' })

/**
 * @param {string} path
 * @param {number} flags
 * @param {number} [mode]
 * @returns {Promise<Handle>}
 */
function openHandle(path, flags, mode) {
  return new Promise((resolve, reject) => {
    fs.open(path, flags, mode, (error, fd) => (error ? reject(error) : resolve(createHandle(fd))))
  })
}

module.exports = { openHandle }
