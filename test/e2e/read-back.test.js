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

  it('and has a part that was stored wrong once is copied again', async () => {
    stored({ operation: 'UploadPart', partNumber: 2, nth: 1 })
    const { status, last, events } = await route.copy('large', 'mended', FULL)
    expect({ status, proof: last.proof }).toMatchObject({ status: 0, proof: expect.arrayContaining(['read-back']) })
    const said = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
    expect(said).toContainEqual(expect.stringMatching(/5242880-10485759 .*: it is copied again, in a new upload/))
    expect((await get(route.to, 'mended')).equals(BODY)).toBe(true)
  })

  it('is kept if only the reading was wrong', async () => {
    const struck = destination.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 0 })
    const { status, last } = await route.copy('large', 'read wrong', FULL)
    expect({ status, hits: struck.hits }).toEqual({ status: 0, hits: 1 })
    expect(last.proof).toContain('read-back')
    destination.faults.clear()
    expect((await get(route.to, 'read wrong')).equals(BODY)).toBe(true)
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

  it('and may not be read is there, and said to be written and not proved', async () => {
    destination.faults.add({ operation: 'GetObject', status: 403, code: 'AccessDenied' })
    const { status, last } = await route.copy('large', 'unread', FULL)
    expect({ status, code: last.code }).toEqual({ status: 1, code: 'NOT_READ_BACK' })
    expect(last.message).toMatch(/^The copy at s3:\/\/target\/unread is written, and not proved, /)
    expect(last.hint).toMatch(/s3:GetObject on the destination object/)
    destination.faults.clear()
    expect((await get(route.to, 'unread')).equals(BODY)).toBe(true)
  })
})

describe('a store that shows another ETag than it answered to the completion', () => {
  let source
  let destination
  let route
  beforeAll(async () => {
    const options = { serverName: 'other', uploadEtag: /** @type {const} */ ('of-bytes') }
    ;[source, destination] = await Promise.all([startStore(), startStore(options)])
    route = await openRoute({ source, destination })
    await put(route.from, 'large', BODY)
  })
  afterEach(() => destination.faults.clear())
  afterAll(async () => {
    route?.close()
    await Promise.all([source?.close(), destination?.close()])
  })

  it('has it replaced where other bytes of the same size are there', async () => {
    const other = Buffer.from(BODY)
    other[7] ^= 1
    destination.faults.add({ operation: 'GetObject', delayMs: 1500 })
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'GetObject')
    const copied = route.copy('large', 'taken', FULL)
    await begun
    await put(route.to, 'taken', other)
    const { status, last } = await copied
    expect({ status, code: last.code }).toEqual({ status: 6, code: 'OBJECT_CHANGED' })
    expect(last.hint).toMatch(/it is not what was sent, and either somebody else wrote it/)
    destination.faults.clear()
    expect((await get(route.to, 'taken')).equals(other)).toBe(true)
  })
})
