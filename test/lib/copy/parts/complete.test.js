'use strict'

/** What a completion ends with: by the store's answers, what it shows before and after, and what it is known to check or to compute. */

const { waited } = require('../../../support/waits')

const { multipartEtag } = require('../../../../lib/integrity')
const { complete, settleCompletion } = require('../../../../lib/copy/complete')
const { again, crcOf, createRiggedStore, errorOf, lost, md5Of } = require('../../../support/rigged-store')
const { NO_METADATA, refused, unanswered } = require('../../../support/rigged-store')

const KEY = 'key'
const TEXTS = ['aaa', 'bb']
const BODY = TEXTS.join('')
const SUMS = { crc32: crcOf(BODY) }
const tagOf = texts => multipartEtag(texts.map(text => ({ etag: `"${md5Of(text)}"` })))
/** The ETag of the copy, where ETags are MD5s. */
const TAG = tagOf(TEXTS)
const OTHER = '"other"'
const COMPUTES = { sums: { stored: [], checked: [], answered: [], computed: ['crc32'] } }
const denied = refused('ACCESS_DENIED', { status: 403 })
const failing = refused('STORE_REFUSED')
const gone = refused('UPLOAD_GONE', { status: 404 })
const missing = refused('NO_SUCH_KEY', { status: 404 })
const differs = refused('STORE_REFUSED', { status: 400, partsDiffer: true })

/** A HEAD shows this. */
const shows =
  (facts = {}) =>
  () => ({ bytes: BODY.length, etag: OTHER, lastModifiedMs: 2, metadata: {}, ...facts })
const RED = { headers: {}, user: { color: 'red' } }
const showsAlways = facts => Array(9).fill(shows(facts))
/** The store completes the upload, and answers this. */
const answers = facts => act => ({ ...act(), ...facts })
/** Somebody writes the key before the call. */
let rigged
const replaced = (text, happens) => act => {
  rigged.put(KEY, text, 1)
  return happens ? happens(act) : act()
}
/** Somebody writes a part again before the call. */
const rewritten = text => act => {
  rigged.write({ key: KEY, uploadId: 'upload-1', partNumber: 1 }, text)
  return act()
}

/** Completes an upload whose parts are all there. */
async function run({ there, trouble = {}, can, knowsParts, upload = {}, condition, wanted = {}, listed, ...how } = {}) {
  rigged = createRiggedStore({ trouble: again(trouble), can, knowsParts })
  if (there !== undefined) rigged.put(KEY, there, 1)
  const store = rigged.open()
  const { id, checksums } = await store.upload.create({ key: KEY, checksum: upload.checksums })
  const outcomes = TEXTS.map((text, i) => ({
    ...{ partNumber: i + 1, bytes: text.length, headers: {} },
    ...{ sums: how.plain ? {} : { crc32: crcOf(text), md5: md5Of(text) } },
    ...rigged.write({ key: KEY, uploadId: id, partNumber: i + 1 }, text),
  }))
  rigged.calls.length = 0
  const asked = []
  const { complete: ask } = store.upload
  store.upload.complete = (input, options) => {
    asked.push(input)
    return ask(input, options)
  }
  const notes = []
  const looks = listed && {
    of: async (...args) => {
      notes.push(args)
      return listed
    },
    denied: () => notes.push('denied'),
    mustList: key => notes.push(`must list ${key}`),
  }
  const job = {
    destination: { store, key: KEY, text: 's3://bucket/key' },
    settings: { condition: wanted },
    run: { emit: ({ code }) => notes.push(code), abort: how.abort },
  }
  const work = {
    ...{ job, object: { bytes: BODY.length, sums: how.ofSource }, attributes: { metadata: { headers: {}, user: {} } } },
    ...{ copies: how.copies, looks, onWritten: () => notes.push('written') },
  }
  const what = { sums: how.plain ? {} : SUMS, ...(condition && { condition }) }
  const ended = await complete(work, { id, checksums, ...upload }, outcomes, what).then(
    ({ stored, ...completed }) => ({ ...completed, looked: stored !== undefined }),
    error => ({ error: error.code, reason: error.facts.reason }),
  )
  const calls = rigged.calls.map(call => call.replace(` ${KEY}`, '')).join()
  return { ended, calls, asked, notes, waits: [...waited], is: rigged.text(KEY) }
}

const OURS = { etag: TAG, storedSums: {}, looked: true }
const OURS_SUMMED = { ...OURS, storedSums: SUMS }
const CHECKED = { checksums: true, checked: true }
const SEEN_BY_NOBODY = { etag: TAG, storedSums: {}, unseen: true, looked: false }
const UNANSWERED = Array(9).fill(unanswered)
const UNKNOWN = { error: 'OUTCOME_UNKNOWN' }
const UNSEEN = { ...UNKNOWN, reason: expect.stringMatching(/(lost|no ETag of it), and it cannot be looked at$/) }
const IF_NONE = { wanted: { ifNoneMatch: true } }

const THEIRS = { there: 'old' }
const IF_OLD = { condition: { ifMatch: `"${md5Of('old')}"` } }
const IGNORES = { can: { ignoresConditions: true } }
const UNMET = ['CONDITIONS_NOT_SUPPORTED']
const REFUSED = { wanted: { ifMatch: OTHER }, trouble: { head: [denied], complete: [refused('DESTINATION_EXISTS')] } }
test.each([
  ['is looked for before and after', {}, OURS],
  ['is looked for after it alone, where the store checks', { upload: CHECKED }, OURS_SUMMED, 'complete,head'],
  ['is looked for before it as well, where it has a condition', { upload: CHECKED, ...IF_NONE }, OURS_SUMMED],
  ['is requested where nobody may look', { trouble: { head: [denied] } }, OURS],
  ['is requested where a look fails', { trouble: { head: [failing] } }, OURS],
  ['is not requested where an object is there', { ...THEIRS, ...IF_NONE }, { error: 'DESTINATION_EXISTS' }, 'head'],
  ['has the condition that it is given, whatever the job wants', { ...THEIRS, ...IF_NONE, ...IF_OLD }, OURS],
  ['that is refused for its condition says which', REFUSED, { error: 'DESTINATION_CHANGED' }, 'head,complete'],
  ['without its condition is told', { ...IF_NONE, ...IGNORES }, { ...OURS, unconditional: true }, undefined, UNMET],
  ['that has no condition is not', IGNORES, OURS],
])('a completion %s', async (_, how, expected, calls = 'head,complete,head', notes = []) => {
  const found = await run(how)
  expect(found).toMatchObject({ calls, notes, waits: [] })
  expect(found.ended).toEqual({ ...expected, ...('error' in expected && { reason: found.ended.reason }) })
})

test('a completion lists the parts as they were sent, and the checksum of the whole where parts have one', async () => {
  const parts = TEXTS.map((text, i) => ({
    ...{ partNumber: i + 1, etag: `"${md5Of(text)}"`, bytes: text.length },
    sums: { crc32: crcOf(text), md5: md5Of(text) },
  }))
  const attributes = { metadata: { headers: {}, user: {} } }
  const all = { attributes, key: KEY, uploadId: 'upload-1', bytes: BODY.length, condition: {}, parts }
  expect((await run()).asked).toEqual([all])
  expect((await run({ upload: CHECKED })).asked).toEqual([{ ...all, sums: SUMS }])
})

test.each([
  ['are put together if nothing tells of it', { plain: true }, 'ok', 'complete,part 1,parts,complete,head'],
  ['are so once', { plain: true, second: differs }, 'STORE_REFUSED', 'complete,part 1,parts,complete'],
  ['are not if their checksums are not listed', {}, 'STORE_REFUSED', 'complete,part 1,parts'],
  ['are not if they may not be listed', { plain: true, parts: [denied] }, 'STORE_REFUSED', 'complete,part 1,parts'],
  ['are not if one has another size', { plain: true, text: 'xxxx' }, 'STORE_REFUSED', 'complete,part 1,parts'],
  ['are not listed after another refusal', { plain: true, first: failing }, 'STORE_REFUSED', 'complete'],
])('parts with other ETags: %s', async (_, { plain, first, second, parts = [], text = 'xxx' }, code, calls) => {
  const complete = [first ?? rewritten(text), second]
  const found = await run({ plain, trouble: { complete, parts } })
  expect(found.calls).toBe(`head,${calls}`)
  expect(found.ended).toMatchObject(code === 'ok' ? { etag: tagOf(['xxx', 'bb']) } : { error: code })
})

describe('after a completion that was answered', () => {
  const LONGEST = [100, 200, 400, 800, 1600, 3200, 6400]
  const noTag = { complete: [answers({ etag: '' })] }
  const listed = () => ({ parts: [] })
  const old = { bytes: 3, etag: `"${md5Of('old')}"`, lastModifiedMs: 1 }
  const doubtful = { etag: OTHER, storedSums: {}, doubtful: true, looked: true }

  const larger = shows({ bytes: 9 })
  const nineBytes = expect.stringContaining('9 bytes')
  const later = shows({ lastModifiedMs: 3, etag: TAG })
  const BAD = { error: 'BAD_ANSWER' }
  const stays = parts => ({ head: showsAlways(old), parts: [parts] })

  test.each([
    ['its version is that of the answer', { complete: [answers({ versionId: 'v1' })] }, { ...OURS, versionId: 'v1' }],
    ['or that which shows', { head: [undefined, shows({ etag: TAG, versionId: 'v2' })] }, { ...OURS, versionId: 'v2' }],
    ['an object without an ETag is the one that shows', noTag, OURS],
    ['one that nothing tells from it is, too', { ...noTag, head: [undefined, shows()] }, { ...OURS, etag: OTHER }],
    ['another ETag than that of the answer is doubtful', { head: [undefined, shows()] }, doubtful],
    ['another ETag and size are', { head: [undefined, larger] }, { ...doubtful, contradiction: nineBytes }],
    ['what does not show yet is waited for', { head: [undefined, missing, missing] }, OURS, [100, 200]],
    ['what was there before is not taken for it', { head: [shows(), shows(), later] }, OURS, [100]],
    ['what never shows is a wrong answer', { head: Array(9).fill(missing), parts: [listed] }, BAD, LONGEST],
    ['what stays as it was is', stays(listed), BAD, LONGEST],
    ['an upload that is gone, and no object, is told', stays(gone), { error: 'UPLOAD_GONE' }, LONGEST],
    ['a list of its parts that fails otherwise tells nothing', stays(denied), BAD, LONGEST],
  ])('%s', async (_, trouble, expected, waits = []) => {
    const { ended, ...found } = await run({ trouble })
    expect(ended).toEqual('error' in expected ? expect.objectContaining(expected) : expected)
    expect(found.waits).toEqual(waits)
    expect(found.calls.includes('parts')).toBe(waits === LONGEST)
  })

  test('whoever stops while it does not show yet is told that, and of no defect', async () => {
    const stop = new AbortController()
    const stops = () => {
      stop.abort(errorOf('TIMED_OUT', { afterMs: 2000 }))
      return missing()
    }
    expect((await run({ abort: stop.signal, trouble: { head: [missing, stops] } })).ended.error).toBe('TIMED_OUT')
  })

  test('what is said of it tells nothing from another object', async () => {
    const reasonOf = async head => (await run({ trouble: { head, parts: [listed] } })).ended.reason
    expect(await reasonOf(Array(9).fill(missing))).toContain('no object')
    expect(await reasonOf(showsAlways(old))).toContain('the object that was there before')
  })

  describe('where the store checks, so that nobody looked before', () => {
    const noSum = shows()
    const GONE = { head: showsAlways(), parts: [gone] }
    const complete = [answers({ sums: SUMS })]
    const another = { etag: OTHER, storedSums: {}, doubtful: true, looked: true }

    test.each([
      ['an object without its checksum may be the one before', { head: [noSum, noSum] }, OURS_SUMMED, [100, 200], 0],
      ['in the end it is doubtful', { head: showsAlways(), parts: [listed] }, another, LONGEST, 1],
      ['also if the upload is gone, where the answer has its checksum', { ...GONE, complete }, another, LONGEST, 0],
      ['but not where the answer has none', GONE, { error: 'UPLOAD_GONE' }, LONGEST, 1],
      ['one with its checksum is ours', { head: [shows({ sums: SUMS })] }, { ...OURS_SUMMED, etag: OTHER }, [], 0],
    ])('%s', async (_, { complete = [answers({ sums: undefined })], ...trouble }, expected, waits, lists) => {
      const found = await run({ upload: CHECKED, trouble: { ...trouble, complete } })
      expect(found.ended).toEqual('error' in expected ? expect.objectContaining(expected) : expected)
      expect(found.waits).toEqual(waits)
      expect(found.calls.split(',').filter(call => call === 'parts')).toHaveLength(lists)
    })
  })

  test.each([
    ['where the store checks', { upload: CHECKED, ...IF_NONE }, undefined],
    ['where nobody could look before', {}, denied],
  ])('an object that nobody saw before is doubtful at once %s', async (_, how, before) => {
    const found = await run({ ...how, trouble: { head: [before, shows()] } })
    expect(found).toMatchObject({ ended: { etag: OTHER, doubtful: true }, waits: [] })
  })

  test.each([
    ['one look at a list shows it', 'shown', {}, { etag: TAG, storedSums: {}, looked: false }, 'head,complete', []],
    ['a list that lacks it is told of', 'unlisted', {}, OURS, 'head,complete,head', ['must list key']],
    ['nobody may list', 'denied', {}, SEEN_BY_NOBODY, 'head,complete', ['denied', 'COPY_NOT_LOOKED_AT']],
    ['a list says nothing', 'none', {}, OURS, 'head,complete,head', []],
  ])('of many objects: %s', async (_, listed, trouble, expected, calls, notes) => {
    const found = await run({ listed, trouble })
    expect(found).toMatchObject({ ended: expected, calls })
    expect(found.notes).toEqual(['written', [KEY, { bytes: BODY.length, etag: TAG }], ...notes])
  })

  test.each([
    ['an answer has no ETag', { trouble: noTag }],
    ['the store is a file system', { can: { written: true } }],
  ])('of many objects it is looked at alone where %s', async (_, how) => {
    expect(await run({ listed: 'shown', ...how })).toMatchObject({ calls: 'head,complete,head', notes: [] })
  })

  test('where nobody may look the answer counts, if it has an ETag', async () => {
    const head = [denied, denied]
    const notes = ['COPY_NOT_LOOKED_AT']
    expect(await run({ trouble: { head } })).toMatchObject({ ended: SEEN_BY_NOBODY, notes })
    expect(await run({ trouble: { head: [denied, denied], ...noTag } })).toMatchObject({ ended: UNSEEN, notes })
  })
})

describe('after a completion that was not answered', () => {
  const FAILS = { error: 'STORE_UNREACHABLE' }
  const GONE = { error: 'UPLOAD_GONE' }
  const REPLACED = { trouble: { complete: [replaced(BODY, gone)] } }
  const NEVER = { trouble: { complete: UNANSWERED } }
  const computed = sums => ({ can: COMPUTES, trouble: { complete: [lost, gone], head: [undefined, shows({ sums })] } })
  const GOES = { complete: [unanswered, gone], head: [undefined, shows()] }
  const red = shows({ sums: SUMS, metadata: RED })
  const unclear = { ...UNKNOWN, reason: 'an answer was lost, and nothing tells whether what is there is the copy' }

  test.each([
    ['it is ours by its ETag', { trouble: { complete: [lost, gone] } }, OURS],
    ['it is ours by its checksum', computed(SUMS), { ...OURS_SUMMED, etag: OTHER }],
    ['another checksum is not', computed({ crc32: '00000001' }), GONE],
    [
      'nor what was there before, with other attributes',
      { can: COMPUTES, trouble: { complete: UNANSWERED, head: [red, red] } },
      FAILS,
    ],
    ['another size is not', { trouble: { complete: [unanswered, replaced('x', gone)] } }, GONE],
    ['another ETag is doubtful, for a read-back', { trouble: GOES }, { ...OURS, etag: OTHER, doubtful: true }],
    ['and unknown, where there is nothing to compare a read-back with', { plain: true, trouble: GOES }, unclear],
    ['it is unknown where nobody may look', { trouble: { complete: UNANSWERED, head: [undefined, denied] } }, UNSEEN],
    ['it is unknown where a look fails', { trouble: { complete: UNANSWERED, head: [undefined, failing] } }, UNSEEN],
    ['what was there before is not ours', { there: 'xxxxx', ...NEVER }, FAILS],
    ['one that was asked for before may be there', { upload: { asked: true }, ...REPLACED }, { doubtful: true }],
    ['one that nobody asked for is not', REPLACED, GONE],
    ['after Ctrl-C nobody looks', { abort: AbortSignal.abort(), ...NEVER }, FAILS],
  ])('%s', async (_, how, expected) => {
    const { ended, calls } = await run(how)
    expect(ended).toMatchObject(expected)
    expect(calls.endsWith('abort')).toBe(!('error' in expected))
    if (how.abort) expect(calls).toBe('head,complete,complete,complete,complete')
  })

  test.each([
    ['an object of its parts is ours, though it was refused', { complete: [lost, refused('STORE_REFUSED')] }, OURS],
    ['and where the answer alone is a refusal', { complete: [act => refused('STORE_REFUSED')(act())] }, OURS],
    ['an object of other parts is not', { complete: [unanswered, replaced(BODY, gone)] }, GONE],
    ['where it does not say the object is judged', { complete: [lost, gone], made: [denied] }, OURS],
    ['a refusal is one where it does not say', { complete: [act => gone(act())], made: [denied] }, GONE],
    ['it is not asked where nothing is there', { complete: [gone] }, GONE],
  ])('of a store that knows what parts its objects have: %s', async (_, trouble, expected) => {
    expect(await run({ knowsParts: true, trouble })).toMatchObject({ ended: expected })
  })
})

const COPIES = { copies: {}, plain: true, ofSource: SUMS }
const otherParts = (sums = {}) => shows({ etag: `"${md5Of('x')}-2"`, sums })
const showing = (...head) => ({ trouble: { head } })

test.each([
  ['the checksum of the source of a copy by the store', { ...COPIES, ofSource: { crc32: '00000001' } }, 'CRC-32'],
  ['not if it is equal', COPIES, undefined],
  ['of another copy what was read counts', { ofSource: { crc32: '00000001' } }, undefined],
  ['an ETag that is not made of the parts', { can: {}, ...showing(undefined, otherParts()) }, 'its ETag is'],
  ['not where the checksum of the whole is equal', showing(undefined, otherParts(SUMS)), undefined],
  ['not where the store checked it', { upload: CHECKED, ...showing(otherParts(SUMS)) }, undefined],
])('what speaks against an object: %s', async (_, how, expected) => {
  const { ended } = await run({ can: COMPUTES, ...how })
  expect(ended.contradiction).toEqual(expected && expect.stringContaining(expected))
})

const KEEPS = { keepsMetadata: true }
const PARTS = TEXTS.map(text => ({ etag: `"${md5Of(text)}"` }))
test.each([
  ['nothing is there', { head: missing }, undefined],
  ['another size', { head: shows({ bytes: 9 }) }, undefined],
  ['its ETag', { head: shows({ etag: TAG }) }, { etag: TAG }],
  ['another ETag', { head: shows() }, { etag: OTHER, doubtful: true }],
  ['its checksum', { head: shows({ sums: SUMS }), kept: ['crc32'] }, { etag: OTHER, sums: SUMS }],
  [
    'its checksum, beside other attributes',
    { head: shows({ sums: SUMS, metadata: RED }), kept: ['crc32'], can: KEEPS },
    undefined,
  ],
  ['a checksum that may be an echo', { head: shows({ sums: SUMS }) }, { etag: OTHER, doubtful: true }],
  ['its parts, as the store says', { head: shows(), made: () => OTHER }, { etag: OTHER }],
  ['other parts', { head: shows({ etag: TAG }), made: () => undefined }, undefined],
  ['another object of its parts', { head: shows({ etag: TAG }), made: () => OTHER }, undefined],
  ['parts of which the store tells nothing', { head: shows({ etag: TAG }), made: denied }, { etag: TAG }],
  ['no parts at all', { head: shows({ bytes: 0 }), made: denied, parts: [], bytes: 0 }, { doubtful: true }],
])('what an earlier completion has left is judged: %s', async (_, how, expected) => {
  const { head, made, parts = PARTS, bytes = BODY.length, kept, can } = how
  rigged = createRiggedStore({ trouble: { head: [head], made: [made] }, knowsParts: made !== undefined, can })
  const sent = { bytes, parts, kept, sums: SUMS, attributes: { metadata: NO_METADATA } }
  const found = await settleCompletion({ store: rigged.open(), key: KEY, ...sent })
  const told = {
    ...found,
    bytes: sent.bytes,
    lastModifiedMs: 2,
    metadata: {},
    ...expected,
    doubtful: expected?.doubtful,
  }
  expect(found).toEqual(expected && told)
  expect(rigged.calls.includes(`made ${KEY}`)).toBe(made !== undefined && parts.length > 0)
})

test('an earlier completion is not judged where nobody may look', async () => {
  rigged = createRiggedStore({ trouble: { head: [denied] } })
  const sent = { store: rigged.open(), key: KEY, bytes: 5, sums: SUMS, parts: [] }
  await expect(settleCompletion(sent)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
})
