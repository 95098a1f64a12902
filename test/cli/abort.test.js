'use strict'

/** `xfer jobs` and `xfer abort`, and the jobs of earlier runs: what is listed, what is aborted, and when the job is kept. */

const { existsSync, mkdirSync, readdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { abortJob, copy, resume } = require('../../lib')
const { makeHome } = require('../support/home')
const { runHere } = require('../support/in-process')
const { leaveJob, leaveUpload, newStateHome, openJob } = require('../support/journals')
const { keep, openStore, startStore } = require('../support/opened')
const { eventsOf, sideEnv } = require('../support/run-xfer')
const { MiB, uploadsOf } = require('../support/s3')

const ENDED = { type: 'ended', code: 'INTERRUPTED', message: 'The copy was interrupted.' }

let server
let store
beforeAll(async () => {
  server = await startStore({ buckets: ['target'], pageSize: 100, minPartBytes: 1 })
  store = openStore(server, 'target')
})

/** @param {string} home @param {string[]} args @param {object} [env] */
function run(home, args, env = {}) {
  const { XFER_DEST_ENDPOINT_URL: _, ...access } = sideEnv('DEST', server)
  return runHere(args, { XDG_STATE_HOME: home, ...access, ...env })
}

/** What a command says that ends well. @param {Parameters<typeof run>} given */
async function said(...given) {
  const { stdout, ...how } = await run(...given)
  expect(how).toEqual({ status: 0, stderr: '' })
  return stdout
}

const job = (key, more = {}) => ({ server, bucket: 'target', key, ...more })

test('xfer jobs lists what was left, what runs, and what cannot be read', async () => {
  const home = newStateHome()
  const upload = {
    id: 'an-upload',
    parts: [1, 2].map(partNumber => ({ partNumber, bytes: 5 * MiB, etag: '"e"', sums: { crc32: '00000001' } })),
  }
  const killed = await leaveJob(home, job('killed', { upload }))
  const ended = await leaveJob(home, job('ended', { upload, facts: [ENDED] }))
  const early = await leaveJob(home, job('early'))
  const running = await keep(openJob(home, job('runs', { upload })))
  const damaged = join(home, 'xfer', 'jobs', '20200101T000000Z-000000.journal')
  writeFileSync(damaged, 'nonsense\n')
  const blocks = (await said(home, ['jobs'])).trimEnd().split(/\n(?=\S)/)
  const KILLED = '\n  It was killed, or the machine went down.'
  const far = '2 of 20 parts, 10.0 MiB of 100 MiB'
  const rows = [
    [killed.id, 'stopped', 'killed', far, KILLED],
    [ended.id, 'stopped', 'ended', far, '\n  The copy was interrupted.'],
    [early.id, 'stopped', 'early', 'not planned yet', KILLED],
    [running.state.id, 'running', 'runs', far, ''],
  ].map(
    ([id, is, key, how, why]) => `${id}  ${is}  s3://source/big → s3://target/${key}\n  ${how}; last written …${why}`,
  )
  expect(
    blocks
      .slice(0, 4)
      .map(block => block.replace(/ written .* ago/, ' written …'))
      .sort(),
  ).toEqual(rows.sort())
  expect(blocks[4]).toContain(`20200101T000000Z-000000  damaged\n  The journal ${damaged} cannot be used: `)
  expect(blocks[5]).toBe('To continue one: xfer resume JOB. To give one up: xfer abort JOB.')
  const events = eventsOf({ stdout: await said(home, ['jobs', '--json']) })
  expect(events.pop()).toMatchObject({ type: 'done', jobs: 5 })
  const by = id => events.find(event => event.id === id)
  expect(by(ended.id)).toMatchObject({
    ...{ state: 'stopped', source: 's3://source/big', destination: 's3://target/ended', path: ended.path },
    ...{ bytes: 100 * MiB, parts: 20, bytesDone: 10 * MiB, partsDone: 2, uploadId: 'an-upload' },
    ended: { code: 'INTERRUPTED', message: 'The copy was interrupted.', atMs: expect.any(Number) },
  })
  expect(by('20200101T000000Z-000000')).toMatchObject({ state: 'damaged', path: damaged, problem: expect.any(String) })
})

test('removes what was uploaded, a thousand parts and all, and the job', async () => {
  const home = newStateHome()
  const upload = await leaveUpload(store, 'thousand', 1000, 10)
  const other = await leaveUpload(store, 'other')
  const { id, path } = await leaveJob(home, job('thousand', { upload }))
  expect(await said(home, ['abort', id])).toBe(
    `Aborted the upload of s3://target/thousand, with 1,000 parts of 9.77 KiB in all.\nRemoved the job ${id}.\n`,
  )
  expect(await uploadsOf(store, 'thousand')).toEqual([])
  expect(await uploadsOf(store, 'other')).toMatchObject([{ id: other.id }])
  expect(existsSync(path)).toBe(false)
  const again = await run(home, ['abort', id])
  expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining(`no unfinished job "${id}"`) })
})

test('leaves an upload that may be of a creation without an answer, and tells it', async () => {
  const home = newStateHome()
  await leaveUpload(store, 'lost', 1)
  const [{ id: known }, lost] = [await leaveUpload(store, 'lost', 0), await leaveUpload(store, 'lost', 0)]
  await leaveJob(home, job('lost', { upload: { id: known, parts: [] } }))
  const facts = [{ type: 'creating', atMs: Date.now() }]
  const { id } = await leaveJob(home, job('lost', { facts }))
  expect(await said(home, ['abort', id])).toBe(
    `Nothing had been uploaded to s3://target/lost.\nThe upload ${lost.id} has no parts, and may be the job's or another program's: it was not aborted.\nRemoved the job ${id}.\n`,
  )
  expect(await uploadsOf(store, 'lost')).toHaveLength(3)
})

test('says what it finds gone', async () => {
  const home = newStateHome()
  const upload = await leaveUpload(store, 'gone')
  await store.upload.abort({ key: 'gone', uploadId: upload.id })
  const facts = [{ type: 'completing', upload: upload.id, sums: { crc32: '00000001' } }]
  const begun = await leaveJob(home, job('early'))
  const gone = await leaveJob(home, job('gone', { upload }))
  const completing = await leaveJob(home, job('gone', { upload, facts }))
  const GONE = 'The upload of s3://target/gone was gone already.\n'
  for (const [{ id }, text] of [
    [begun, 'Nothing had been uploaded to s3://target/early.\n'],
    [gone, GONE],
    [completing, `${GONE}It was being completed when the copy ended: the object may be there.\n`],
  ])
    expect(await said(home, ['abort', id])).toBe(`${text}Removed the job ${id}.\n`)
})

test('removes what was uploaded of the objects of a prefix, and nothing else', async () => {
  const home = newStateHome()
  const [before, upload] = [await leaveUpload(store, 'dir/a'), await leaveUpload(store, 'dir/a')]
  const other = await leaveUpload(store, 'dir/b')
  const { state, ...journal } = await openJob(home, job('dir/'))
  const destination = { ...state.destination, place: `${state.destination.place}*` }
  const options = { ...state.options, recursive: 'copy' }
  await journal.write({ type: 'job', version: 1, ...state, destination, options })
  for (const { id } of [before, upload])
    await journal.write({ type: 'of', name: 'a', fact: { type: 'upload', id, checksums: false } })
  const copied = { objects: 2, bytes: 3 * MiB }
  await journal.write({ type: 'ranges', ranges: [], copied })
  await journal.close()
  const stays = 'What was copied to s3://target/dir/ stays: 2 objects, 3.00 MiB.\n'
  expect(await said(home, ['abort', state.id])).toContain(stays)
  expect(await uploadsOf(store, 'dir/a')).toEqual([])
  expect(await uploadsOf(store, 'dir/b')).toMatchObject([{ id: other.id }])
  expect(existsSync(journal.path)).toBe(false)
})

test('keeps the job where its upload cannot be aborted', async () => {
  const home = newStateHome()
  const upload = await leaveUpload(store, 'denied')
  const facts = [{ type: 'completing', upload: upload.id }]
  const { id, path } = await leaveJob(home, job('denied', { upload, facts }))
  const { endpoint } = await startStore({ buckets: ['target'] })
  const denied = { status: 4, stderr: expect.stringContaining('refuses these credentials') }
  expect(await run(home, ['abort', id], { XFER_DEST_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject(denied)
  expect(await run(home, ['abort', id, '--dest-endpoint-url', endpoint])).toMatchObject(denied)
  expect(existsSync(path)).toBe(true)
  // It was there: so the object is not.
  expect(await said(home, ['abort', id])).not.toContain('may be there')
})

test('does not take an upload for gone where it never was', async () => {
  const home = newStateHome()
  const upload = await leaveUpload(store, 'elsewhere')
  const journal = await openJob(home, job('elsewhere', { upload }))
  // As of a job of AWS, whose endpoint no option names.
  await journal.write({ type: 'job', version: 1, ...journal.state, options: {} })
  await journal.close()
  const other = await startStore({ buckets: ['target'] })
  const stderr = expect.stringContaining('at another endpoint than the one that is configured now')
  expect(await run(home, ['abort', journal.state.id], sideEnv('DEST', other))).toMatchObject({ status: 2, stderr })
  expect(existsSync(journal.path)).toBe(true)
  await said(home, ['abort', journal.state.id], sideEnv('DEST', server))
  expect(await uploadsOf(store, 'elsewhere')).toEqual([])
})

test('a job whose target is a folder by now does not go on, and is given up', async () => {
  const home = makeHome({ big: Buffer.alloc(12 * MiB), 'to/other': '' })
  const ended = new AbortController()
  const onEvent = ({ type }) => type === 'part' && ended.abort()
  const options = { env: { XDG_STATE_HOME: home } }
  const target = join(home, 'to', 'big')
  const how = { ...options, engine: 'local', chunk: '5MiB', concurrency: 1, signal: ended.signal, onEvent }
  const { facts } = await copy(join(home, 'big'), target, how).catch(error => error)
  mkdirSync(target)
  await expect(resume(facts.job, options)).rejects.toMatchObject({ code: 'NOT_A_FILE', facts: { job: facts.job } })
  await expect(abortJob(facts.job, options)).resolves.toMatchObject({ uploads: [{ outcome: 'aborted' }] })
  expect(readdirSync(join(home, 'to'))).toEqual(['big', 'other'])
})
