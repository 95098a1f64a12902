'use strict'

/**
 * The memory that bytes of a body pass through: slabs of one size that are used again, each by as many as are named in
 * `users`. A connection reads into one; whoever has to keep a piece of it for longer (a write that the kernel could
 * not take at once) holds the slab until then, and the connection goes on with another.
 */

/** As much as a read brings at best: with a quarter of it a gigabyte costs a tenth more, with twice as much no less. */
const SLAB_BYTES = 1024 * 1024
const SMALL_BYTES = SLAB_BYTES / 4

/**
 * How many slabs of a thread are large: about what two busy connections to each store use. Beyond that they are small, so
 * that twice as many connections, which may not help, take little more memory.
 */
const MOST_LARGE = 8

/**
 * How many free slabs of a size are kept: more than are ever in use at once on one thread. A slab that is dropped stays in
 * memory until garbage is collected, and there is hardly any garbage to start that.
 */
const MOST_FREE = 128

/** users: how many hold it; each adds one, and calls `release` in the end. @typedef {{ memory: Buffer, users: number }} Slab */

/** Of this thread. @type {Slab[]} */
const large = []
/** @type {Slab[]} */
const small = []
let largeMade = 0

/** @returns {Slab} of SLAB_BYTES or fewer, with its caller as the user */
function takeSlab() {
  const isLarge = large.length > 0 || largeMade < MOST_LARGE
  const slab = (isLarge ? large : small).pop()
  if (slab) {
    slab.users = 1
    return slab
  }
  if (isLarge) largeMade++
  return { memory: Buffer.allocUnsafeSlow(isLarge ? SLAB_BYTES : SMALL_BYTES), users: 1 }
}

/** One user less. @param {Slab} slab */
function release(slab) {
  if (--slab.users > 0) return
  const free = slab.memory.length === SLAB_BYTES ? large : small
  if (free.length < MOST_FREE) free.push(slab)
}

module.exports = { release, SLAB_BYTES, takeSlab }
