'use strict'

/** How uploads are ended that nobody completes: what is asked for, what the journal has, and what is told of those that stay. */

const { waited } = require('../../support/waits')

const destination = require('../../../lib/destination')
const { abortLeft, abortOwnUpload, abortUntilGone, clearCreating, countParts, findLost } = destination
const { isGone, lapseOf, mayHaveCreated, reportLost, tellLapse, tryUpload } = destination
const { createRiggedJournal } = require('../../support/rigged-journal')
const { again, createRiggedStore, errorOf, lost, notSent, refused, unanswered } = require('../../support/rigged-store')

const KEY = 'key'
const NOW = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const denied = refused('ACCESS_DENIED', { status: 403 })
const gone = refused('UPLOAD_GONE', { status: 404 })
const hasParts = () => ({ parts: [{ partNumber: 1 }] })
const LAPSE = { afterMs: 7 * 86_400_000, words: 'in a week' }

/** The destination of a job, with uploads that earlier runs have left. */
function createEnd({ trouble = {}, uploads = [], facts, lapses = false, parts = [] } = {}) {
  const rigged = createRiggedStore({ trouble: again(trouble), now: () => NOW })
  for (const id of uploads) rigged.uploads.set(id, { key: KEY, summed: false, parts: new Map() })
  const store = rigged.open()
  if (lapses) Object.assign(store.upload, { abort: undefined, lapse: LAPSE })
  const journal = createRiggedJournal(facts)
  const begun = facts?.length ?? 0
  const told = []
  const opened = journal.open()
  for (const partNumber of parts) opened.state.parts.set(partNumber, {})
  const emit = ({ code, facts: { uploadId, lapsesMs, parts } }) =>
    told.push([code, uploadId, parts, lapsesMs].filter(one => one !== undefined).join(' '))
  return {
    job: { destination: { store, key: KEY, text: 's3://bucket/key' }, run: { journal: opened, emit } },
    store,
    told,
    calls: () => rigged.calls.join(),
    noted: () =>
      journal.facts
        .slice(begun)
        .map(({ type, upload, canary }) => [type, upload, canary && 'canary'].filter(Boolean).join(' '))
        .join(),
    left: () => [...rigged.uploads.keys()].join(),
  }
}
const codeOf = promise => promise.catch(({ code }) => code)

const ABORTED = 'abort key,parts key'
const TWICE = `${ABORTED},${ABORTED}`

test.each([
  ['is aborted', {}, 'aborted', ABORTED, []],
  ['is gone already', { abort: [gone] }, 'gone', 'abort key', []],
  ['is aborted again for a late part', { abort: [undefined, () => {}], parts: [hasParts] }, 'aborted', TWICE, [100]],
  ['is gone after that', { parts: [hasParts] }, 'aborted', `${ABORTED},abort key`, [100]],
  ['is aborted where nobody may list its parts', { parts: [denied] }, 'aborted', ABORTED, []],
  ['may be there after another error', { parts: [refused('STORE_REFUSED')] }, 'STORE_REFUSED', ABORTED, []],
  ['may not be aborted', { abort: [denied] }, 'ACCESS_DENIED', 'abort key', []],
])('an upload %s', async (_, trouble, expected, calls, waits) => {
  const end = createEnd({ trouble, uploads: ['u'] })
  expect(await codeOf(abortUntilGone(end.store, KEY, 'u'))).toBe(expected)
  expect([end.calls(), waited]).toEqual([calls, waits])
})

test('an upload is waited for ever longer, up to two seconds', async () => {
  const trouble = { abort: Array(8).fill(() => {}), parts: Array(7).fill(hasParts) }
  expect(await abortUntilGone(createEnd({ trouble, uploads: ['u'] }).store, KEY, 'u')).toBe('aborted')
  expect(waited).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
})

test('an upload lapses where there is no such call', async () => {
  const end = createEnd({ lapses: true, uploads: ['u'] })
  expect([await abortUntilGone(end.store, KEY, 'u'), end.calls()]).toEqual(['lapses', ''])
})

test.each([
  ['all of its key without parts are aborted', {}, 'aborted', ''],
  ['one with parts stays', { parts: [hasParts] }, 'aborted', 'a'],
  ['one that is gone by then is left alone', { parts: [gone] }, 'aborted', 'a'],
  ['none is found where uploads are not listed', { pending: [refused('STORE_REFUSED')] }, 'gone', 'a,b'],
  ['they may be there after another error', { pending: [denied] }, 'ACCESS_DENIED', 'a,b'],
  ['they are gone where there is none', { pending: [() => ({ uploads: [] })] }, 'gone', 'a,b'],
])('an upload of which nobody knows the id: %s', async (_, trouble, expected, left) => {
  const end = createEnd({ trouble, uploads: ['a', 'b'] })
  expect([await codeOf(abortUntilGone(end.store, KEY, '')), end.left()]).toEqual([expected, left])
})

describe('an upload of the job', () => {
  const DENIES = { trouble: { abort: [denied] } }
  const UNLISTED = { trouble: { pending: [denied] } }
  const FAILS = { trouble: { abort: [refused('STORE_REFUSED')] } }
  const CANARY = 'abort key.xfer-canary'
  const OURS = 'abort key,parts key,pending key,parts key'
  test.each([
    ['is gone from the journal', {}, { id: 'u' }, 'done; gone u;'],
    ['stays in it where it may not be aborted', DENIES, { id: 'u' }, 'done; gone u,left u; UPLOAD_NOT_ABORTED u'],
    ['stays a canary', DENIES, { id: 'u', canary: true }, 'done; gone u,left u canary; UPLOAD_NOT_ABORTED u'],
    ['of no id is told without', UNLISTED, { id: '', canary: true }, 'done; gone,left canary; UPLOAD_NOT_ABORTED'],
    ['stays after another error', FAILS, { id: 'u' }, 'STORE_REFUSED; ;'],
    ['lapses', { lapses: true, parts: [1, 2] }, { id: 'u' }, `done; gone u; PARTS_LAPSE 2 ${NOW + LAPSE.afterMs}`],
    ['lapses, and has no parts', { lapses: true }, { id: 'u' }, 'done; gone u;'],
  ])('%s', async (_, how, upload, expected) => {
    const end = createEnd({ uploads: ['u'], ...how })
    const code = await codeOf(abortOwnUpload(end.job, upload).then(() => 'done'))
    expect([code, end.noted(), end.told.join()].join('; ').trim()).toBe(expected)
    if (upload.canary && upload.id) expect(end.calls()).toBe(CANARY)
  })

  test.each([
    ['all are aborted, and a lost one is told of', {}, [], 'done', `${CANARY},parts key.xfer-canary,${OURS}`],
    ['one that may not be aborted ends that', DENIES, [], 'ACCESS_DENIED', CANARY],
    ['unless somebody accepts it', DENIES, [() => {}], 'done', `${CANARY},${OURS}`],
  ])('that nobody goes on with: %s', async (_, how, more, expected, calls) => {
    const facts = ['c', 'u'].map(id => ({ type: 'upload', id }))
    const end = createEnd({ ...how, uploads: ['c', 'u', 'other'], facts })
    const object = { left: [{ id: 'c', canary: true }], upload: { id: 'u' }, creatingMs: NOW, parts: new Map() }
    expect(await codeOf(abortLeft(end.job, object, undefined, ...more).then(() => 'done'))).toBe(expected)
    expect([end.calls(), end.told.join()]).toEqual([calls, expected === 'done' ? 'LOST_UPLOAD other' : ''])
  })

  test('that nobody goes on with lapses, and no creation is looked for that was answered', async () => {
    const end = createEnd({ lapses: true })
    await abortLeft(end.job, { left: [], upload: { id: 'u' }, parts: new Map([[1, {}]]) })
    expect([end.calls(), end.told]).toEqual(['', [`PARTS_LAPSE 1 ${NOW + LAPSE.afterMs}`]])
  })
})

test.each([
  ['is not looked for if there was none', undefined, { uploads: ['x'] }, '', '', ''],
  ['has left one', NOW, { uploads: ['x', 'ours'] }, 'pending key,parts key', 'cleared', 'LOST_UPLOAD x'],
  ['has left none', NOW, {}, 'pending key', 'cleared', ''],
  ['may have left one', NOW, { trouble: { pending: [denied] } }, 'pending key', 'cleared', 'LOST_UPLOAD'],
])('a creation that was not answered %s', async (_, creatingMs, how, calls, noted, told) => {
  const end = createEnd(how)
  Object.assign(end.job.run.journal.state, { creatingMs })
  await clearCreating(end.job, ['ours'])
  expect([end.calls(), end.noted(), end.told.join()]).toEqual([calls, noted, told])
})

test('a creation that was not answered is looked for again after an error that may pass', async () => {
  const end = createEnd({ trouble: { pending: Array(9).fill(unanswered) } })
  await expect(reportLost(end.job, { createdMs: NOW })).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  expect(end.told).toEqual([])
})

test.each([
  ['two minutes before', { initiatedMs: NOW - 2 * MINUTE_MS }, true],
  ['earlier', { initiatedMs: NOW - 2 * MINUTE_MS - 1 }, false],
  ['15 minutes after', { initiatedMs: NOW + 15 * MINUTE_MS }, true],
  ['later', { initiatedMs: NOW + 15 * MINUTE_MS + 1 }, false],
  ['at an unknown time, by a user that its store does not tell', {}, true],
  ['by the same user', { initiator: 'us' }, true],
  ['by another user', { initiator: 'them' }, false],
  ['and has a part', { id: 'begun' }, false],
  ['and is known', { id: 'known' }, false],
])('a creation that was not answered may be one that was created %s', async (_, upload, expected) => {
  const uploads = [
    { id: 'ours', initiator: 'us' },
    { id: 'x', ...upload },
  ].map(one => ({ key: KEY, ...one }))
  const parts = async ({ uploadId }) => (uploadId === 'begun' ? hasParts() : { parts: [] })
  const store = { upload: { pending: async () => ({ uploads }), parts } }
  const how = { store, key: KEY, createdMs: NOW, known: new Set(['known']), ours: ['ours'] }
  expect(await findLost(how)).toEqual(expected ? ['x'] : [])
})

test('a creation that was not answered is nothing where parts lapse', async () => {
  const { store, calls } = createEnd({ lapses: true, uploads: ['x'] })
  expect([await findLost({ store, key: KEY, createdMs: NOW, known: new Set() }), calls()]).toEqual([[], ''])
})

test.each([
  ['STORE_REFUSED', {}, false],
  ['ACCESS_DENIED', {}, false],
  ['NO_SUCH_BUCKET', {}, false],
  ['STORE_UNREACHABLE', { reason: 'ECONNREFUSED' }, false],
  ['STORE_UNREACHABLE', { reason: 'EAI_FAIL' }, false],
  ['STORE_UNREACHABLE', { reason: 'ECONNRESET' }, true],
  ['STORE_ERROR', {}, true],
])('a creation that ends with %s %j may have happened: %s', (code, facts, expected) => {
  expect(mayHaveCreated(errorOf(code, facts))).toBe(expected)
})

describe('an upload to try something', () => {
  const use = async ({ id }) => `used ${id}`
  const [REFUSED, UNREACHABLE] = ['STORE_REFUSED', 'STORE_UNREACHABLE']
  const LEFT = id => `left canary,left ${id} canary`
  const ENDED = id => `${LEFT(id)},gone ${id},gone`
  const NONE = 'left canary,gone'
  const TWO = 'create create'
  const UNSENT = { create: Array(9).fill(notSent) }
  const LAST_LOST = [notSent, notSent, notSent, lost]
  const FOUND = 'pending parts abort parts'
  const UNSEEN = { create: Array(9).fill(unanswered), pending: [denied] }

  test.each([
    ['without parts needs one call', {}, false, 'used upload-1', ENDED('upload-1'), 'create abort'],
    ['with parts is aborted to its end', {}, true, 'used upload-1', ENDED('upload-1'), 'create abort parts'],
    ['that is refused leaves none', { create: [refused(REFUSED)] }, false, REFUSED, NONE, 'create'],
    ['that is not sent leaves nothing', UNSENT, false, UNREACHABLE, NONE, `${TWO} ${TWO}`],
    ['lost is looked for', { create: [lost] }, false, 'used upload-2', ENDED('upload-2'), `${TWO} abort ${FOUND}`],
    ['lost at last, too', { create: LAST_LOST }, false, UNREACHABLE, NONE, `${TWO} ${TWO} ${FOUND}`],
    ['that stays is told', { abort: [denied] }, true, 'used upload-1', LEFT('upload-1'), 'create abort', ' upload-1'],
    ['unseen is told without an id', UNSEEN, true, UNREACHABLE, 'left canary', `${TWO} ${TWO} pending`, ''],
  ])('%s', async (_, trouble, checksum, ended, noted, calls, told = undefined) => {
    const end = createEnd({ trouble })
    const { journal, emit } = end.job.run
    const asked = { store: end.store, key: KEY, checksum, journal, emit }
    expect([await codeOf(tryUpload(asked, use)), end.noted()]).toEqual([ended, noted])
    expect(end.calls()).toBe(calls.replace(/\w+/g, '$& key').replaceAll('key ', 'key,'))
    expect(end.told).toEqual(told === undefined ? [] : [`UPLOAD_NOT_ABORTED${told}`])
  })

  test('is aborted where the trial fails', async () => {
    const end = createEnd()
    const fails = tryUpload({ store: end.store, key: KEY, checksum: true, emit() {} }, refused('STORE_ERROR'))
    await expect(fails).rejects.toMatchObject({ code: 'STORE_ERROR' })
    expect(end.left()).toBe('')
  })
})

const lapsing = { upload: { lapse: LAPSE }, facts: {}, now: () => NOW }

test.each([
  ['of which nothing is known', {}, { part: 'part', words: 'in a week' }],
  ['of a known number', { parts: 0 }, { part: 'part', words: 'in a week', parts: 0 }],
  ['of a known time', { lastMs: 1 }, { part: 'part', words: 'in a week', lapsesMs: 1 + LAPSE.afterMs }],
])('parts %s lapse', (_, found, expected) => {
  expect(lapseOf(lapsing, found)).toEqual(expected)
  const facts = { terms: { part: 'block' } }
  expect(lapseOf({ ...lapsing, facts }, found)).toEqual({ ...expected, part: 'block' })
})

test('parts are told of if there are any', () => {
  const told = []
  for (const parts of [0, 1]) tellLapse({ store: lapsing, text: 'x' }, parts, ({ facts }) => told.push(facts.parts))
  expect(told).toEqual([1])
})

test('parts are counted by their ETags, or as the journal knows them', async () => {
  const listed = ['"a"', '"b"', '"a"'].map((etag, i) => ({ partNumber: i + 1, etag, bytes: 1 }))
  const count = happens =>
    countParts(createEnd({ trouble: { parts: [happens] } }).store, { key: KEY, uploadId: 'u' }, 7)
  expect([await count(() => ({ parts: listed })), await count(denied)]).toEqual([2, 7])
})

test('parts are gone with their upload', () => {
  expect(['UPLOAD_GONE', 'NO_SUCH_KEY', 'ACCESS_DENIED'].map(code => isGone({ code }))).toEqual([true, true, false])
})
