'use strict'

/**
 * Stands in for actions/copy-range/slab.js: small slabs, so that they change often; memory that nobody uses any more is overwritten at
 * once, and given out again first of all, so that whoever reads it late reads nonsense; and who uses what is counted.
 */

/** Little more than what a connection reads on into. */
const SLAB_BYTES = 100_000

const free = []
const used = new Set()

function takeSlab() {
  const slab = free.pop() ?? { memory: Buffer.allocUnsafeSlow(SLAB_BYTES), users: 0 }
  if (slab.users !== 0) throw new Error('A slab was given out that is used.')
  slab.users = 1
  used.add(slab)
  return slab
}

function hold(slab) {
  if (slab.users < 1) throw new Error('A slab was held that nobody used.')
  slab.users++
}

function release(slab) {
  if (slab.users < 1) throw new Error('A slab was released that nobody used.')
  if (--slab.users > 0) return
  slab.memory.fill('poison')
  used.delete(slab)
  free.push(slab)
}

module.exports = { hold, release, SLAB_BYTES, takeSlab, inUse: () => used.size }
