'use strict'

/** Journals that were cut, shuffled, repeated and edited: what is read of them was written, and nothing throws. */

const fc = require('fast-check')
const { encodeLine, decodeLines } = require('../../../lib/journal/lines')
const { applyFact, replay, factsOf } = require('../../../lib/journal/replay')
const { FACTS, JOB, linesOf, part } = require('./jobs')

const AT = 1_700_000_000_000
const ID = '20261121T104500Z-4f9k2c'
const PATH = '/jobs/journal'

/** @param {any[]} facts @returns {Buffer} */
function journalOf(facts) {
  const job = { type: 'job', version: 1, id: ID, ...JOB }
  return Buffer.from([job, ...facts].map((fact, i) => encodeLine({ n: i + 1, at: AT + i, ...fact })).join(''))
}

const BAD_JOURNAL = expect.objectContaining({ code: 'BAD_JOURNAL' })

const read = bytes => replay(decodeLines(bytes), PATH)

/** A line with a right checksum, whatever is in it. */
const sealed = value => encodeLine(value)

const upload = fc.constantFrom('upload-1', 'upload-2', 'upload-3')
const anyPart = fc
  .record({ partNumber: fc.integer({ min: 1, max: 5 }), upload, md5: fc.boolean(), answered: fc.boolean() })
  .map(({ partNumber, upload, md5, answered }) => ({
    ...part(partNumber, upload),
    ...(md5 && { sums: { md5: '0f'.repeat(16) } }),
    ...(answered && { answered: { crc32: '00000007' } }),
  }))
const claim = { type: 'claim', owner: 'a', pid: 1, host: 'here' }
const anyFact = fc.oneof(
  { weight: 4, arbitrary: anyPart },
  { weight: 2, arbitrary: upload.map(id => ({ type: 'upload', id, checksums: true })) },
  upload.map(id => ({ type: 'gone', upload: id })),
  upload.map(id => ({ type: 'completing', upload: id, sums: { crc32: '00000001' } })),
  fc.constantFrom(
    { type: 'object', bytes: 1, etag: '"e"', versionId: 'v' },
    { type: 'plan', route: 'put', partBytes: 0, parts: 1 },
    { type: 'creating', atMs: AT },
    { type: 'cleared' },
    { type: 'ended', code: 'INTERRUPTED', message: 'It was "interrupted"\n\u2028.', atMs: AT },
    { type: 'ending', code: 'INTERRUPTED', message: 'It was interrupted.', atMs: AT },
    claim,
    { type: 'heartbeat', owner: 'a' },
    { type: 'release', owner: 'a' },
  ),
)
const name = fc.constantFrom('', 'a', 'b/c')
const ofObject = new Set(['object', 'plan', 'creating', 'cleared', 'upload', 'part', 'completing', 'gone', 'left'])
const anyFactOfPrefix = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, anyFact).map(([name, fact]) => ({ type: 'of', name, fact })) },
  name.map(name => ({ type: 'over', name })),
  name.map(name => ({ type: 'over', name, copy: { from: '"a"', etag: '"b-2"' } })),
  name.map(name => ({ type: 'failed', name })),
  name.map(name => ({ type: 'failed', name, unsure: true })),
  fc.constantFrom(
    { type: 'ranges', ranges: [{ id: 0 }] },
    {
      type: 'ranges',
      ranges: [
        { id: 0, after: '', until: 'm' },
        { id: 3, after: 'm' },
      ],
      doneRanges: [{ until: '', doneMs: AT - 1 }],
      keptMs: AT,
      copied: { objects: 1, bytes: 2 },
    },
    { type: 'ranges', ranges: [] },
  ),
)
const anyFacts = fc.array(
  fc.oneof(
    anyFact,
    anyFactOfPrefix.filter(({ type, fact }) => type !== 'of' || ofObject.has(fact.type)),
  ),
  { maxLength: 30 },
)

test('a run that was about to end stays so, whatever it still writes, until it has ended or another run begins', () => {
  const ending = { type: 'ending', code: 'INTERRUPTED', message: 'It was interrupted.', atMs: AT }
  const ended = { type: 'ended', code: 'PART_FAILED', message: 'A part failed.', atMs: AT }
  const after = (...facts) => {
    const state = read(journalOf(facts))
    return [state.ending?.code, state.ended?.code]
  }
  const heartbeat = { type: 'heartbeat', owner: 'a' }
  expect(after(claim, ending, part(1), heartbeat)).toEqual(['INTERRUPTED', undefined])
  expect(after(claim, ending, ended)).toEqual([undefined, 'PART_FAILED'])
  expect(after(claim, ending, part(1), claim)).toEqual([undefined, undefined])
  expect(after(claim, ended, claim, ending)).toEqual(['INTERRUPTED', undefined])
})

test('any beginning of a journal replays, and the rest only adds to it', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(), (facts, at) => {
      const bytes = journalOf(facts)
      const whole = decodeLines(bytes)
      const cut = decodeLines(bytes.subarray(0, at % (bytes.length + 1)))
      expect(cut.damaged).toBe(0)
      expect(whole.entries.slice(0, cut.entries.length)).toEqual(cut.entries)
      if (cut.entries.length === 0) return expect(() => replay(cut, PATH)).toThrow(BAD_JOURNAL)
      const before = replay(cut, PATH)
      for (const entry of whole.entries.slice(cut.entries.length)) applyFact(before, entry)
      expect(before).toEqual(replay(whole, PATH))
    }),
    { numRuns: 200 },
  )
})

test('a journal cut at every one of its bytes has the facts before the cut, and no more', () => {
  const bytes = journalOf(FACTS)
  const ends = [...bytes.keys()].filter(i => bytes[i] === 0x0a)
  const wrong = Array.from({ length: bytes.length + 1 }, (_, length) => length).filter(length => {
    const cut = decodeLines(bytes.subarray(0, length))
    if (cut.entries.length > 0) replay(cut, PATH)
    // A line of which the end alone is missing is whole.
    const before = ends.filter(end => end <= length).length
    const whole = length === 0 || ends.includes(length - 1)
    return cut.entries.length !== before || cut.damaged > 0 || cut.whole !== whole
  })
  expect(wrong).toEqual([])
})

test('lines in any order, and any number of times, are the same state', () => {
  fc.assert(
    fc.property(anyFacts, fc.infiniteStream(fc.nat()), (facts, numbers) => {
      const bytes = journalOf(facts)
      const lines = linesOf(bytes)
      const order = [...lines, ...lines.filter(() => numbers.next().value % 2)]
        .map(line => ({ line, at: numbers.next().value }))
        .sort((a, b) => a.at - b.at)
      expect(read(Buffer.concat(order.map(({ line }) => line)))).toEqual(read(bytes))
    }),
    { numRuns: 200 },
  )
})

/** Without what is as good as nothing. */
function essenceOf({ prefix, ...state }) {
  const objects = [...(prefix?.objects ?? [])].filter(
    ([, object]) => JSON.stringify(object) !== '{"left":[],"parts":{}}',
  )
  return {
    ...state,
    updatedMs: 0,
    failed: new Set(),
    unsure: new Set(),
    copies: new Map(),
    ...prefix,
    objects: new Map(objects),
  }
}

test('what is known of a job, as facts again, tells the same', () => {
  fc.assert(
    fc.property(anyFacts, facts => {
      const state = read(journalOf(facts))
      const again = replay(
        { entries: factsOf(state).map((fact, i) => ({ n: i + 1, at: AT, ...fact })), damaged: 0 },
        PATH,
      )
      expect(essenceOf(again)).toEqual(essenceOf(state))
    }),
  )
})

describe('a damaged line', () => {
  const bytes = journalOf(FACTS)
  const written = decodeLines(bytes).entries.map(entry => JSON.stringify(entry))

  test.each([0x80])('of any one byte that was changed (%i) is passed over', mask => {
    // Told together: an expectation for each byte would take longer than the reading.
    const wrong = [...bytes.keys()].filter(at => {
      const edited = Buffer.from(bytes)
      edited[at] ^= mask
      const decoded = decodeLines(edited)
      if (decoded.entries[0]?.type === 'job') replay(decoded, PATH)
      const last = at === bytes.length - 1
      const lost = written.length - decoded.entries.length
      const strange = decoded.entries.some(entry => !written.includes(JSON.stringify(entry)))
      // A changed line end makes one line of two; the last one is whole without it, unless it is another character.
      return strange || lost > 2 || (!last && (lost < 1 || decoded.damaged < 1))
    })
    expect(wrong).toEqual([])
  })

  test('is counted, and what was written before and after it stands', () => {
    const lines = linesOf(bytes)
    const spoilt = Buffer.concat([...lines.slice(0, 9), Buffer.from('\n0\0garbage\xff\n{}\n'), ...lines.slice(9)])
    const state = read(spoilt)
    expect(state.damaged).toBe(2)
    expect(state.parts.size).toBe(3)
  })
})

describe('an edited line with a right checksum', () => {
  const head = linesOf(journalOf([]))[0]

  test('whatever JSON it is, is held to the shapes of a journal', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), values => {
        const state = read(Buffer.concat([head, ...values.map(value => Buffer.from(sealed(value)))]))
        expect(state.damaged).toBe(values.length)
      }),
    )
  })

  test.each([[{ partNumber: 0 }], [{ bytes: -1 }], [{ sums: { crc32: '7' } }], [{ upload: '' }]])(
    'of a part with %j is passed over',
    changed => {
      const lines = [
        { type: 'upload', id: 'upload-1', checksums: true },
        { ...part(1), n: 9, ...changed },
      ]
      const state = read(
        Buffer.concat([head, ...lines.map((fact, i) => Buffer.from(sealed({ n: i + 2, at: AT, ...fact })))]),
      )
      expect(state.parts.size).toBe(0)
      expect(state.damaged).toBe(1)
    },
  )

  test('of a kind that a later xfer may write is passed over, and is no damage', () => {
    const later = Buffer.from(sealed({ n: 7, at: AT, type: 'weather', sky: 'blue' }))
    expect(read(Buffer.concat([head, later]))).toEqual(read(head))
  })

  test.each([2])('of version %i makes the journal unusable', version => {
    const later = Buffer.from(sealed({ n: 7, at: AT, type: 'job', version, whatever: 1 }))
    expect(() => read(Buffer.concat([head, later]))).toThrow(
      expect.objectContaining({ facts: { path: PATH, reason: 'another version of xfer wrote it' } }),
    )
  })
})

test('what is copied anew has to be proved anew before its source is removed', () => {
  const object = { type: 'object', bytes: 1, etag: '"one"' }
  const removing = { type: 'removing', etag: '"copy"', proof: ['store-crc32'] }
  const removingOf = facts => read(journalOf(facts)).removing
  expect(removingOf([object, removing])).toMatchObject({ etag: '"copy"' })
  expect(removingOf([object, removing, { ...object, etag: '"two"' }])).toBeUndefined()
})
