'use strict'

/**
 * Reads a file past the cache of the kernel (O_DIRECT), so that the bytes come from the disk. Offset, length and address must then
 * be multiples of the file system's block, https://man7.org/linux/man-pages/man2/open.2.html. Node.js tells no addresses: where in
 * a piece of memory a block may begin is found out by trying.
 */

const fs = require('node:fs')
const { SLAB_BYTES } = require('../../../../../actions/copy-range/transport')
const { openHandle } = require('./handle')
const { codeOf, withCode } = require('./refusals')

/** No file system asks for more. */
const BLOCK = 4096
/** How far apart the places are that are tried: memory never begins between them. */
const STEP = 16
/** What is kept of the memory that nobody uses: more than is ever in use at once. */
const MOST_FREE = 128

const { O_DIRECT } = fs.constants

/** Memory for a read of a slab and of the blocks around it, and where a block may begin in it. @typedef {{ bytes: Buffer, at: number }} Memory */

/** Of this thread. @type {Memory[]} */
const free = []

/**
 * @param {string} path
 * @param {number} flags
 * @returns {Promise<import('./handle').Handle | undefined>} undefined: the system or the file system cannot do it
 */
async function openDirect(path, flags) {
  if (O_DIRECT === undefined) return undefined
  const opened = await openHandle(path, flags | O_DIRECT).catch(unlessUnfit)
  if (!opened) return undefined
  const handle = inBlocks(opened)
  try {
    // A pipe would lose what is read of it.
    if ((await handle.stat()).isFile() && (await handle.works())) return handle
    handle.close()
  } catch (error) {
    handle.close()
    throw error
  }
}

/** @param {unknown} error @returns {undefined} */
function unlessUnfit(error) {
  if (codeOf(error) !== 'EINVAL') throw error
}

/**
 * The same handle, which reads whole blocks into memory of its own, and copies what was asked for.
 *
 * @param {import('./handle').Handle} handle
 */
function inBlocks(handle) {
  /** @type {WeakSet<Memory>} */
  const fitting = new WeakSet()
  let closed = false

  /** @param {Memory} memory @param {number} start @param {number} length @returns {Promise<number>} how many bytes came */
  function readBlocks({ bytes, at }, start, length) {
    return new Promise((resolve, reject) => {
      // Its number may be another file's by now.
      if (closed) return reject(withCode('ECANCELED'))
      handle.read(bytes, at, length, start, (error, read) => (error ? reject(error) : resolve(read)))
    })
  }

  /** Moves `memory.at` on to where a block may begin. @param {Memory} memory @returns {Promise<boolean>} false: nowhere */
  async function findPlace(memory) {
    for (let at = memory.at; at < BLOCK; at += STEP) {
      if ((await readBlocks({ ...memory, at }, 0, BLOCK).catch(unlessUnfit)) === undefined) continue
      memory.at = at
      fitting.add(memory)
      return true
    }
    return false
  }

  /** @param {Buffer} target @param {number} offset @param {number} length @param {number} start */
  async function read(target, offset, length, start) {
    return await withMemory(async memory => {
      // It may be new, or have served a file system with smaller blocks.
      if (!fitting.has(memory) && !(await findPlace(memory))) throw withCode('EINVAL')
      const before = start % BLOCK
      const blocks = Math.ceil((before + length) / BLOCK) * BLOCK
      const found = (await readBlocks(memory, start - before, blocks)) - before
      const bytes = Math.max(0, Math.min(found, length))
      memory.bytes.copy(target, offset, memory.at + before, memory.at + before + bytes)
      return bytes
    })
  }

  return {
    ...handle,
    /** @returns {Promise<boolean>} */
    works: () => withMemory(findPlace),
    /** @type {import('./handle').Handle['read']} */
    read(memory, offset, bytes, at, done) {
      read(memory, offset, bytes, at).then(
        found => done(null, found),
        error => done(error, 0),
      )
    },
    close() {
      closed = true
      handle.close()
    },
  }
}

/** @template T @param {(memory: Memory) => Promise<T>} use */
async function withMemory(use) {
  const memory = free.pop() ?? { bytes: Buffer.allocUnsafeSlow(SLAB_BYTES + 3 * BLOCK), at: 0 }
  try {
    return await use(memory)
  } finally {
    if (free.length < MOST_FREE) free.push(memory)
  }
}

module.exports = { openDirect }
