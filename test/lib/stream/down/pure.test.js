'use strict'

/** What a download reads, how far ahead, and what it compares: decided without any request. */

const fc = require('fast-check')
const { inOrder } = require('../../../../lib/stream/down/in-order')
const { createTally, fits, needsLayout, planProof } = require('../../../../lib/stream/down/proof')
const { countRanges, rangesOf, sizeRanges } = require('../../../../lib/stream/down/ranges')
const { chosenOf, parseRange } = require('../../../../lib/stream/down/wanted')

const MiB = 1024 ** 2

describe('ranges', () => {
  it('follow one another without a gap, end at the borders of parts, and are as many as was counted', () => {
    const cuts = fc.record({
      start: fc.constant(0),
      bytes: fc.nat(500),
      rangeBytes: fc.integer({ min: 1, max: 60 }),
      partBytes: fc.option(fc.integer({ min: 1, max: 90 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(cuts, cut => {
        const ranges = [...rangesOf(cut)]
        expect(ranges).toHaveLength(countRanges(cut))
        let at = 0
        for (const [i, { partNumber, start, bytes }] of ranges.entries()) {
          expect({ partNumber, start }).toEqual({ partNumber: i + 1, start: at })
          expect(bytes).toBeLessThanOrEqual(cut.rangeBytes)
          if (cut.partBytes)
            expect(Math.floor((at + Math.max(bytes, 1) - 1) / cut.partBytes)).toBe(Math.floor(at / cut.partBytes))
          at += bytes
        }
        expect(at).toBe(cut.bytes)
      }),
    )
  })

  it.each([
    ['nothing is asked for', {}, { rangeBytes: 8 * MiB, ahead: 16 }],
    ['parts are small', { partBytes: 5 * MiB }, { rangeBytes: 5 * MiB, ahead: 16 }],
    ['parts are large', { partBytes: 100 * MiB }, { rangeBytes: 8 * MiB, ahead: 16 }],
    ['one connection is asked for', { concurrency: 1 }, { rangeBytes: 8 * MiB, ahead: 2 }],
    ['many connections are asked for', { concurrency: 1000 }, { rangeBytes: 8 * MiB, ahead: 64 }],
    ['a size is asked for', { chunkBytes: 100 * MiB }, { rangeBytes: 100 * MiB, ahead: 5 }],
  ])('fit into the memory where %s', (_, wish, sizes) => {
    expect(sizeRanges(wish)).toEqual(sizes)
  })
})

describe('--range', () => {
  it.each([
    ['0-9', { start: 0, bytes: 10 }],
    ['90-', { start: 90, bytes: 10 }],
    ['-30', { start: 70, bytes: 30 }],
    ['-300', { start: 0, bytes: 100 }],
    ['50-1000', { start: 50, bytes: 50 }],
    ['99-99', { start: 99, bytes: 1 }],
  ])('%s of 100 bytes', (text, chosen) => expect(chosenOf(parseRange(text), 100)).toEqual(chosen))

  it.each(['', '-', '9-8', 'a-b', '1-2-3', '0-9,20-29', '99999999999999999999-', '1.5-3'])('"%s" is refused', text => {
    expect(() => parseRange(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })

  it.each(['100-', '-0', '200-300'])('%s is outside of 100 bytes', text => {
    expect(() => chosenOf(parseRange(text), 100)).toThrow(expect.objectContaining({ code: 'USAGE', exitCode: 2 }))
  })
})

describe('the proof', () => {
  const object = { bytes: 15, etag: '"e"' }
  const md5 = '0cc175b9c0f1b6a831c399e269772661'
  const layout = { bytes: 5, parts: 3 }
  it.each([
    ['a CRC', { sums: { crc64nvme: '0' } }, layout, { sums: ['crc64nvme'], md5: false }],
    ['a CRC and an MD5', { sums: { crc32c: '0', md5 } }, layout, { sums: ['crc32c'], md5: false }],
    ['a composite CRC', { composite: { crc32: 'x-3' } }, layout, { sums: ['crc32'], md5: false, partBytes: 5 }],
    ['a composite CRC of unknown parts', { composite: { crc32: 'x-3' } }, undefined, { sums: ['crc32'], md5: false }],
    ['an MD5', { sums: { md5 } }, undefined, { sums: ['crc32'], md5: true }],
    ['an ETag', { etag: `"${md5}"` }, undefined, { sums: ['crc32'], md5: true }],
    ['an ETag of parts', { etag: `"${md5}-3"` }, layout, { sums: ['crc32'], md5: true, partBytes: 5 }],
    ['an ETag of other parts', { etag: `"${md5}-4"` }, layout, { sums: ['crc32'], md5: false }],
    [
      'an ETag of an encrypted object',
      { etag: `"${md5}"`, encrypted: true },
      undefined,
      { sums: ['crc32'], md5: false },
    ],
    ['nothing', {}, undefined, { sums: ['crc32'], md5: false }],
  ])('uses %s', (_, kept, told, plan) => expect(planProof({ ...object, ...kept }, told)).toEqual(plan))

  it('asks for the sizes of parts only where they matter', () => {
    expect(needsLayout({ ...object, etag: `"${md5}-3"` })).toBe(true)
    expect(needsLayout({ ...object, etag: `"${md5}-3"`, sums: { crc32: '0' } })).toBe(false)
    expect(needsLayout({ ...object, etag: `"${md5}"` })).toBe(false)
    expect([
      fits({ bytes: 5, parts: 3 }, 15),
      fits({ bytes: 5, parts: 3 }, 16),
      fits({ bytes: 0, parts: 0 }, 0),
    ]).toEqual([true, false, false])
  })

  it('joins ranges to parts', () => {
    const tally = createTally({ partBytes: 10 })
    const sums = { crc32: '00000000' }
    expect([5, 5, 10, 3].map(bytes => tally.add({ bytes, sums }))).toEqual([false, true, true, false])
    expect(tally.parts().map(({ bytes }) => bytes)).toEqual([10, 10, 3])
  })
})

describe('inOrder', () => {
  /** Work that ends when the test says so. */
  function controlled() {
    const begun = new Map()
    const work = item => new Promise((resolve, reject) => begun.set(item, { resolve, reject }))
    return { begun, work }
  }

  it('yields in the order of the items, whatever ends first, and begins no more than allowed', async () => {
    const { begun, work } = controlled()
    const results = inOrder([1, 2, 3, 4], { ahead: 2, work })
    const first = results.next()
    expect([...begun.keys()]).toEqual([1, 2])
    begun.get(2).resolve('two')
    begun.get(1).resolve('one')
    expect(await first).toEqual({ done: false, value: 'one' })
    expect([...begun.keys()]).toEqual([1, 2])
    const second = results.next()
    expect(await second).toEqual({ done: false, value: 'two' })
    expect([...begun.keys()]).toEqual([1, 2, 3])
  })

  it('throws a failure in its place, after all that is before it', async () => {
    const { begun, work } = controlled()
    const results = inOrder([1, 2], { ahead: 2, work })
    const first = results.next()
    begun.get(2).reject(new Error('two'))
    begun.get(1).resolve('one')
    expect((await first).value).toBe('one')
    await expect(results.next()).rejects.toThrow('two')
  })
})
