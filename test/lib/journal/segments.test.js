'use strict'

/** Journals in a store that loses answers, or lets somebody else write in between. */

jest.mock('node:timers/promises', () => ({ ...jest.requireActual('node:timers/promises'), setTimeout: async () => {} }))

const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { createRiggedBucket } = require('../../support/rigged-bucket')
const { errorOf } = require('../../support/rigged-store')
const { FACTS, JOB, part } = require('./jobs')

/** A store, and two machines that use it. */
function placeOfTwo() {
  const store = createRiggedBucket()
  const machine = () => openJournals({ env: {}, place: segmentsPlace(store.bucket) })
  return { ...store, one: machine(), other: machine() }
}

test('a job that its owner finishes while another one claims it is not claimed', async () => {
  const { one, other, objects, rule } = placeOfTwo()
  const journal = await one.create(JOB)
  const { id } = journal.state
  rule({ call: 'putNew', of: `jobs/${id}/`, before: () => journal.remove() })
  await expect(other.open(id, { take: true })).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
  expect(await other.list()).toMatchObject([{ id, over: {}, running: false }])
  expect([...objects.keys()].filter(name => name.startsWith('jobs/'))).toHaveLength(2)
})

test('who looks while another one is about to write its job begins none beside it', async () => {
  const { one, other, rule } = placeOfTwo()
  let found
  async function look() {
    await other.hold(JOB)
    found = await other.find(JOB)
  }
  rule({ call: 'putNew', of: 'jobs/', before: look })
  expect(await one.create(JOB)).toBeDefined()
  expect(found).toEqual([])
  expect(await other.create(JOB)).toBeUndefined()
  expect(await other.list()).toHaveLength(1)
})

test('who slept until its job was removed from the store writes nothing any more', async () => {
  const { one, bucket } = placeOfTwo()
  const journal = await one.create(JOB)
  const { id, source, destination } = journal.state
  await segmentsPlace(bucket).forget(id, { source, destination })
  const now = jest.spyOn(bucket, 'now').mockReturnValue(Date.now() + 11 * 60_000)
  await expect(journal.fence()).rejects.toMatchObject({ code: 'JOB_TAKEN' })
  now.mockRestore()
})

test('what is larger than an object of the store may be is in several, and is read as a whole', async () => {
  const { one, other, objects } = placeOfTwo()
  const journal = await one.create(JOB)
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => letter.repeat(1024 ** 2))
  for (let round = 0; round < 3; round++) {
    for (const name of names) journal.note({ type: 'failed', name })
    await journal.flush()
    const { prefix } = await other.see(journal.state.id)
    expect([...prefix.failed].map(name => name[0]).join('')).toBe('abcdef')
  }
  expect(Math.max(...[...objects.values()].map(({ length }) => length))).toBeLessThan(5 * 1024 ** 2)
  await journal.close()
})

test('who was late to claim a job claims it once the other one has let go', async () => {
  const { one, other, rule } = placeOfTwo()
  const journal = await one.create(JOB)
  const { id } = journal.state
  await journal.close()
  rule({ call: 'putNew', of: `jobs/${id}/`, before: async () => await (await one.open(id)).close() })
  const late = await other.open(id)
  await late.write(FACTS[0])
  await late.close()
})

/** A journal of which a write has failed, though it is there. @param {number} [times] that it is tried in vain */
async function unanswered(times = 8) {
  const place = placeOfTwo()
  const journal = await place.one.create(JOB)
  await journal.write(FACTS[1])
  place.rule({ call: 'putNew', of: `jobs/${journal.state.id}/`, lost: true, code: 'STORE_UNREACHABLE', times })
  await expect(journal.write(FACTS[0])).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  return { ...place, journal }
}

test('a write that was done, and was never answered, is known as ours by the next one', async () => {
  const { journal, other } = await unanswered()
  await journal.write(part(1))
  await journal.fence()
  await journal.close()
  expect(await other.list()).toMatchObject([{ object: { etag: FACTS[0].etag }, damaged: 0, running: false }])
})

test('a write that was done, and was never answered, is before the end of the job', async () => {
  const { journal, other } = await unanswered(16)
  await journal.remove()
  expect(await other.list()).toMatchObject([{ id: journal.state.id, over: {} }])
})

test('a job that ended with an error is remembered with its code and its words', async () => {
  const { one, other } = placeOfTwo()
  await (await one.create(JOB)).remove(errorOf('NOTHING_FOUND', { source: 's3://from/' }))
  const message = expect.stringContaining('s3://from/')
  expect((await other.list())[0].over).toMatchObject({ code: 'NOTHING_FOUND', message })
})

test('of a job that is removed from the store only a number stays, and the next one between its places has an id of its own', async () => {
  const { one, other, objects, bucket } = placeOfTwo()
  const journal = await one.create(JOB)
  const { id, source, destination } = journal.state
  const { options } = journal.state
  await one.createRanges(journal.state, [{ until: 'm' }, { after: 'm' }], [options, options])
  objects.set(`manifests/${id}/run/1-file`, Buffer.from('line'))
  await journal.remove()
  await segmentsPlace(bucket).forget(id, { source, destination })
  await segmentsPlace(bucket).forget(id, { source, destination })
  expect([...objects.values()].map(String)).toEqual(['-\n'])
  expect(await one.find({ source, destination })).toEqual([])
  const next = await other.create(JOB)
  expect(next.state.id).not.toBe(id)
  expect(await one.find({ source, destination })).toMatchObject([{ id: next.state.id }])
})
