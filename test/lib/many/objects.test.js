'use strict'

/** What becomes of each object of a prefix: what is told of it, counted, and noted. How it is written is said by the test. */

const { EventEmitter, once } = require('node:events')

/** Says what a write does. @type {(work: any) => any} */
let writes
const looked = []
jest.mock('../../../lib/many/writers', () => ({
  ...jest.requireActual('../../../lib/many/writers'),
  createWriters: ({ job }) => ({
    looks: { hurry: () => looked.push('hurry'), close: () => looked.push('close') },
    write: async work => await writes(work),
    partsOf: ({ bytes }) => (bytes > job.settings.chunkBytes ? Math.ceil(bytes / job.settings.chunkBytes) : undefined),
  }),
}))

const { COPY, NOW, OLD, aTag, createRig } = require('./rigged-objects')
const { errorOf, refused } = require('../../support/rigged-store')
const { rowsOf } = require('../../support/told')

const SAME = { action: 'skip', why: 'same' }
const COMPARE = { action: 'compare', why: 'unknown' }
const DRY = { dryRun: true }
const COPIED = { bytes: 2, etag: 'E', proof: ['md5'] }
const fails = (code, facts) => () => {
  throw errorOf(code, facts)
}
const settled = () => new Promise(setImmediate)

beforeEach(() => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW)
  looked.length = 0
})
afterEach(() => jest.restoreAllMocks())

/** @param {object} how of the rig, and the object: its name, what was decided, and what its write does */
async function logOf({ name = 'a', verdict, ours, write = () => COPIED, ...how }) {
  const rig = createRig(how)
  writes = work => write(work, rig)
  await rig.begin(name, verdict, ours)
  return told(await rig.end())
}
const told = log => log.filter(line => line !== 'known to/').join('; ')

const FAILED = [{ type: 'failed', name: 'a' }]
const BEGUN = [{ type: 'of', name: 'a', fact: { type: 'creating' } }]
const MOVE = { move: true }
const MARK = { marksFolder: true, bytes: 0 }
const THERE = { destination: { a: 'aa' } }
const DENIED = fails('ACCESS_DENIED')
const HIDES = { can: { destination: { hidesBelow: true } } }
const BAD_KEY = { more: { destination: () => ({ keyFault: key => (key === 'to/a' ? 'No.' : undefined) }) } }
const CANNOT = { more: { destination: () => ({ makeFolder: DENIED }) } }
const made = []
const MAKES = { more: { destination: () => ({ makeFolder: async key => made.push(key) }) } }
const isFolder = { destination: { 'head to/a': [refused('STORE_REFUSED', { isFolder: true })] } }
const FULL = { crc32: 'c', sums: { sha256: 's' }, versionId: 'v', tookMs: 2.6 }
/** A write that puts this text there. */
const puts =
  (text, ms = NOW) =>
  ({ name }, { to }) => {
    const { etag } = to.put(`to/${name}`, text, ms)
    return { ...COPIED, etag, read: { bytes: 2, etag: aTag } }
  }
const replaced = (work, rig) => {
  rig.from.put('from/a', 'bb', NOW)
  return puts('aa')(work, rig)
}
/** A write that moves bytes, starts again, and then ends so. */
const turns = end => work => {
  work.moved(1)
  work.moved(1, true)
  work.restart()
  work.moved(1)
  return end(work)
}
const isWritten = work => {
  work.written()
  return COPIED
}
/** The source lists the uploads of the destination. */
const uploadsOf = to => [...to.uploads.keys()].map(id => ({ id }))
const ONE_STORE = { more: { source: (_, to) => ({ upload: { pending: async () => ({ uploads: uploadsOf(to) }) } }) } }

/** What is told. */
const TURNS = 'moved 1 false; moved 1 true; moved -1 true; moved -1 false; moved 1 false'
const LINE = 'line copy a bytes:2 etag:E proof:{md5} bytes:2 etag:#aa'
const EVENT = 'event copy a bytes:2 etag:E proof:{md5}; over a true'
const DONE = `chosen 2; ${LINE}; copied seen:0 before:0; ${EVENT}`
const MOVED = 'bytes:2 etag:#aa proof:{md5} read:{bytes:2 etag:#aa} bytes:2 etag:#aa'
const failing = (code, { of = 'a', unsure = '' } = {}) =>
  `event failure ${of} code:${code}; line failed ${of} ${code}; note failed ${of}${unsure}`
const failed = (code, how) => `failed seen:0 before:0; ${failing(code, how)}; over a true`
const refusedAs = code => `chosen 2; failed seen:0; ${failing(code)}; over a true`
const isUnsure = { unsure: ' unsure:true' }

const MOVES_ALL = { settings: MOVE, verdict: { ...COMPARE, why: 'all' } }
const OBJECTS = {
  copied: {},
  'copied, with all that is known of it': { write: () => ({ ...COPIED, ...FULL }) },
  'copied without a manifest': { manifest: false, facts: FAILED },
  'copied, which failed before': { facts: FAILED },
  'copied, which failed before, where the manifest is not written': { facts: FAILED, flushes: false },
  'copied over a newer one': { verdict: { ...COPY, newerThere: true } },
  'copied with some bytes twice': { write: turns(() => COPIED) },
  'looked at later': { write: turns(isWritten) },
  'in parts, and looked at later': { settings: { chunkBytes: 1 }, write: isWritten },
  'left alone': { write: () => 'skipped', facts: FAILED },
  'left alone without a manifest': { write: turns(() => 'skipped'), manifest: false },
  'left alone, which nothing has proved': { write: () => 'skipped', verdict: { ...COPY, unsure: true } },
  gone: { write: turns(() => 'gone'), facts: FAILED },
  'gone before': { verdict: { action: 'gone' }, facts: FAILED },
  refused: { write: turns(DENIED) },
  'refused without a manifest': { manifest: false, write: DENIED },
  'of a job that ends': { write: fails('NO_SUCH_BUCKET') },
  'the mark of a folder that is there': { write: DENIED, ours: MARK, trouble: isFolder, facts: FAILED },
  'the mark of a folder that is not there': { write: DENIED, ours: MARK },
  'no mark, where a folder is': { write: DENIED, trouble: isFolder },
  moved: { settings: MOVE, write: puts('aa') },
  'moved without a manifest': { settings: MOVE, manifest: false, write: puts('aa') },
  'not moved, as its source was replaced': { settings: MOVE, write: replaced },
  'not moved, as both ends may be one': { settings: MOVE, write: puts('aa', OLD), ...ONE_STORE },
  skipped: { verdict: SAME, ...THERE },
  'skipped without a manifest': { verdict: SAME, manifest: false },
  'skipped, which failed before': { verdict: SAME, ...THERE, facts: FAILED },
  'skipped, which failed before and has left an upload': { verdict: SAME, ...THERE, facts: [...FAILED, ...BEGUN] },
  'not to be copied': { verdict: { action: 'fail', cause: errorOf('ACCESS_DENIED') } },
  'of a key that is refused': BAD_KEY,
  'hidden below another one': { ...HIDES, verdict: { ...COPY, askAbove: async () => 'b' } },
  'below another one, and not hidden': { verdict: { ...COPY, askAbove: async () => 'b' } },
  'below no other one': { ...HIDES, verdict: { ...COPY, askAbove: async () => undefined } },
  'not asked about': HIDES,
  'no mark, where folders are made': MAKES,
  'copied by a dry run': { settings: DRY },
  'copied by a dry run over a newer one': { settings: DRY, verdict: { ...COPY, newerThere: true }, ...THERE },
  'moved by a dry run': { settings: { ...DRY, ...MOVE }, ...THERE, verdict: { ...COMPARE, why: 'all' } },
  'skipped by a dry run': { settings: DRY, verdict: SAME, ...THERE },
  'skipped by a dry run, and not there': { settings: DRY, verdict: SAME },
  'refused by a dry run': { settings: DRY, ...BAD_KEY },
  'compared, and equal': { verdict: COMPARE, ...THERE },
  'compared, and copied': { verdict: COMPARE, destination: { a: 'bb' } },
  'compared, and not begun': { verdict: { ...COMPARE, askAbove: DENIED }, ...HIDES, destination: { a: 'bb' } },
  'compared with nothing, and hidden': { ...HIDES, verdict: { ...COMPARE, askAbove: async () => 'b' } },
  'compared, and not all of it moved': { ...MOVES_ALL, destination: { a: 'bb' }, write: puts('aa') },
}
const OBJECTS_TOLD = `
copied => ${DONE}
copied, with all that is known of it => chosen 2; line copy a bytes:2 etag:E proof:{md5} crc32:c sums:{sha256:s} versionId:v tookMs:2.6 bytes:2 etag:#aa; copied seen:0 before:0; event copy a bytes:2 etag:E crc32:c sums:{sha256:s} versionId:v proof:{md5} elapsedMs:3; over a true
copied without a manifest => chosen 2; note over a; copied seen:0 before:0; ${EVENT}
copied, which failed before => ${DONE.replace('#aa;', '#aa; note over a;')}
copied, which failed before, where the manifest is not written => ${DONE}
copied over a newer one => ${DONE.replace('; over', '; replacedNewer a; over')}
copied with some bytes twice => chosen 2; ${TURNS}; ${LINE}; copied seen:1 before:0; ${EVENT}
looked at later => chosen 2; ${TURNS}; moved 1 false; ${LINE}; copied seen:2 before:0; ${EVENT}
in parts, and looked at later => ${DONE}
left alone => chosen 2; note over a; notCopied skipped bytes:2 seen:0 before:0; line skipped a exists etag:; over a true
left alone without a manifest => chosen 2; ${TURNS}; notCopied skipped bytes:2 seen:1 before:0; over a true
left alone, which nothing has proved => chosen 2; ${failed('NOT_PROVED', isUnsure)}
gone => chosen 2; ${TURNS}; note over a; notCopied gone bytes:2 seen:1 before:0; event gone a; over a true
gone before => chosen 0; note over a; notCopied gone bytes:0 seen:0; event gone a; over a undefined
refused => chosen 2; ${TURNS}; failed seen:1 before:0; ${failing('ACCESS_DENIED')}; over a true
refused without a manifest => chosen 2; failed seen:0 before:0; event failure a code:ACCESS_DENIED; note failed a; over a true
of a job that ends => chosen 2; over a false
the mark of a folder that is there => chosen 0; note over a; notCopied skipped bytes:0 seen:0 before:0; over a true
the mark of a folder that is not there => chosen 0; ${failed('ACCESS_DENIED')}
no mark, where a folder is => chosen 2; ${failed('ACCESS_DENIED')}
moved => chosen 2; intend move a ${MOVED}; removed from/a; line move a ${MOVED}; copied seen:0 before:0; event move a bytes:2 etag:#aa proof:{md5}; over a true
moved without a manifest => chosen 2; removed from/a; copied seen:0 before:0; event move a bytes:2 etag:#aa proof:{md5}; over a true
not moved, as its source was replaced => chosen 2; intend move a ${MOVED}; ${failed('SOURCE_KEPT')}
not moved, as both ends may be one => chosen 2; intend move a ${MOVED}; ${failed('SAME_OBJECT')}
skipped => left skipped 2; line skipped a same bytes:2 etag:#aa; over a undefined
skipped without a manifest => left skipped 2; over a undefined
skipped, which failed before => left skipped 2; line skipped a same bytes:2 etag:#aa; note over a; over a undefined
skipped, which failed before and has left an upload => left skipped 2; line skipped a same bytes:2 etag:#aa; over a undefined
not to be copied => ${refusedAs('ACCESS_DENIED')}
of a key that is refused => ${refusedAs('KEY_INVALID')}
hidden below another one => ${refusedAs('KEY_INVALID')}
below another one, and not hidden => ${DONE}
below no other one => ${DONE}
not asked about => ${DONE}
no mark, where folders are made => ${DONE}
copied by a dry run => chosen 2; event copy a bytes:2 why:newer; over a undefined
copied by a dry run over a newer one => chosen 2; replacedNewer a; event copy a bytes:2 why:newer bytesThere:2 newerThere:true; over a undefined
moved by a dry run => chosen 2; event move a bytes:2 why:all bytesThere:2; over a undefined
skipped by a dry run => left skipped 2; line skipped a same bytes:2 etag:#aa; event skip a bytes:2 why:same bytesThere:2; over a undefined
skipped by a dry run, and not there => left skipped 2; line skipped a same none; event skip a bytes:2 why:same; over a undefined
refused by a dry run => ${refusedAs('KEY_INVALID')}
compared, and equal => left skipped 2; line skipped a same-content bytes:2 etag:#aa; over a undefined
compared, and copied => ${DONE}
compared, and not begun => ${refusedAs('ACCESS_DENIED')}
compared with nothing, and hidden => ${refusedAs('KEY_INVALID')}
compared, and not all of it moved => chosen 2; intend move a ${MOVED}; removed from/a; line move a ${MOVED}; copied seen:0 before:0; event move a bytes:2 etag:#aa proof:{md5}; over a true
`

test.each(rowsOf(OBJECTS, OBJECTS_TOLD))('an object is %s', async (_, how, expected) =>
  expect(await logOf(how)).toBe(expected),
)

const FOLDER = 'left skipped 0; line skipped d/ made-folder none'
const DRY_FOLDER = 'event skip d/ bytes:0 why:made-folder'
const NO_FOLDER = failed('ACCESS_DENIED', { of: 'd/' }).replace('over a', 'over d/')
test.each([
  ['is made', MAKES, `${FOLDER}; over d/ true`, ['to/d/']],
  ['cannot be made', CANNOT, `chosen 0; failed seen:0; ${failing('ACCESS_DENIED', { of: 'd/' })}; over d/ true`, []],
  ['is not made in a dry run', { ...CANNOT, settings: DRY }, `${FOLDER}; ${DRY_FOLDER}; over d/ true`, []],
  ['is copied as an object', { write: DENIED }, `chosen 0; ${NO_FOLDER}`, []],
])('a folder %s', async (_, how, expected, folders) => {
  made.length = 0
  expect(await logOf({ name: 'd/', source: { 'd/': '' }, ...how })).toBe(expected)
  expect(made).toEqual(folders)
})

const KEEPS = { keepsTimes: true }
const NEAR = { verdict: { ...COMPARE, why: 'near' }, can: { source: KEEPS, destination: KEEPS } }
const NEWER = { ...COMPARE, newerThere: true }
const OTHER = { ...NEAR, verdict: { ...COMPARE, why: 'other-time' } }
const EARLIER = 'bytes:2 etag:#aa proof:{source-md5}'
const versions = { destination: ({ head }) => ({ head: async key => ({ ...(await head(key)), versionId: 'v' }) }) }
const CLASSES = { classes: 'some' }
const inClass = { destination: ({ head }) => ({ head: async key => ({ ...(await head(key)), storageClass: 'COLD' }) }) }
const movedAs = (copy, there = copy) =>
  `none unknown; intend move a ${copy} read:{bytes:2 etag:#aa}; removed from/a; chosen 2; moved 2 true; line move a ${copy} bytes:2 etag:#aa; copied seen:2 before:2; event move a ${there}`
const UNLISTED = `none unknown; removed from/a; chosen 2; moved 2 true; copied seen:2 before:2; event move a ${EARLIER}`
const MOVING = { ...THERE, settings: MOVE }
const UNLIKE = { destination: { a: 'bb' } }
const GONE = { source: { 'head from/a': [refused('NO_SUCH_KEY', { status: 404 })] } }
test.each([
  ['equal', THERE, 'skip same-content'],
  ['different', { ...UNLIKE, verdict: NEWER }, 'copy content newer'],
  ['not at the destination', { verdict: NEWER }, 'copy unknown'],
  ['gone', { ...THERE, trouble: GONE }, 'gone unknown'],
  ['not to be seen', { ...THERE, trouble: { source: { 'head from/a': [DENIED] } } }, 'fail unknown ACCESS_DENIED'],
  ['near in time', { ...THERE, ...NEAR, writtenMs: OLD }, 'skip same-time'],
  ['not near in time', { ...THERE, ...NEAR }, 'copy content'],
  ['of one time after all', { ...THERE, ...OTHER, writtenMs: OLD }, 'skip same-time'],
  ['of another time', { ...THERE, ...OTHER }, 'copy other-time'],
  ['of another time, which does not count', { ...THERE, ...NEAR, verdict: COMPARE }, 'skip same-content'],
  ['moved already', MOVING, movedAs(EARLIER)],
  ['moved already as a version', { ...MOVING, more: versions }, movedAs(EARLIER.replace('aa', 'aa versionId:v'))],
  ['moved already without a manifest', { ...MOVING, manifest: false }, UNLISTED],
  [
    'there in another class',
    { ...MOVING, more: inClass, can: { source: CLASSES, destination: CLASSES } },
    'skip unknown',
  ],
  ['moved already, but to be read twice', { ...THERE, settings: { ...MOVE, verify: 'full' } }, 'skip unknown'],
  ['begun by an earlier run', { ...MOVING, facts: BEGUN }, 'skip unknown'],
  ['not moved in a dry run', { ...THERE, settings: { ...MOVE, ...DRY } }, 'skip unknown'],
  ['not moved yet', { ...UNLIKE, settings: MOVE }, 'skip unknown'],
  ['not moved yet, and to be', { ...UNLIKE, settings: MOVE, verdict: { ...COMPARE, why: 'all' } }, 'copy all'],
])('an object that is compared is %s', async (_, { verdict = COMPARE, ...how }, expected) => {
  const rig = createRig(how)
  const { action, why, newerThere, cause } = await rig.objects.compared(rig.pairOf('a'), verdict)
  const found = [action, why, newerThere && 'newer', cause?.code]
  expect([found.filter(Boolean).join(' '), ...(await rig.end())].join('; ')).toBe(expected)
})

test.each([
  ['the only sign of the source that there is', { side: 'source', filesFrom: 'names' }, 'over a false'],
  ['of a source that was listed', { side: 'source' }, failed('BAD_ANSWER')],
  ['of a destination that was not listed', {}, 'over a false'],
  ['of a destination that was listed', { compares: true }, failed('BAD_ANSWER')],
  ['of names in a file, and of both sides', { compares: true, filesFrom: 'names' }, 'over a false'],
  ['of a destination that has taken an object', { filesFrom: 'names', copied: 1 }, failed('BAD_ANSWER')],
  ['another one', { compares: true, code: 'NO_SUCH_BUCKET' }, 'over a false'],
])(
  'an answer of no store is %s',
  async (_, { side = 'destination', code = 'NOT_A_STORE', copied = 0, ...selection }, expected) => {
    const rig = createRig({ selection })
    rig.tally.counts.copied = copied
    writes = fails(code, { side })
    await rig.begin('a')
    expect(told(await rig.end())).toBe(`chosen 2; ${expected}`)
  },
)

test.each(['WRONG_COPY', 'NOT_PROVED', 'NOT_READ_BACK', 'OUTCOME_UNKNOWN', 'OBJECT_CHANGED', 'INTEGRITY'])(
  'what is there after %s is in doubt for the next run',
  async code =>
    expect(await logOf({ write: fails(code, { advice: 'Look.' }) })).toBe(`chosen 2; ${failed(code, isUnsure)}`),
)

test('a name that comes again counts once in a dry run', async () => {
  const rig = createRig({ selection: { filesFrom: 'names' }, settings: DRY })
  for (const again of ['a', 'a']) await rig.begin(again)
  expect([rig.objects.planned.objects, rig.tally.counts.skipped]).toEqual([1, 1])
})

test('a name that comes again while its copy is under way is left', async () => {
  const rig = createRig({ selection: { filesFrom: 'names' }, facts: FAILED })
  writes = async () => {
    writes = () => COPIED
    await rig.begin('a')
    return COPIED
  }
  await rig.begin('a')
  const left = 'left skipped 2; line skipped a named-twice none; over a undefined'
  expect(told(await rig.end())).toBe(
    DONE.replace('chosen 2', `chosen 2; ${left}`).replace('#aa; copied', '#aa; note over a; copied'),
  )
})

test('what was moved does not wait for a pair that waits for its room', async () => {
  const names = Array.from({ length: 129 }, (_, i) => String(i))
  const rig = createRig({ source: Object.fromEntries(names.map(name => [name, 'aa'])), settings: MOVE })
  const gate = new EventEmitter()
  const opened = once(gate, 'open')
  writes = work => opened.then(() => puts('aa')(work, rig))
  for (const name of names) await rig.begin(name, name === '128' ? { ...COMPARE, why: 'all' } : COPY)
  const ended = rig.end().then(log => log.filter(line => line.startsWith('removed')).length)
  await settled()
  gate.emit('open')
  for (let turn = 0; turn < 999; turn++) await settled()
  expect(await Promise.race([ended, 'waits'])).toBe(129)
})

test('a failure is told with its message and its hint', async () => {
  const rig = createRig()
  const error = errorOf('ACCESS_DENIED')
  rig.objects.missing('x', error)
  const { message, hint } = error
  expect(rig.events).toEqual([{ type: 'failure', name: 'x', code: 'ACCESS_DENIED', message, hint }])
  expect(told(rig.log)).toBe(`chosen 0; failed seen:0; ${failing('ACCESS_DENIED', { of: 'x' })}`)
})

test('an object of which the store gave no proof tells why', async () => {
  const rig = createRig()
  writes = () => 'skipped'
  await rig.begin('a', { ...COPY, unsure: true })
  await rig.end()
  expect(rig.events[0]).toMatchObject({
    message: expect.stringContaining('s3://bucket/to/a'),
    hint: expect.stringContaining('Check'),
  })
})

test('the journal names ten thousand failures, and no more, but knows the rest not to be done', () => {
  const rig = createRig({ facts: Array.from({ length: 9_999 }, (_, i) => ({ type: 'failed', name: `n${i}` })) })
  const missing = name => [
    rig.objects.missing(name, errorOf('ACCESS_DENIED')),
    rig.journal.state.prefix.failed.has(name),
  ]
  expect(['x', 'y', 'n1'].map(missing)).toEqual([
    [true, true],
    [false, false],
    [true, true],
  ])
})

test.each([
  ['skipped', ['skipped'], 'left skipped 2; line skipped a why bytes:2 etag:#aa'],
  ['left out', ['filtered'], 'left filtered 2'],
  ['done', ['earlier'], 'left earlier 2; line skipped a why bytes:2 etag:#aa'],
  ['left', [], 'left skipped 2; line skipped a why bytes:2 etag:#aa'],
])('what is listed is %s', (_, as, expected) => {
  const rig = createRig(THERE)
  rig.objects.leave(rig.pairOf('a'), 'why', ...as)
  expect(told(rig.log)).toBe(expected)
})

test('a name that the destination takes for another one fails', () => {
  const rig = createRig()
  rig.objects.folded(rig.pairOf('a'), rig.over('a'))
  expect(told(rig.log)).toBe(refusedAs('NAMES_FOLDED'))
  expect(rig.events[0].message).toContain('to/a')
})

test.each([
  ['a', `listed; chosen 3; failed seen:0; ${failing('KEY_UNREADABLE')}`],
  ['left', 'listed; left filtered'],
])('an object that is listed oddly fails, unless it is left out: %s', (name, expected) => {
  const rig = createRig()
  rig.objects.odd({ name, object: { key: 'odd', bytes: 3, etag: '' } })
  expect(told(rig.log)).toBe(expected)
})

test('a dry run plans what is to be copied, by how it is written', async () => {
  const rig = createRig({ source: { a: 'aa', b: 'bb', large: 'llllll' }, settings: DRY })
  for (const name of ['a', 'b', 'large']) await rig.begin(name)
  expect(rig.objects.planned).toEqual({ objects: 2, inParts: 1, parts: 2, bytes: 10, concurrency: 1, byStore: false })
  expect(rig.log).not.toContain('known to/')
  expect(createRig({ server: {} }).objects.planned.byStore).toBe(true)
})

describe('of many objects', () => {
  /** Writes that wait until they are ended, by name. */
  function holding() {
    const held = {}
    writes = work => new Promise(resolve => (held[work.name] = { ...work, end: () => resolve(COPIED) }))
    return held
  }
  const LARGE = { a: 'llllll', b: 'llllll', c: 'llllll' }

  test.each([
    ['its end', held => held.a.end()],
    ['its write', held => [held.a.written(), held.a.written()]],
  ])('one starts once the limit lets it in, after another has come to %s', async (_, go) => {
    const held = holding()
    const onWait = jest.fn()
    const rig = createRig({ source: LARGE, onWait })
    await rig.begin('a')
    expect(held.a.large).toBe(true)
    const later = [rig.begin('b'), rig.begin('c')]
    await settled()
    expect([Object.keys(held), onWait.mock.calls.length]).toEqual([['a'], 2])
    go(held)
    await settled()
    expect(Object.keys(held)).toEqual(['a', 'b'])
    held.a.end()
    await settled()
    expect(Object.keys(held)).toEqual(['a', 'b'])
    held.b.end()
    await Promise.all(later)
    held.c.end()
    await rig.end()
  })

  test('the end waits for those that are written, and hurries their last look', async () => {
    const held = holding()
    const rig = createRig()
    await rig.begin('a')
    const end = rig.end()
    await settled()
    expect(looked).toEqual([])
    held.a.written()
    await settled()
    expect(looked).toEqual(['hurry'])
    held.a.end()
    await end
    expect(looked).toEqual(['hurry', 'close'])
  })

  test.each([
    ['on this machine', { runsOn: 'machine' }, 128],
    ['by the store', { server: {} }, 4],
  ])('so many small ones are under way %s, and others that only wait for the last look', async (_, how, most) => {
    const held = holding()
    const rig = createRig(how)
    const small = rig.pairOf('a')
    const begin = async name => await rig.objects.begin({ ...small, name }, COPY, () => {})
    const written = 4_096
    for (let i = 0; i < written; i++) {
      await begin(i)
      held[i].written()
    }
    for (let i = 0; i < most; i++) {
      await begin(written + i)
      held[written + i].written()
    }
    const waits = begin('last')
    await settled()
    expect(held.last).toBeUndefined()
    for (const { end } of Object.values(held)) end()
    await waits
    held.last.end()
    await rig.objects.ended()
  })

  test('those that are compared let others in when they leave', async () => {
    const rig = createRig(THERE)
    const pair = rig.pairOf('a')
    for (let i = 0; i < 150; i++) {
      await rig.objects.compared(pair, COMPARE)
      await rig.objects.begin(pair, COMPARE, rig.over('a'))
    }
    expect((await rig.end()).filter(line => line.startsWith('over')).length).toBe(150)
  })
})
