'use strict'

/** Journals that were cut, shuffled, repeated and edited: what is read of them was written, and nothing throws. */

const fc = require('fast-check')
const { encodeLine, decodeLines } = require('../../../lib/journal/facts')
const { applyFact, replay, factsOf, lastFactsOf, objectsOf } = require('../../../lib/journal/replay')
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
const sealed = encodeLine

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
    { type: 'waiting' },
    { type: 'runner', engine: 'e', where: 'w', runs: 1, gbSeconds: 2, progress: 'p', idle: 1 },
    { type: 'told', notices: [{ code: 'C', message: 'm' }], failures: [{ name: 'a', code: 'C', message: 'm' }] },
    { type: 'sealed', files: [{ file: 'f', lines: 1, root: 'r' }] },
    { type: 'within', range: { after: 'm' } },
    { type: 'split', ranges: [{ until: 'm' }, { after: 'm' }] },
  ),
)
const name = fc.constantFrom('', 'a', 'b/c')
const COPIED = { objects: 1, bytes: 2 }
const RANGES = ['', 'm'].map((after, i) => ({ id: 3 * i, after, ...(i === 0 && { until: 'm' }) }))
const ofObject = new Set(['object', 'plan', 'creating', 'cleared', 'upload', 'part', 'completing', 'gone', 'left'])
const anyFactOfPrefix = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, anyFact).map(([name, fact]) => ({ type: 'of', name, fact })) },
  name.map(name => ({ type: 'over', name })),
  name.map(name => ({ type: 'over', name, copy: { from: '"a"', etag: '"b-2"' } })),
  name.map(name => ({ type: 'failed', name })),
  name.map(name => ({ type: 'failed', name, unsure: true })),
  fc.constantFrom(
    { type: 'ranges', ranges: [{ id: 0 }] },
    { type: 'ranges', ranges: RANGES, doneRanges: [{ until: '', doneMs: AT - 1 }], keptMs: AT, copied: COPIED },
    { type: 'ranges', ranges: [] },
  ),
)
const fitting = anyFactOfPrefix.filter(({ type, fact }) => type !== 'of' || ofObject.has(fact.type))
const anyFacts = fc.array(fc.oneof(anyFact, fitting), { maxLength: 30 })

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

/** What there is of an object, or of a job, in short. */
function shortOf({ upload, left, parts, checked, prefix, completing, completed, removing, object, creatingMs, ended }) {
  const { objects = new Map(), failed, unsure, copies, beside, doneRanges } = prefix ?? {}
  const lists = {
    ...{ left: left.map(({ id }) => id), parts: [...parts.keys()], checked: [...(checked ?? [])] },
    ...{ failed: [...(failed ?? [])], unsure: [...(unsure ?? [])], copies: [...(copies?.keys() ?? [])] },
    objects: [...objects].map(([name, one]) => [name, shortOf(one)]),
  }
  const some = Object.entries(lists).filter(([, list]) => list.length > 0)
  const rest = { upload: upload?.id, completing, completed, removing, creatingMs, beside, doneRanges }
  const told = { ...rest, object: object?.etag, ended: ended?.code, ...Object.fromEntries(some) }
  return JSON.parse(JSON.stringify(told))
}

describe('what a journal says', () => {
  const up = id => ({ type: 'upload', id, checksums: true })
  const of = (name, fact) => ({ type: 'of', name, fact })
  const one = 'upload-1'
  const two = 'upload-2'
  const checked = { type: 'checked', upload: one, partNumber: 7 }
  const completing = { type: 'completing', upload: one, sums: { crc32: '00000001' } }
  const completed = { type: 'completed', upload: one, etag: '"c"' }
  const whole = [up(one), part(1), checked, completing, completed]
  const gone = upload => ({ type: 'gone', upload })
  const left = upload => ({ type: 'left', upload })
  const removing = { type: 'removing', etag: '"e"', proof: ['sums'] }
  const ended = { type: 'ended', code: 'PART_FAILED', message: 'A part failed.', atMs: AT }
  const failed = { type: 'failed', name: 'a', unsure: true }
  const copy = { from: '"a"', etag: '"b-2"' }
  const sums = { crc32: '00000001' }
  const etag = '"c"'

  test.each([
    ['of an upload', whole, { upload: one, parts: [1], checked: [7], completing: { sums }, completed: { etag } }],
    ['of an upload, twice', [up(one), part(1), up(one)], { upload: one, parts: [1] }],
    ['of an upload that another one followed', [...whole, up(two)], { upload: two, left: [one] }],
    ['of an upload that is gone', [...whole, gone(one)], {}],
    ['of a former one that is gone', [up(one), up(two), part(1, two), gone(one)], { upload: two, parts: [1] }],
    ['of one of two that are gone', [left(one), left(two), gone(one)], { left: [two] }],
    ['of one that is left, twice', [left(one), left(one), left(two)], { left: [one, two] }],
    ['of one that was left, and goes on', [left(one), left(two), up(one)], { upload: one, left: [two] }],
    ['of another upload', [up(two), part(1), checked, completing, completed], { upload: two }],
    ['of an upload that is asked for', [{ type: 'creating', atMs: AT }], { creatingMs: AT }],
    ['of one that was not created', [{ type: 'creating', atMs: AT }, { type: 'cleared' }], {}],
    ['of one that was', [{ type: 'creating', atMs: AT }, up(one)], { upload: one }],
    ['of a source that goes', [removing], { removing: { etag: '"e"', proof: ['sums'] } }],
    ['of a source that is copied anew', [removing, { type: 'object', bytes: 1, etag: '"f"' }], { object: '"f"' }],
    ['of the end', [ended, { type: 'release', owner: 'a' }, { type: 'heartbeat', owner: 'a' }], { ended: ended.code }],
    ['of the end, and goes on', [ended, { type: 'cleared' }], {}],
    ['of another job beside it', [ended, { type: 'beside' }], { ended: ended.code, beside: true }],
    ['of an object that failed', [of('a', up(one)), of('a', gone(one)), failed], { failed: ['a'], unsure: ['a'] }],
    ['of one that failed for sure', [{ ...failed, unsure: false }], { failed: ['a'] }],
    ...[
      [up(one), { upload: one }],
      [left(one), { left: [one] }],
      [{ type: 'creating', atMs: AT }, { creatingMs: AT }],
    ].map(([fact, known]) => [
      `of one that failed, with ${fact.type}`,
      [of('a', fact), failed],
      { failed: ['a'], unsure: ['a'], objects: [['a', known]] },
    ]),
    ['of one that is over', [of('a', up(one)), failed, { type: 'over', name: 'a' }], {}],
    ['of its copy', [{ type: 'over', name: 'a', copy }], { copies: ['a'] }],
    ['of a copy that is not remembered', [copy, undefined].map(copy => ({ type: 'over', name: 'a', copy })), {}],
  ])('%s, its facts say again', (_, facts, expected) => {
    const state = read(journalOf(facts))
    expect(shortOf(state)).toEqual(expected)
    const again = factsOf(state).map((fact, i) => ({ n: i + 1, at: AT, ...fact }))
    expect(shortOf(replay({ entries: again, damaged: 0 }, PATH))).toEqual(expected)
  })

  test('of a job, the newest line says, and of its time the latest', () => {
    const job = { type: 'job', version: 1, id: ID, ...JOB, options: { chunk: '9' } }
    const later = { ...claim, at: AT + 99 }
    const state = read(journalOf([later, { ...job, at: AT }]))
    expect(state).toMatchObject({ options: { chunk: '9' }, createdMs: AT, updatedMs: AT + 99 })
    const [first, ...rest] = decodeLines(journalOf([claim])).entries.toReversed()
    expect(replay({ entries: [{ ...first, n: 0 }, ...rest], damaged: 0 }, PATH)).toMatchObject({ createdMs: AT })
  })

  test('of ten thousand copies, and no more, is remembered', () => {
    const state = read(journalOf([]))
    for (let n = 0; n < 10_001; n++) applyFact(state, { type: 'over', name: `${n}`, copy, n: n + 2, at: AT })
    const { copies } = state.prefix
    expect([copies.size, copies.has('0'), copies.has('1')]).toEqual([10_000, false, true])
  })

  test('of its objects, each by its name', () => {
    const uploadsOf = (...facts) =>
      objectsOf(read(journalOf(facts))).map(([name, { upload }]) => `${name}: ${upload.id}`)
    expect(uploadsOf(up(one))).toEqual([`: ${one}`])
    expect(uploadsOf(up(one), of('a', up(two)))).toEqual([`: ${one}`, `a: ${two}`])
  })
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
  const none = { updatedMs: 0, failed: new Set(), unsure: new Set(), copies: new Map() }
  return { ...state, ...none, ...prefix, objects: new Map(objects) }
}

test('what is known of a job, as facts again, tells the same', () => {
  fc.assert(
    fc.property(anyFacts, facts => {
      const state = read(journalOf(facts))
      const entries = factsOf(state).map((fact, i) => ({ n: i + 1, at: AT, ...fact }))
      const again = replay({ entries, damaged: 0 }, PATH)
      expect(essenceOf(again)).toEqual(essenceOf(state))
    }),
  )
})

test.each([undefined, { code: 'C', message: 'm' }])(
  'of a job that is over (%j) its end is told, and no upload',
  error => {
    const kept = [
      { type: 'object', bytes: 1, etag: '"e"' },
      { type: 'plan', route: 'put', partBytes: 0, parts: 1 },
      { type: 'ranges', ranges: [], copied: { objects: 1, bytes: 2 } },
      { type: 'sealed', files: [] },
      { type: 'runner', engine: 'e', where: 'w', runs: 1, gbSeconds: 2 },
      { type: 'proved', proof: ['crc32'] },
      { type: 'told', notices: [], failures: [] },
    ]
    const state = read(journalOf([...kept, { type: 'upload', id: 'u', checksums: true }, { type: 'waiting' }]))
    const [first, ...facts] = lastFactsOf(state, error)
    expect(first).toMatchObject({ type: 'job', id: state.id, source: state.source, destination: state.destination })
    expect(facts).toEqual([...kept, { type: 'finished', ...error }])
  },
)

const bytes = journalOf(FACTS)
const written = decodeLines(bytes).entries.map(entry => JSON.stringify(entry))

test('a damaged line of any one byte that was changed is passed over', () => {
  // Told together: an expectation for each byte would take longer than the reading.
  const wrong = [...bytes.keys()].filter(at => {
    const edited = Buffer.from(bytes)
    edited[at] ^= 0x80
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

test('a damaged line is counted, and what was written before and after it stands', () => {
  const lines = linesOf(bytes)
  const spoilt = Buffer.concat([...lines.slice(0, 9), Buffer.from('\n0\0garbage\xff\n{}\n'), ...lines.slice(9)])
  const state = read(spoilt)
  expect(state.damaged).toBe(2)
  expect(state.parts.size).toBe(3)
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

  const UPLOAD = { type: 'upload', id: 'upload-1', checksums: true }
  const END = { type: 'ended', code: 'X', message: '' }
  const OPTIONS = { type: 'job', version: 1, id: ID, ...JOB }
  test.each([
    ['partNumber', part(1), [1, 10 ** 15], [0, 1.5, '1', 10 ** 15 + 1]],
    ['bytes', part(1), [0], [-1, null]],
    ['sums', part(1), [{}, { md5: '0f'.repeat(16) }], [{ crc32: '7' }, [], null]],
    ['upload', part(1), ['u'], ['', 7]],
    ['etag', part(1), [''], [7, undefined]],
    ['checksums', UPLOAD, [true, false], ['yes', 1]],
    ['plain', UPLOAD, [true, undefined], [false]],
    ['atMs', END, [0, 8.64e15, undefined], [-1, 8.64e15 + 2]],
    ['message', END, [''], [undefined]],
    ['type', END, [], [7, null]],
    ['version', END, [2], []],
    ['version', OPTIONS, [1], [1.5, '1']],
    ['source', OPTIONS, [JOB.source], ['s3://from/big', [], null, { text: '' }, { ...JOB.source, typed: '' }]],
    ...[
      ['headers', [{ a: 'b', c: '' }, []], [{ a: 'b', c: 7 }, null, 'a']],
      ['recursive', ['copy', 'sync'], ['rm']],
      ['clobber', [true], ['true']],
      ['worker', [['a'], []], ['a', ['a', 7]]],
      ['select', [{ filters: [{ include: 'a' }, { exclude: 'b' }] }], [{ filters: [{ include: 7 }] }, 'a']],
      ['destination', [{ region: 'a' }, {}], [{ region: 7 }, null]],
    ].map(([name, ...both]) => ['options', OPTIONS, ...both.map(list => list.map(one => ({ [name]: one })))]),
  ])('has a %s of its shape, or is passed over', (field, fact, fitting, not) => {
    const damagedBy = value => {
      const { damaged, other } = decodeLines(Buffer.from(sealed({ n: 2, at: AT, ...fact, [field]: value })))
      return other ? 'of another version' : damaged
    }
    expect([fitting, not].map(list => list.map(damagedBy))).toEqual([fitting.map(() => 0), not.map(() => 1)])
  })

  test('of a kind that a later xfer may write is passed over, and is no damage', () => {
    const later = Buffer.from(sealed({ n: 7, at: AT, type: 'weather', sky: 'blue' }))
    expect(read(Buffer.concat([head, later]))).toEqual(read(head))
  })

  test('of another version makes the journal unusable', () => {
    const later = Buffer.from(sealed({ n: 7, at: AT, type: 'job', version: 2, whatever: 1 }))
    const facts = { path: PATH, reason: 'another version of xfer wrote it' }
    expect(() => read(Buffer.concat([head, later]))).toThrow(expect.objectContaining({ facts }))
  })
})

test.each(['ended', 'finished'])('a job waits, whoever claims it, until it has %s', type => {
  const facts = [{ type: 'waiting' }, claim, { type: 'release', owner: 'a' }, FACTS[0]]
  expect(read(journalOf(facts)).waiting).toBe(true)
  expect(read(journalOf([...facts, { type, code: 'INTERRUPTED', message: 'It was.' }])).waiting).toBeUndefined()
})
