'use strict'

/** `--verify full`: what is said, and what is at the destination, when the copy is read back. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(10 * MiB + 1)
const FULL = ['--verify', 'full']

describe('a copy that is read back', () => {
  let source
  let destination
  let route
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), startStore()])
    route = await openRoute({ source, destination })
    await put(route.from, 'large', BODY)
    await put(route.from, 'small', bytesOf(1000))
  })
  afterEach(() => {
    source.faults.clear()
    destination.faults.clear()
  })
  afterAll(async () => {
    route?.close()
    await Promise.all([source?.close(), destination?.close()])
  })

  const stored = rule => destination.faults.add({ on: 'stored', flipByteAt: 100, ...rule })
  const removed = /it was removed, so that nothing is there now/

  it.each([
    ['a part', 'large', { operation: 'UploadPart', partNumber: 2 }, /bytes 5242880-10485759 are not what was sent/],
    ['an object', 'small', { operation: 'PutObject' }, /it is not what was sent/],
  ])('and has %s that was stored wrong is removed', async (_, key, rule, says) => {
    stored(rule)
    const { status, last } = await route.copy(key, `wrong ${key}`, FULL)
    expect({ status, code: last.code }).toEqual({ status: 8, code: 'WRONG_COPY' })
    expect(last.message).toMatch(says)
    expect(last.message).toMatch(removed)
    expect(last.job).toBeUndefined()
    expect(await keysOf(route.to, `wrong ${key}`)).toEqual([])
  })

  it('and is replaced by somebody else meanwhile ends with 6, and the other object stays', async () => {
    // Of a key that is missing one byte would be read, to be sure.
    await put(route.to, 'taken', bytesOf(1))
    destination.faults.add({ operation: 'GetObject', delayMs: 1500 })
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'GetObject')
    const copied = route.copy('large', 'taken', FULL)
    await begun
    await put(route.to, 'taken', bytesOf(77))
    const { status, last } = await copied
    expect({ status, code: last.code }).toEqual({ status: 6, code: 'OBJECT_CHANGED' })
    expect(last.message).toContain('s3://target/taken')
    expect(last.job).toBeUndefined()
    destination.faults.clear()
    expect((await get(route.to, 'taken')).equals(bytesOf(77))).toBe(true)
  })
})
