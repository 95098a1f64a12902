'use strict'

/**
 * The memory that bytes of a body pass through: slabs of one size that are used again, each by as many as are named in
 * `users`. A connection reads into one; whoever has to keep a piece of it for longer (a write that the kernel could
 * not take at once) holds the slab until then, and the connection goes on with another.
 */

/** As much as a read brings at best: with a quarter of it a gigabyte costs a quarter more, with twice as much no less. */
const SLAB_BYTES = 1024 * 1024

/**
 * How many free slabs are kept: more than are ever in use at once on one thread. A slab that is dropped stays in memory until
 * garbage is collected, and there is hardly any garbage to start that.
 */
const MOST_FREE = 128

/** @typedef {{ memory: Buffer, users: number }} Slab */

/** Of this thread. @type {Slab[]} */
const free = []

/** @returns {Slab} with its caller as the user */
function takeSlab() {
  const slab = free.pop() ?? { memory: Buffer.allocUnsafeSlow(SLAB_BYTES), users: 0 }
  slab.users = 1
  return slab
}

/** @param {Slab} slab */
function hold(slab) {
  slab.users++
}

/** One user less. @param {Slab} slab */
function release(slab) {
  if (--slab.users === 0 && free.length < MOST_FREE) free.push(slab)
}

module.exports = { hold, release, SLAB_BYTES, takeSlab }
