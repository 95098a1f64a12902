'use strict'

/** Whole objects, against a server that breaks off: the memory that they were read into is given back. */

const net = require('node:net')
const { SLAB_BYTES, release, takeSlab } = require('../../../../actions/copy-range/slab')
const { createWhole } = require('../../../../lib/engines/local/here')
const { listen } = require('../../../support/listen')
const { LOCAL } = require('../../../../lib/engines/local/transports')

const BYTES = 300_000
/** More than there are large slabs in a thread. */
const BROKEN = 20

/** A store that answers each request as `answer` does, in one piece. @param {(request: string) => string | Buffer} answer */
async function serve(answer) {
  const server = net.createServer(socket => socket.once('data', data => socket.end(answer(data.toString()))))
  return `${(await listen(server)).url}/bucket/key`
}

test('bytes that are not what the source keeps are not written, and an abort waits for no signature', async () => {
  const asked = []
  const url = await serve(request => {
    asked.push(request.slice(0, 3))
    return 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\netag: "x"\r\nconnection: close\r\n\r\nbytes'
  })
  const request = { url, headers: {}, accepts: { statuses: [200] } }
  const write = { ...request, method: 'PUT' }
  const late = async ({ digest }) => ({ write, sums: digest(['crc32']), expect: { crc32: '00000000' } })
  const task = {
    ...{ partNumber: 1, bytes: 5, sums: [], late },
    ...{ expect: { etag: '"x"', totalBytes: 5 }, read: { ...request, method: 'GET' } },
  }
  const [{ error }] = await createWhole({ local: LOCAL })([task], new AbortController())
  expect({ code: error.code, side: error.side, asked }).toEqual({ code: 'SUM_MISMATCH', side: 'read', asked: ['GET'] })
  const ended = new AbortController()
  task.late = () => new Promise(() => ended.abort())
  expect(await createWhole({ local: LOCAL })([task], ended)).toMatchObject([{ error: { code: 'CANCELLED' } }])
})

test('a body that breaks off gives back what it was read into', async () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${BYTES}\r\netag: "x"\r\n\r\n`
  const url = await serve(() => Buffer.concat([Buffer.from(head), Buffer.alloc(BYTES / 3)]))
  const read = { method: 'GET', url, headers: {}, accepts: { statuses: [200] } }
  const late = () => Promise.reject(new Error('nothing was read that could be written'))
  const task = { partNumber: 1, bytes: BYTES, sums: [], expect: { etag: '"x"', totalBytes: BYTES }, read, late }
  const copy = createWhole({ local: LOCAL, stallMs: 5_000 })
  const { signal } = new AbortController()
  const outcomes = await copy(Array(BROKEN).fill(task), { signal })
  expect(outcomes.map(({ error }) => [error.code, error.side])).toEqual(outcomes.map(() => ['CONNECTION_CUT', 'read']))
  const slab = takeSlab()
  release(slab)
  expect(slab.memory.length).toBe(SLAB_BYTES)
})
