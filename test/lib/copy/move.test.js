'use strict'

/** A move that was killed after its copy was proved: what its next run still looks at before it deletes the source. */

const { passTime } = require('../../support/time')
const { isReplaced } = require('../../../lib/copy')
const { goOnMoving, removeSource } = require('../../../lib/copy/move')
const { createRiggedStore, refused } = require('../../support/rigged-store')

const denied = count => ({ 'head b': Array(count).fill(refused('ACCESS_DENIED')) })
const OLD = Date.UTC(2026, 0, 1)

/** @param {object} how what is at the destination, and what makes both ends one store */
function createMove({ there = 'aa', trouble, one = false, removing } = {}) {
  const from = createRiggedStore({ side: 'source', texts: { a: 'aa' }, atMs: OLD })
  const to = createRiggedStore({ side: 'destination', texts: there ? { b: there } : {}, atMs: OLD, trouble })
  const [source, destination] = [from.open(), to.open()]
  const removed = []
  source.remove = async ({ key }, { before }) => {
    await before()
    removed.push(key)
  }
  // It lists what is begun under the other name.
  const begun = asked => [...to.uploads].flatMap(([id, { key }]) => (key.replace('b', 'a') === asked ? [{ id }] : []))
  if (one) source.upload.pending = async ({ prefix }) => ({ uploads: begun(prefix) })
  const { etag } = from.objects.get('a')
  const state = { removing: { etag, proof: ['md5'], ...removing }, object: { bytes: 2, etag, lastModifiedMs: OLD } }
  const job = {
    source: { store: source, key: 'a', text: 's3://bucket/a' },
    destination: { store: destination, key: 'b', text: 's3://bucket/b' },
    run: { journal: { state }, emit() {} },
  }
  return { job, removed, from, to, etag }
}

test.each([
  ['is deleted, as its copy is there', {}, { bytes: 2, proof: ['md5'] }, ['a']],
  ['stays, as its copy was replaced', { there: 'bb' }, undefined, []],
  ['stays, as its copy is gone', { there: '' }, undefined, []],
  ['stays, as another one was proved', { removing: { etag: '"other"' } }, undefined, []],
  ['stays, as it was written anew: it is copied', { anew: 'cc' }, undefined, []],
  ['stays, as both ends may be one object under two names', { one: true }, 'SAME_OBJECT', []],
  ['stays, as the uploads that would tell may not be listed', { one: true, listed: false }, 'SAME_OBJECT', []],
  ['stays, as another process has taken the job over', { taken: true }, 'JOB_TAKEN', []],
])('the source %s', async (_, { anew, taken, listed = true, ...how }, expected, keys) => {
  const { job, removed, from, to } = createMove(how)
  if (anew) from.put('a', anew, OLD + 60_000)
  const { head } = job.source.store
  // It slept while the answer came.
  const taking = async (...asked) => {
    job.run.journal.fence = async () => refused('JOB_TAKEN', {})()
    return head(...asked)
  }
  if (taken) job.source.store.head = taking
  if (!listed) job.source.store.upload.pending = async () => refused('ACCESS_DENIED', {})()
  const moved = await goOnMoving(job).catch(({ code }) => code)
  expect(moved?.bytes === undefined ? moved : { bytes: moved.bytes, proof: moved.proof }).toEqual(expected)
  expect(removed).toEqual(keys)
  expect([...to.uploads]).toEqual([])
})

// Of an object of 2 bytes, whose copy was proved, what a row says happens before its source is deleted.
test.each([
  ['is deleted', {}, 'moved'],
  ['stays if somebody has replaced the copy', { there: 'bb' }, 'SOURCE_KEPT 1'],
  ['stays if the copy is gone', { there: '' }, 'SOURCE_KEPT 1'],
  ['stays if the copy has another size, and an ETag that nobody knows', { there: 'bbb', tag: '' }, 'SOURCE_KEPT 1'],
  ['is deleted though the copy may not be looked at', { trouble: denied(9) }, 'moved'],
  ['stays if somebody has written it anew', { anew: 'cc' }, 'SOURCE_KEPT 6'],
  ['stays if a store refuses to delete it', { fails: 'ACCESS_DENIED' }, 'SOURCE_KEPT 4'],
  ['is deleted if an attempt before has done it', { fails: 'NO_SUCH_KEY' }, 'moved'],
  ['stays if its store sees another one', { fails: 'DESTINATION_EXISTS' }, 'SOURCE_KEPT 6'],
  ['stays if both ends may be one object', { one: true }, 'SAME_OBJECT 2'],
  ['is deleted if both ends are known to be apart', { one: true, apart: true }, 'moved'],
])('the source of a proved copy %s', async (_, { anew, fails, tag, apart = false, ...how }, expected) => {
  const { job, removed, from, etag } = createMove(how)
  const copied = { bytes: 2, etag: tag ?? etag }
  if (anew) from.put('a', anew, OLD)
  if (fails) job.source.store.remove = async () => refused(fails)()
  const ended = await passTime(
    removeSource(job, { read: { bytes: 2, etag, lastModifiedMs: OLD }, copied, apart }).then(
      () => 'moved',
      ({ code, exitCode }) => `${code} ${exitCode}`,
    ),
  )
  expect([ended, removed]).toEqual([expected, expected === 'moved' && !fails ? ['a'] : []])
})

const begun = { etag: '"one"', bytes: 7, versionId: 'first' }

test.each([
  ['is replaced if nothing is known of it', undefined, begun, [true, true]],
  ['is replaced if it is gone', begun, undefined, [true, true]],
  ['is replaced if its ETag is another', begun, { ...begun, etag: '"two"' }, [true, true]],
  [
    'is replaced if it was written again',
    { ...begun, lastModifiedMs: 1_999 },
    { ...begun, lastModifiedMs: 2_000 },
    [true, true],
  ],
  ['may be an equal one of another version', begun, { ...begun, versionId: 'second' }, [true, false]],
])('the object that was there as a job began %s', (_, before, found, expected) => {
  expect([true, false].map(versions => isReplaced(before, found, { versions, rewrites: true }))).toEqual(expected)
})
