'use strict'

/** A job in a store: what a command makes of a store that fails, and what a worker leaves to others. */

const { openUnfinished } = require('../../../lib/job')
const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { createRiggedBucket } = require('../../support/rigged-bucket')
const { createRiggedStore, errorOf } = require('../../support/rigged-store')

const OBJECT = { type: 'object', bytes: 5, etag: '"e"' }
const DENIED = 'ACCESS_DENIED'
const namesOf = side => ({ text: side, plain: side, place: side })
const end = side => ({ ...namesOf(side), key: 'key', settings: {}, store: createRiggedStore().open() })

function shared() {
  const { bucket, rule, heal } = createRiggedBucket()
  const place = segmentsPlace(bucket)
  const told = []
  const unfinished = openUnfinished({ env: {}, place, works: true, emit: event => told.push(event) })
  const settings = { dryRun: false, proved: true, restart: false }
  const job = /** @type {any} */ ({ settings, source: end('from'), destination: end('to') })
  const list = () => openJournals({ env: {}, place }).list()
  return { begin: () => unfinished.begin(job, {}), list, rule, heal, told }
}

test.each([
  ['a job that is there cannot be read', 1, { call: 'get', of: 'jobs/', times: 9 }],
  ['the jobs between both places cannot be listed', 1, { call: 'list', of: 'ends/', times: 9 }],
  ['their last one cannot be listed', 0, { call: 'list', of: 'ends/', nth: 2 }],
  ['a new one cannot be written', 0, { call: 'putNew', of: 'jobs/' }],
])('no copy begins if %s', async (_, count, rule) => {
  const at = shared()
  if (count > 0) await (await at.begin()).close()
  at.rule({ ...rule, code: DENIED })
  await expect(at.begin()).rejects.toMatchObject({ code: DENIED })
  at.heal()
  expect(await at.list()).toHaveLength(count)
})

test.each([
  ['has to stop', 'INTERRUPTED', {}, true],
  ['has no more time', 'TIMED_OUT', {}, true],
  ['was asked to stop', 'INTERRUPTED', { asked: true }, undefined],
  ['failed', 'OUTAGE', {}, undefined],
])('a job of a worker that %s (%s, %j) waits for another one: %s', async (_, code, facts, waiting) => {
  const at = shared()
  const journal = await at.begin()
  await journal.write(OBJECT)
  await journal.end(errorOf(code, facts), /** @type {any} */ ({ onFailure: 'keep' }))
  const [job] = await at.list()
  expect([job.waiting, job.over, job.ended?.code]).toEqual([waiting, undefined, waiting ? undefined : code])
})

test('a job that a worker leaves is waiting at once: nobody ever sees it stopped', async () => {
  const at = shared()
  const journal = await at.begin()
  await journal.write(OBJECT)
  /** How it looks whenever something of it is to be written. */
  const looks = []
  const look = async () => {
    const [{ waiting, ended }] = await at.list()
    looks.push(ended?.code ?? waiting)
  }
  at.rule({ call: 'putNew', of: 'jobs/', times: 9, before: look })
  await journal.end(errorOf('TIMED_OUT'), /** @type {any} */ ({ onFailure: 'keep' }))
  await look()
  expect(looks.at(-1)).toBe(true)
  expect(looks).not.toContain('TIMED_OUT')
})
