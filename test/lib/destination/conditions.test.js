'use strict'

/** When the destination is looked at, what a condition is worth, and how a wrong copy is removed, at a store that shows whatever the test says. */

const { waited } = require('../../support/waits')

const { acceptGone, checkDestination, judgeCondition, lookUntilShown } = require('../../../lib/destination')
const { notTheCopy, readCondition, removeWrong } = require('../../../lib/destination')
const { again, createRiggedStore, denied, errorOf, refused, unanswered } = require('../../support/rigged-store')

const KEY = 'key'
const ETAG = '"ours"'
const OTHER = '"other"'
const missing = refused('NO_SUCH_KEY', { status: 404 })
const failing = refused('STORE_REFUSED')
const shows =
  (etag = ETAG, more = {}) =>
  () => ({ bytes: 1, etag, lastModifiedMs: 1, ...more })
const nothing = () => undefined

/** A store whose calls end like this, and what it was asked for. */
function storeOf(trouble, more = {}) {
  const rigged = createRiggedStore({ trouble: again(trouble) })
  const store = { ...rigged.open(), ...more }
  const removed = []
  const { remove } = store
  store.remove = (object, how) => {
    removed.push(object)
    return remove(object, how)
  }
  return { store, removed, calls: () => rigged.calls.map(call => call.replace(` ${KEY}`, '')).join() }
}

describe('a wrong copy', () => {
  const REMOVED = 'it was removed, so that nothing is there now'
  const UNVERSIONED = `${REMOVED}, nor what it may have replaced`
  const REPLACED = 'somebody else has replaced it meanwhile, and that object was left alone'
  const STILL = 'the wrong object is still there, for it could not be removed'
  const STAYS = 'the wrong object is still there, though its store answered that it was removed'
  const BEFORE = /^it was removed, and the version before it/
  const byTag = { key: KEY, etag: ETAG }
  const byVersion = { key: KEY, versionId: 'v1' }
  const exists = refused('DESTINATION_EXISTS', { status: 412 })
  /** Its store refuses a removal with a condition. */
  const refuses = status => ({ head: [shows(), missing], remove: [refused('STORE_REFUSED', { status }), nothing] })
  const TWICE = 'head,remove,remove,head'
  const removes = happens => ({ head: [shows()], remove: [happens] })
  const WITHOUT = [byTag, { key: KEY }]
  const later = (...head) => ({ head: [shows(), ...head], remove: [nothing] })

  test.each([
    ['is removed if it is there', later(missing), UNVERSIONED],
    ['is not if another one is there', { head: [shows(OTHER)] }, REPLACED, [], 'head'],
    ['is not if nothing is there', { head: [missing] }, 'nothing is there now', [], 'head'],
    ['is not if nobody may look', { head: [denied] }, /^it was left there/, [], 'head'],
    ['is not if a look fails', { head: [failing] }, STILL, [], 'head'],
    ['is there if it shows after that', later(shows()), STAYS],
    ['is gone if another one shows after that', later(shows(OTHER)), /^it was removed, and somebody else has written/],
    ['is gone if nobody can look after that', later(denied), UNVERSIONED],
    ['is gone if a look fails after that', later(failing), UNVERSIONED],
    ['is gone if its store says so', removes(missing), 'nothing is there now', [byTag], 'head,remove'],
    ['is removed without a condition where there is none', refuses(501), UNVERSIONED, WITHOUT, TWICE],
    ['or where it refuses that as a mistake', refuses(400), UNVERSIONED, WITHOUT, TWICE],
    ['but not where it refuses something else', refuses(405), STILL, [byTag], 'head,remove'],
    ['nor where nobody may', removes(refused('ACCESS_DENIED', { status: 400 })), STILL, [byTag], 'head,remove'],
    ['was replaced if the condition does not hold', { ...later(shows(OTHER)), remove: [exists] }, REPLACED],
    ['also if nobody can look then', { ...later(denied), remove: [exists] }, REPLACED],
    ['also if a look fails then', { ...later(failing), remove: [exists] }, REPLACED],
    ['was removed before if then nothing is there', { ...later(missing), remove: [exists] }, UNVERSIONED],
    ['also by an unanswered call', { ...later(missing), remove: [unanswered, exists] }, UNVERSIONED, [byTag], TWICE],
  ])('%s', async (_, trouble, says, removals = [byTag], calls = 'head,remove,head') => {
    const { store, removed, ...asked } = storeOf(trouble)
    const said = await removeWrong({ store, key: KEY }, { etag: ETAG })
    if (says instanceof RegExp) expect(said).toMatch(says)
    else expect(said.slice(0, says.length)).toBe(says)
    expect([removed, asked.calls()]).toEqual([removals, calls])
  })

  test.each([
    ['is removed, whatever is there now', [missing], REMOVED],
    ['is gone if nobody can look after that', [denied], 'its version was removed'],
    ['is gone if a look fails after that', [failing], 'its version was removed'],
    ['is there if it shows after that', [shows(ETAG, { versionId: 'v1' })], STAYS],
    ['is gone if another version shows', [shows(ETAG, { versionId: 'v0' })], BEFORE],
    ['is gone if another one shows', [shows(OTHER, { versionId: 'v1' })], BEFORE],
  ])('of a known version %s', async (_, head, says) => {
    const { store, removed, calls } = storeOf({ head, remove: [nothing] })
    const said = await removeWrong({ store, key: KEY }, { etag: ETAG, versionId: 'v1' })
    expect(said).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says)
    expect([removed, calls()]).toEqual([[byVersion], 'remove,head'])
  })

  test('of a known version that stays is told with its version', async () => {
    for (const happens of [denied, refused('STORE_REFUSED', { status: 501 })]) {
      const { store, calls } = storeOf({ remove: [happens] })
      const said = await removeWrong({ store, key: KEY }, { etag: ETAG, versionId: 'v1' })
      expect(said).toMatch(/^the wrong object is still there, for .*[^.]\); deleting its version v1 brings back/)
      expect(calls()).toBe('remove')
    }
  })

  test('of the version of a suspended versioning is removed by its ETag', async () => {
    const { store, removed } = storeOf(later(missing))
    expect(await removeWrong({ store, key: KEY }, { etag: ETAG, versionId: 'null' })).toBe(UNVERSIONED)
    expect(removed).toEqual([byTag])
  })

  test('that shows its version is removed by that', async () => {
    const { store, removed } = storeOf({ head: [shows(ETAG, { versionId: 'v2' }), missing], remove: [nothing] })
    expect(await removeWrong({ store, key: KEY }, { etag: ETAG })).toBe(REMOVED)
    expect(removed).toEqual([{ key: KEY, versionId: 'v2' }])
  })
})

/** What was found, what was asked, and whether its store was to make itself known. */
async function check({ there, condition = {}, dryRun = false, completing, named, inParts, introduces }) {
  const known = []
  const { store, calls } = storeOf({ head: [there ? shows() : missing] })
  if (named !== undefined) store.named = () => named
  if (introduces) store.introduce = async ask => known.push('introduced') && (await ask())
  const trust = { known: async ({ prefix }) => known.push(prefix) }
  const run = { journal: { state: { completing } } }
  const job = { destination: { store, key: KEY }, settings: { condition, dryRun }, trust, run }
  const found = await checkDestination(job, inParts === undefined ? undefined : { inParts }).then(
    found => found && (found.object ? 'there' : 'nothing'),
    ({ code }) => code,
  )
  return [found, calls(), known.join()]
}
const none = { ifNoneMatch: true }
const REFUSED = { there: true, condition: none }

test.each([
  ['nobody looks without a condition', { there: true }, [undefined, '', '']],
  ['its store makes itself known, for parts', { there: true, inParts: true }, [undefined, '', KEY]],
  ['nor where its store has told its name', { there: true, named: true }, [undefined, '', '']],
  ['somebody looks where it has not', { there: true, named: false }, ['there', 'head', '']],
  ['one call does so for many', { named: false, introduces: true }, ['nothing', 'head', 'introduced']],
  ['a dry run looks', { dryRun: true }, ['nothing', 'head', '']],
  ['a condition is checked', REFUSED, ['DESTINATION_EXISTS', 'head', '']],
  ['one that holds is, too', { condition: none, inParts: true }, ['nothing', 'head', '']],
  ['one that another object be there is', { condition: { ifMatch: ETAG } }, ['DESTINATION_CHANGED', 'head', '']],
  ['not that of a job that may have put it there', { ...REFUSED, completing: {} }, [undefined, '', '']],
])('before a copy %s', async (_, how, expected) => expect(await check(how)).toEqual(expected))

test.each([
  ['nothing without a condition', {}, {}, [shows()], undefined],
  ['atomic where the store heeds it', { heeds: true }, {}, [], 'atomic'],
  ['not where it was written without it', { heeds: true }, { unconditional: true }, [shows()], 'checked'],
  ['checked where the object was seen', {}, { stored: {} }, [], 'checked'],
  ['checked where one can look', {}, {}, [shows()], 'checked'],
  ['checked where nothing shows', {}, {}, [missing], 'checked'],
  ['only asked where nobody may look', {}, {}, [denied], 'asked'],
  ['only asked where a look fails', {}, {}, [failing], 'asked'],
])('a condition is %s', async (_, { heeds }, written, head, expected) => {
  const asked = []
  const { store, calls } = storeOf({ head }, heeds && { heeds: how => asked.push(how) > 0 })
  const condition = expected === undefined ? {} : { ifNoneMatch: true }
  const job = { destination: { store, key: KEY }, settings: { condition }, run: {} }
  expect(await judgeCondition(job, written, { upload: true })).toBe(expected)
  expect(calls()).toBe(expected !== undefined && head.length > 0 ? 'head' : '')
  if (expected === 'atomic') expect(asked).toEqual([{ upload: true }])
})

test.each([
  ['at once', [shows()], { object: { etag: ETAG } }, []],
  ['a moment later', [missing, shows(OTHER), shows()], { object: { etag: ETAG } }, [100, 300]],
  ['never', Array(9).fill(shows(OTHER)), { object: { etag: OTHER } }, [100, 300, 900]],
  ['to nobody', [denied], { denied: true }, []],
  ['to nobody, because of an error', [failing], { denied: true, error: { code: 'STORE_REFUSED' } }, []],
])('a written object shows %s', async (_, head, expected, waits) => {
  const { store } = storeOf({ head })
  expect(await lookUntilShown({ store, key: KEY }, ETAG)).toMatchObject(expected)
  expect(waited).toEqual(waits)
})

test('after Ctrl-C nobody looks for it', async () => {
  const { store } = storeOf({ head: [failing] })
  const looked = lookUntilShown({ store, key: KEY }, ETAG, AbortSignal.abort())
  await expect(looked).rejects.toMatchObject({ code: 'STORE_REFUSED' })
})

test('two conditions that exclude each other are refused', () => {
  expect(() => readCondition({ clobber: false, ifMatch: ETAG })).toThrow(expect.objectContaining({ code: 'USAGE' }))
  expect([readCondition({}), readCondition({ clobber: true })]).toEqual([{}, {}])
})

test('a copy by the store that is not the copy is made again, but not where a condition would take it for another one', () => {
  const destination = { store: createRiggedStore().open(), text: 's3://bucket/key' }
  const errors = [{}, { ifNoneMatch: true }, { ifMatch: ETAG }].map(condition => notTheCopy(destination, condition))
  expect(errors.map(({ code }) => code)).toEqual(['COPY_REFUSED', 'OUTCOME_UNKNOWN', 'OUTCOME_UNKNOWN'])
  expect(errors[1].message).toMatch(/^What is at s3:..bucket.key is not the copy: /)
})

test('only a missing object is accepted as gone', () => {
  expect(acceptGone(errorOf('NO_SUCH_KEY'))).toBeUndefined()
  expect(() => acceptGone(errorOf('ACCESS_DENIED'))).toThrow(expect.objectContaining({ code: 'ACCESS_DENIED' }))
})
