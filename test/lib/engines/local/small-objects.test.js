'use strict'

/** Whole objects, against a server that breaks off: the memory that they were read into is given back. */

const { once } = require('node:events')
const net = require('node:net')
const { SLAB_BYTES, release, takeSlab } = require('../../../../actions/copy-range/slab')
const { createWhole } = require('../../../../lib/engines/local/small-objects')
const { LOCAL } = require('../../../../lib/engines/local/transports')

const BYTES = 300_000
/** More than there are large slabs in a thread. */
const BROKEN = 20

test('a body that breaks off gives back what it was read into', async () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${BYTES}\r\netag: "x"\r\n\r\n`
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from(head), Buffer.alloc(BYTES / 3)])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const url = `http://127.0.0.1:${server.address().port}/bucket/key`
    const read = { method: 'GET', url, headers: {}, accepts: { statuses: [200] } }
    const expect_ = { etag: '"x"', totalBytes: BYTES }
    const late = () => Promise.reject(new Error('nothing was read that could be written'))
    const task = { partNumber: 1, bytes: BYTES, sums: [], expect: expect_, read, late }
    const copy = createWhole({ local: LOCAL, stallMs: 5_000 })
    const { signal } = new AbortController()
    const outcomes = await copy(
      Array.from({ length: BROKEN }, () => task),
      { signal },
    )
    expect(outcomes.map(({ error }) => [error.code, error.side])).toEqual(
      outcomes.map(() => ['CONNECTION_CUT', 'read']),
    )
    const slab = takeSlab()
    release(slab)
    expect(slab.memory.length).toBe(SLAB_BYTES)
  } finally {
    server.close()
  }
})
