'use strict'

/** What a command makes of the journals that earlier runs of the same copy have left. */

const { readdirSync } = require('node:fs')
const { openUnfinished } = require('../../../lib/job')
const { openJournals, segmentsPlace } = require('../../../lib/journal')
const { onlyOne } = require('../../../lib/job/others')
const { XferError } = require('../../../lib/errors')
const { createRiggedBucket } = require('../../support/rigged-bucket')
const { createRiggedStore, errorOf } = require('../../support/rigged-store')
const { newFolder } = require('../../support/folder')

const OBJECT = { type: 'object', bytes: 5, etag: '"e"' }

let state
beforeEach(() => {
  state = newFolder()
})

const destination = createRiggedStore()
const namesOf = text => ({ text, plain: text, key: 'key' })
const end = side => ({ ...namesOf(`s3://${side}/key`), place: `s3 ${side}`, settings: {} })

/** One run of the copy, up to its journal. @param {object} [options] @param {object} [settings] @param {object} [where] */
async function begin(options = {}, settings = {}, where = {}) {
  const job = {
    settings: { dryRun: false, proved: true, restart: false, ...settings },
    source: { ...end('from'), text: 's3://me@from/key' },
    destination: { ...end('to'), store: destination.open() },
  }
  return await openUnfinished({ env: { XDG_STATE_HOME: state }, emit() {}, ...where }).begin(
    /** @type {any} */ (job),
    options,
  )
}

/** A run that ended with an error after these facts. @param {object} options @param {any[]} facts @param {any} error */
async function endWith(options, facts, error, onFailure = 'keep') {
  const journal = await begin(options)
  for (const fact of facts) await journal.write(fact)
  const ended = await journal.end(error, /** @type {any} */ ({ onFailure }))
  await journal.close()
  return ended
}

/** A run that ended after these facts. @param {object} options @param {any[]} facts @returns {Promise<string>} the id of its job */
async function endAfter(options, facts) {
  const journal = await begin(options)
  for (const fact of facts) await journal.write(fact)
  await journal.close()
  return journal.state.id
}

const upload = () => {
  destination.uploads.set('upload', { key: 'key', summed: false, parts: new Map() })
  return { type: 'upload', id: 'upload', checksums: false }
}
const journals = () => readdirSync(state, { recursive: true }).filter(name => String(name).endsWith('.journal'))

test.each([
  ['none', [], 'There is no unfinished job.'],
  ['one that is over', [{ over: {} }], 'There is no unfinished job.'],
  [
    'those that nobody can resume',
    [{ running: true }, { running: true }, { problem: 'it is empty' }, { over: {} }],
    'No unfinished job can be resumed: 2 running, 1 damaged.',
  ],
])('a resume of the only job finds %s', (_, jobs, message) => {
  expect(() => onlyOne(/** @type {any} */ (jobs))).toThrow(message)
})

test('the same command goes on with the job, which has the options given last, and places without profiles too', async () => {
  const id = await endAfter({ chunk: 5, retries: 1 }, [OBJECT, upload()])
  const journal = await begin({ chunk: 5, retries: 2 })
  expect(journal).toMatchObject({ goesOn: true, state: { id, upload: { id: 'upload' } } })
  await journal.close()
  const again = await openUnfinished({ env: { XDG_STATE_HOME: state }, emit() {} }).open(id)
  const source = { text: 's3://from/key', typed: 's3://me@from/key' }
  expect(again.state).toMatchObject({ options: { retries: 2 }, source })
  await again.close()
})

test.each([
  ['an upload', true, { contentType: 'text/plain' }, 'USAGE'],
  ['an upload', true, { storageClass: 'GLACIER' }, 'USAGE'],
  ['an upload', true, { retries: 9 }, undefined],
  ['nothing yet', false, { contentType: 'text/plain' }, undefined],
])('of a job that began %s (%j) other options (%j) are: %s', async (_, uploads, options, code) => {
  const id = await endAfter({}, uploads ? [OBJECT, upload()] : [OBJECT])
  const begun = begin(options)
  if (code) await expect(begun).rejects.toMatchObject({ code, message: expect.stringContaining(id) })
  else await (await begun).close()
  // It is still there, and nobody holds it.
  const journal = await begin()
  expect(journal).toMatchObject({ goesOn: true, state: { id } })
  await journal.close()
})

test('a command of other options begins a job of its own, and tells of the other', async () => {
  const id = await endAfter({ recursive: 'sync', select: { delete: true } }, [OBJECT])
  const told = []
  const journal = await begin({ recursive: 'sync' }, {}, { emit: ({ code }) => told.push(code) })
  await journal.close()
  expect([told, journals().length, journal.state.id === id]).toEqual([['OTHER_JOB'], 2, false])
})

test('--restart aborts what was uploaded, and begins another job', async () => {
  const id = await endAfter({}, [OBJECT, upload()])
  const journal = await begin({}, { restart: true })
  expect(journal).toMatchObject({ goesOn: false, state: { id: expect.not.stringMatching(id) } })
  expect([...destination.uploads.keys()]).toEqual([])
  await journal.close()
  expect(journals()).toHaveLength(1)
})

test('a dry run sees the job, and changes nothing', async () => {
  const id = await endAfter({}, [OBJECT])
  const seen = await begin({}, { dryRun: true })
  expect(seen.state).toMatchObject({ id, object: { bytes: 5 } })
  await seen.write({ ...OBJECT, bytes: 6 })
  const journal = await begin()
  expect(journal.state.object.bytes).toBe(5)
  await journal.close()
})

test.each([
  ['before its source was found', [], 'ACCESS_DENIED', 'keep', 0],
  ['for what will not pass', [OBJECT], 'ACCESS_DENIED', 'keep', 0],
  ['for what may pass', [OBJECT], 'INTERRUPTED', 'keep', 1],
  ['for an outage', [OBJECT], 'OUTAGE', 'keep', 1],
  ['for what may pass, and is to leave nothing', [OBJECT], 'INTERRUPTED', 'abort', 0],
  ['and has left an upload', [OBJECT, upload()], 'ACCESS_DENIED', 'keep', 1],
])('a job that ends %s (%j) with %s, --on-failure %s, is kept: %i', async (_, facts, code, onFailure, count) => {
  const ended = await endWith({}, facts, errorOf(code), onFailure)
  expect([ended.facts.job !== undefined, journals().length]).toEqual([count === 1, count])
})

test.each([
  ['copy', [], {}, 0],
  ['copy', [{ type: 'ranges', ranges: [{ id: 1 }], copied: { objects: 1, bytes: 5 } }], {}, 1],
  ['sync', [{ type: 'ranges', ranges: [{ id: 1 }], copied: { objects: 1, bytes: 5 } }], {}, 0],
  ['sync', [], { stopped: true }, 1],
  // The next sync would take it for copied by its time and size.
  ['sync', [{ type: 'failed', name: 'a', unsure: true }], {}, 1],
])('a %s of a prefix of which objects have failed (%j, %j) is kept: %i', async (recursive, facts, more, count) => {
  await endWith({ recursive }, facts, new XferError('OBJECTS_FAILED', { objects: { failed: 1, chosen: 2 }, ...more }))
  expect(journals()).toHaveLength(count)
})

test.each([
  [[], 'Nothing was copied yet; go on with: '],
  [[{ type: 'failed', name: 'a' }], 'Nothing was copied yet; go on with: '],
  [
    [{ type: 'failed', name: 'a', unsure: true }],
    'Nothing was copied yet, but of 1 object it is not proved that the copy is right; go on',
  ],
  [
    [
      { type: 'ranges', ranges: [{ id: 1 }], copied: { objects: 1, bytes: 5 } },
      ...['a', 'b'].map(name => ({ type: 'failed', name, unsure: true })),
    ],
    'What was copied is kept, but of 2 objects it is not proved that the copy is right; go on',
  ],
])('a copy of a prefix that a list has ended (%j) says what is there: %s', async (facts, said) => {
  const { hint } = await endWith({ recursive: 'copy' }, facts, errorOf('STORE_ERROR', true))
  expect(hint).toContain(said)
})

test('of objects that failed a state keeps those of this run, a refused deletion too, and of earlier runs those that fail still', async () => {
  const place = segmentsPlace(createRiggedBucket().bucket)
  const failed = name => ({ name, code: 'ACCESS_DENIED', message: `${name} is denied.` })
  /** @param {object[]} facts @param {string[]} names */
  async function run(facts, names) {
    const journal = await begin({ recursive: 'sync' }, {}, { env: {}, place })
    for (const fact of facts) await journal.write(/** @type {any} */ (fact))
    const told = { notices: [], failures: names.map(failed) }
    await journal.end(new XferError('INTERRUPTED', { what: 'copy' }), { onFailure: 'keep' }, { told })
    return (await openJournals({ env: {}, place }).list())[0].told.failures
  }
  const begun = { type: 'ranges', ranges: [{ id: 0 }], copied: { objects: 1, bytes: 1 } }
  const facts = [begun, { type: 'failed', name: 'a' }, { type: 'failed', name: 'b' }]
  expect(await run(facts, ['a', 'b', 'extra'])).toEqual(['a', 'b', 'extra'].map(failed))
  expect(await run([{ type: 'over', name: 'a' }], ['more'])).toEqual(['b', 'more'].map(failed))
})
