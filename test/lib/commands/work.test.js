'use strict'

/** A worker: what it tells, and what it does where its store does not answer. */

const { waited } = require('../../support/waits')

let mockState
jest.mock('../../../lib/job', () => ({ ...jest.requireActual('../../../lib/job'), openState: async () => mockState }))

const { work } = require('../../../lib')
const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { createRiggedBucket } = require('../../support/rigged-bucket')

/** It is ended when it lists the jobs for the third time. @param {string} code of what the second list meets */
function worker(code) {
  const { bucket, rule } = createRiggedBucket()
  const over = new AbortController()
  rule({ call: 'list', of: 'jobs/', nth: 2, code })
  let lists = 0
  const list = async beginning => {
    if (++lists === 3) over.abort()
    return await bucket.list(beginning)
  }
  waited.length = 0
  mockState = { place: segmentsPlace({ ...bucket, list }), async close() {} }
  return { looks: () => lists, ended: work({ signal: over.signal, env: {} }) }
}

const NOTHING = { done: 0, left: 0, failed: 0, unfinished: 0 }
test.each([
  ['looks again if the jobs could not be listed for now', 'STORE_UNREACHABLE', NOTHING, 3],
  ['ends if they may not be listed', 'ACCESS_DENIED', { code: 'ACCESS_DENIED' }, 2],
])('%s', async (_, code, expected, lists) => {
  const { looks, ended } = worker(code)
  expect(await ended.catch(error => error)).toMatchObject(expected)
  expect([looks(), waited]).toEqual([lists, Array(lists === 3 ? 3 : 1).fill(10_000)])
})

/** Jobs of these names, which wait, and fail at once where a worker takes them. @returns the ids */
async function leave(place, ...names) {
  mockState = { place, async close() {} }
  const ids = []
  for (const name of names) {
    const source = { text: `s3://photos/${name}`, typed: `s3://none-such@photos/${name}`, place: name }
    const destination = { text: `s3://backup/${name}`, place: `to ${name}` }
    const journal = await openJournals({ env: {}, place }).create({ source, destination, options: {} })
    await journal.write({ type: 'waiting' })
    await journal.close()
    ids.push(journal.state.id)
  }
  return ids
}

/** What is told of jobs of these names. */
async function toldOf(names, how = {}) {
  await leave(segmentsPlace(createRiggedBucket().bucket), ...names)
  const told = []
  await work({ once: true, env: { HOME: '/nowhere' }, onEvent: event => void told.push(event), ...how })
  return told
}

test('tells locations as they were typed, with their profiles', async () => {
  const [taken] = await toldOf(['a'])
  expect(taken).toMatchObject({ type: 'taken', source: 's3://none-such@photos/a', destination: 's3://backup/a' })
})

test('its lanes take no job twice', async () => {
  const told = await toldOf(['a', 'b', 'c'], { atOnce: 3 })
  expect(told.map(({ outcome }) => outcome).sort()).toEqual(['failed', 'failed', 'failed', ...Array(3)])
})

test('a job that failed is taken again once somebody has it wait again', async () => {
  const { bucket } = createRiggedBucket()
  const over = new AbortController()
  let lists = 0
  // Whoever takes the job lists them too, to know its id: the third list is the second look.
  const list = async beginning => {
    if (beginning === 'jobs/' && ++lists === 4) {
      const journal = await openJournals({ env: {}, place: segmentsPlace(bucket) }).open(job)
      await journal.write({ type: 'waiting' }).finally(journal.close)
    }
    if (lists === 7) over.abort()
    return await bucket.list(beginning)
  }
  const [job] = await leave(segmentsPlace({ ...bucket, list }), 'a')
  expect(await work({ env: { HOME: '/nowhere' }, signal: over.signal })).toMatchObject({ failed: 2, left: 0 })
})

test('a job that is named and not there is no job that is done', async () => {
  await expect(toldOf(['a'], { only: '2026-typed-wrong' })).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
})
