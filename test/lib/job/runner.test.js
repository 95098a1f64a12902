'use strict'

/** What a function that runs a job writes down: how far the job was, when it is stuck, and what the run has used. */

const { beginRun, countRun } = require('../../../lib/job/shared')
const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { createRiggedBucket } = require('../../support/rigged-bucket')
const { errorOf } = require('../../support/rigged-store')

const RUNNER = /** @type {any} */ ({ engine: 'e', where: 'here', memoryBytes: 512 * 1024 ** 2 })
const USED = { type: 'runner', engine: 'old', where: 'there', runs: 2, gbSeconds: 7, calls: 3, provider: 'p' }
const end = text => ({ text, place: text })
const upload = 'u'
const UPLOAD = { type: 'upload', id: upload, checksums: false }
const PART = { type: 'part', upload, partNumber: 1, bytes: 5, etag: '"p"', sums: { crc32: '00000000' } }
const RANGES = { type: 'ranges', ranges: [{ id: 1, until: 'm' }], copied: { objects: 1, bytes: 5 } }
const DONE = doneMs => ({ ...RANGES, doneRanges: [{ until: 'c', doneMs }] })
const of = fact => ({ type: 'of', name: 'a', fact })

/** @param {string} from @param {string} to */
async function newJob(from = 's3://from/a', to = 's3://to/a') {
  const { bucket } = createRiggedBucket()
  const journals = openJournals({ env: {}, place: segmentsPlace(bucket) })
  const first = await journals.create({ source: end(from), destination: end(to), options: {} })
  const { id } = first.state
  await first.close()
  /** One run, which writes these facts. @param {...any} facts */
  async function run(...facts) {
    const journal = await journals.open(id)
    await beginRun(journal, RUNNER)
    for (const fact of facts) await journal.write(fact)
    const { idle } = /** @type {any} */ (journal.state.runner)
    await journal.close()
    return idle
  }
  return { id, journals, run, see: async () => /** @type {any} */ (await journals.see(id)) }
}

test('a run that begins keeps what earlier ones have used, and says where it is', async () => {
  const { journals, id, run, see } = await newJob()
  const journal = await journals.open(id)
  await journal.write(USED)
  await journal.close()
  await run()
  const { type: _, ...used } = USED
  expect((await see()).runner).toEqual({ ...used, engine: 'e', where: 'here', idle: 1, progress: expect.any(String) })
})

test.each([
  ['an object', [], { type: 'object', bytes: 5, etag: '"e"' }, true],
  ['an upload', [], UPLOAD, true],
  ['a part', [UPLOAD], PART, true],
  ['a part that was checked', [UPLOAD], { type: 'checked', upload, partNumber: 1 }, true],
  ['a completion', [UPLOAD], { type: 'completed', upload, etag: '"c"' }, true],
  ['a part of an object of a prefix', [RANGES, of(UPLOAD)], of(PART), true],
  ['what a range has copied', [RANGES], { ...RANGES, copied: { objects: 1, bytes: 6 } }, true],
  ['what a range has deleted', [RANGES], { ...RANGES, copied: { ...RANGES.copied, deleted: 1 } }, true],
  ['names that a range has passed', [RANGES], { ...RANGES, ranges: [{ id: 1, after: 'b', until: 'm' }] }, true],
  ['a range that is done', [RANGES], { ...RANGES, doneRanges: [{ until: 'b', doneMs: 1 }] }, true],
  ['an object that failed', [RANGES], { type: 'failed', name: 'a' }, true],
  ['that it waits', [RANGES], { type: 'waiting' }, false],
  ['the time of a look', [RANGES], { ...RANGES, keptMs: 5, agesFromMs: 5 }, false],
  ['the time of an end', [DONE(1)], DONE(2), false],
])('a run that adds %s (after %j %j) has moved the job on: %s', async (_, before, fact, moved) => {
  const { run } = await newJob()
  await run(...before)
  await run(fact)
  expect((await run()) === 1).toBe(moved)
})

const COMPLETED = { type: 'completed', upload, etag: '"c"' }
test.each([
  ['completed', [UPLOAD, COMPLETED], /as it was, so no other was begun\. s3:\S+ is written, and not proved\.$/],
  ['not completed', [UPLOAD, PART], /as it was, so no other was begun\.$/],
])('of an upload that is %s it is said whether its object is there', async (_, facts, message) => {
  const { run } = await newJob()
  await run(...facts)
  for (let idle = 1; idle < 4; idle++) await run()
  await expect(run()).rejects.toThrow(message)
})

test('three runs may leave a job as it is; the fourth ends it, and nobody holds it then', async () => {
  const { id, run, see, journals } = await newJob()
  expect([await run(), await run(), await run()]).toEqual([1, 2, 3])
  await expect(run()).rejects.toMatchObject({ code: 'STUCK', facts: { job: id, runs: 3 } })
  expect(await see()).toMatchObject({ running: false, ended: { code: 'STUCK' }, runner: { idle: 4 } })
  await (await journals.open(id)).close()
})

test.each([
  ['/home/a', 's3://to/a'],
  ['s3://from/a', 'file:///home/a'],
])('a function runs no job of files: %s to %s', async (from, to) => {
  const { run, see } = await newJob(from, to)
  await expect(run()).rejects.toMatchObject({ code: 'USAGE' })
  expect(await see()).toMatchObject({ running: false, ended: { code: 'USAGE' } })
})

test.each([
  ['JOB_TAKEN', []],
  ['ACCESS_DENIED', ['ended']],
])('a run that cannot write at first (%s) writes then: %j', async (code, then) => {
  const state = { source: end('s3://a/a'), destination: end('s3://b/a'), left: [], parts: new Map() }
  const wrote = []
  const write = async ({ type }) => {
    if (type === 'runner') throw errorOf(code)
    wrote.push(type)
  }
  const journal = /** @type {any} */ ({ state, write, close: async () => wrote.push('close') })
  await expect(beginRun(journal, RUNNER)).rejects.toMatchObject({ code })
  expect(wrote).toEqual([...then, 'close'])
})

test('what a run has used is added, of its time only what was not counted yet', () => {
  const { type: _, ...begun } = USED
  const here = { ...RUNNER, countedMs: 1_000 }
  const noted = []
  const count = (state, ...more) => countRun(state, here, fact => void noted.push(fact), ...more)
  const now = jest.spyOn(Date, 'now').mockReturnValue(5_000)
  try {
    count({ runner: begun }, { invocations: 4, gbSeconds: 6 })
    now.mockReturnValue(7_000)
    count({ runner: begun })
    count({})
  } finally {
    now.mockRestore()
  }
  expect(noted).toEqual([
    { ...USED, runs: 3, gbSeconds: 9, calls: 7, functionGbSeconds: 6 },
    { ...USED, runs: 3, gbSeconds: 8, calls: 3, functionGbSeconds: 0 },
  ])
})
