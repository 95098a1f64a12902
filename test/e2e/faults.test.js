'use strict'

/** A store that misbehaves and does not stop: the copy fails, says why, and leaves nothing. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { bytesOf, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2

describe('faults', () => {
  const LARGE = 20 * MiB + 1
  const SMALL = 1000

  describe('a store that misbehaves', () => {
    let server
    let route
    beforeAll(async () => {
      server = await startStore()
      route = await openRoute({ source: server })
      await put(route.from, 'large', bytesOf(LARGE))
      await put(route.from, 'small', bytesOf(SMALL))
    })
    afterEach(() => server.faults.clear())
    afterAll(async () => {
      route?.close()
      await server?.close()
    })

    /** What does not pass. */
    const LASTING = [
      ['fails every part', 'large', { operation: 'UploadPart', status: 500 }, 1, 'PART_FAILED'],
      ['flips a byte of every object', 'small', { operation: 'PutObject', flipByteAt: 5 }, 8, 'PART_FAILED'],
    ]
    it.each(LASTING)('and %s: the copy fails, and leaves nothing', async (what, key, fault, exitCode, code) => {
      const { to, copy } = route
      const target = `${key} ${what}`
      const struck = server.faults.add(fault)
      const { status, last } = await copy(key, target, ['--retries', '1'])
      expect({ status, last }).toMatchObject({ status: exitCode, last: { code } })
      expect(struck.hits).toBeGreaterThan(0)
      expect(await keysOf(to, target)).toEqual([])
    })
  })
})
