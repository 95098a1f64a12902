'use strict'

/** A job that is split: when it is joined, and with what is known of its ranges. */

const { openUnfinished } = require('../../../lib/job')
const { markBeside } = require('../../../lib/job/others')
const { split: splitJob } = require('../../../lib/job/shared')
const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { createRiggedBucket } = require('../../support/rigged-bucket')

const PREFIX = {
  source: { text: 's3://from/', place: '["a","from",""]*' },
  destination: { text: 's3://to/', place: '["b","to",""]*' },
  options: {
    ...{ recursive: 'sync', select: { delete: true, maxDelete: '5' } },
    ...{ bandwidth: '10MiB/s', manifestOut: 's3://to/m.ndjson' },
  },
}

/** A job in two ranges, which nobody has taken yet. */
async function split() {
  const { bucket, objects } = createRiggedBucket()
  const place = segmentsPlace(bucket)
  const journals = openJournals({ env: {}, place })
  const open = (works, how) => openUnfinished({ env: {}, place, works, emit() {} }).open(id, how)
  const journal = await journals.create(PREFIX)
  const { id } = journal.state
  await splitJob(journals, journal, [{ until: 'm' }, { after: 'm' }])
  await journal.close()
  const range = n => journals.open(`${id}.${n}`)
  const statesOf = async () => (await journals.see(id)).ranges.map(({ waiting, over }) => over ?? waiting ?? 'stopped')
  return { id, journals, objects, open, range, statesOf }
}

test('a range whose job was not written is made by whoever opens the job', async () => {
  const { id, objects, open, statesOf } = await split()
  for (const name of [...objects.keys()].filter(one => one.includes(`${id}.2`))) objects.delete(name)
  await expect(open(true)).rejects.toMatchObject({ code: 'JOB_SPLIT' })
  expect(await statesOf()).toEqual([true, true])
})

test('a job of which not all ranges could be written stays, with those that were', async () => {
  const { bucket, rule } = createRiggedBucket()
  const place = segmentsPlace(bucket)
  const journals = openJournals({ env: {}, place })
  const { state, close } = await journals.create(PREFIX)
  await close()
  rule({ call: 'putNew', of: `jobs/${state.id}.2/`, code: 'ACCESS_DENIED' })
  const job = await openUnfinished({ env: {}, place, leaves: true, emit() {} }).open(state.id)
  const error = await job.split([{ until: 'm' }, { after: 'm' }]).catch(cause => cause)
  await job.end(error, { onFailure: 'keep' })
  expect(await journals.see(state.id)).toMatchObject({ ended: { code: 'ACCESS_DENIED' }, ranges: [{}, undefined] })
})

test('its message tells how many ranges others run, and how many wait', async () => {
  const { open, range } = await split()
  const own = await range(1)
  const message = expect.stringMatching(/: 1 run by other processes, 1 waiting\.$/)
  await expect(open(false)).rejects.toMatchObject({ message, facts: { left: 2, running: 1, waiting: 1 } })
  await own.close()
})

test('a range has its share of the bandwidth, a manifest of its own, and deletes nothing', async () => {
  const { range } = await split()
  const { state, close } = await range(2)
  const options = { bandwidth: '5242880B', manifestOut: 's3://to/m.2.ndjson', select: {} }
  expect(state).toEqual(expect.objectContaining({ within: { after: 'm' }, options: expect.objectContaining(options) }))
  await close()
})

test('joined, each range is known to be done when it was; one that was given up is copied by the job', async () => {
  const { open, range } = await split()
  await (await range(1)).remove()
  await (await range(2)).remove({ code: 'INTERRUPTED', message: 'It was given up.' })
  const { state, close } = await open(true)
  expect(state.split).toBeUndefined()
  const doneRanges = [{ until: 'm', doneMs: expect.any(Number) }]
  expect(state.prefix).toMatchObject({ doneRanges, ranges: [{ after: 'm', id: 1 }] })
  await close()
})

test('joined, the job knows what large objects its ranges have copied, and what is not proved of one that was given up', async () => {
  const { open, journals, id, range } = await split()
  const before = await journals.open(id)
  const upload = { type: 'upload', id: 'u', checksums: false }
  await before.write({ type: 'failed', name: 'b' })
  await before.write({ type: 'of', name: 'c', fact: upload })
  await before.close()
  const copy = { from: '"a"', etag: '"b-2"' }
  const [one, two] = [await range(1), await range(2)]
  for (const name of ['a', 'b', 'c']) await one.write({ type: 'over', name, copy })
  await two.write({ type: 'failed', name: 'x', unsure: true })
  await one.remove()
  await two.remove({ code: 'INTERRUPTED', message: 'It was given up.' })
  const { state, close } = await open(true)
  // The upload of before the split is still to be aborted.
  const names = ['copies', 'failed', 'unsure', 'objects'].map(key => [...state.prefix[key].keys()])
  expect(names).toEqual([['a', 'b'], ['x'], ['x'], ['c']])
  await close()
})

test('a worker leaves stopped ranges alone, a command lets them wait again, and a dry run changes nothing', async () => {
  const { id, open, range, statesOf } = await split()
  await (await range(1)).remove()
  const stopped = await range(2)
  await stopped.write({ type: 'ended', code: 'INTERRUPTED', message: '' })
  await stopped.close()
  await expect(open(true)).rejects.toMatchObject({ code: 'JOB_SPLIT', facts: { job: id, ranges: 2, left: 1 } })
  await (await open(false, { dryRun: true })).close()
  expect(await statesOf()).toEqual([expect.anything(), 'stopped'])
  await expect(open(false)).rejects.toMatchObject({ code: 'JOB_SPLIT' })
  expect(await statesOf()).toEqual([expect.anything(), true])
})

test('a command that proves less beside it is known to each range', async () => {
  const { id, journals } = await split()
  await markBeside([await journals.see(id)], journals)
  const { prefix, ranges } = await journals.see(id)
  expect([prefix, ...ranges.map(range => range.prefix)]).toMatchObject(Array(3).fill({ beside: true }))
})
