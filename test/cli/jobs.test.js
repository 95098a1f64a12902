'use strict'

/** `xfer jobs` and `xfer abort`, with the real program, a real store, and jobs of earlier runs. */

const { copyFileSync, existsSync, mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { leaveJob, leaveUpload, newStateHome, openJob } = require('../support/journals')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { createBuckets, openStore, uploadsOf } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const MiB = 1024 ** 2
const ENDED = { type: 'ended', code: 'INTERRUPTED', message: 'The copy was interrupted.' }

let server
let store
beforeAll(async () => {
  server = await startStore({ buckets: ['target'], pageSize: 100, minPartBytes: 1 })
  store = openStore(server, 'target')
})
afterAll(async () => {
  store.close()
  await server.close()
})

/** @param {string} home @param {string[]} args @param {object} [env] */
function run(home, args, env = {}) {
  const { endpoint, accessKeyId, secretAccessKey } = server
  const access = { XFER_DEST_ACCESS_KEY_ID: accessKeyId, XFER_DEST_SECRET_ACCESS_KEY: secretAccessKey }
  expect(endpoint).toMatch(/^http/)
  return runXfer(args, { env: { XDG_STATE_HOME: home, ...access, ...env } })
}

/** @param {Promise<any>} running */
async function said(running) {
  const { status, stdout, stderr } = await running
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

const job = (key, more = {}) => ({ server, bucket: 'target', key, ...more })

test('xfer resume says so where no job can be resumed, and sends nobody to an empty list', async () => {
  const home = newStateHome()
  const none = await run(home, ['resume'])
  expect(none.stderr).toMatch(/^xfer: There is no unfinished job\.\n(?!.*xfer jobs)/)
  const running = await openJob(home, job('runs'))
  const all = await run(home, ['resume'])
  expect(all.stderr).toMatch(
    /^xfer: Every unfinished job is running, or damaged\.\n {6}Run xfer jobs to see them\.\nxfer: ended /,
  )
  expect([none.status, all.status]).toEqual([3, 3])
  await running.close()
})

test('xfer resume describes the newest jobs where there are several', async () => {
  const home = newStateHome()
  const upload = {
    id: 'an-upload',
    parts: [{ partNumber: 1, bytes: 5 * MiB, etag: '"e"', sums: { crc32: '00000001' } }],
  }
  for (const key of ['one', 'two', 'three', 'four']) await leaveJob(home, job(key, key === 'four' ? {} : { upload }))
  const { status, stderr } = await run(home, ['resume'])
  expect(status).toBe(2)
  const [said, hint] = stderr.split('\n')
  expect(said).toMatch(/^xfer: There are 4 unfinished jobs: .* and 1 more\.$/)
  const named = [...said.matchAll(/\S+ \((s3:[^,]*, [^)]*)\)/g)].map(([, words]) => words)
  const all = ['one', 'two', 'three'].map(key => `s3://source/big to s3://target/${key}, 1 of 20 parts`)
  expect([...all, 's3://source/big to s3://target/four, not planned yet']).toEqual(expect.arrayContaining(named))
  expect(named).toHaveLength(3)
  expect(hint).toBe('      Name the one to go on with; xfer jobs lists them all.')
})

describe('xfer jobs', () => {
  test('says that there is none', async () => {
    expect(await said(run(newStateHome(), ['jobs']))).toBe('There is no unfinished job.\n')
  })

  test('lists what was left, what runs, and what cannot be read', async () => {
    const home = newStateHome()
    const upload = {
      id: 'an-upload',
      parts: [1, 2].map(partNumber => ({ partNumber, bytes: 5 * MiB, etag: '"e"', sums: { crc32: '00000001' } })),
    }
    const killed = await leaveJob(home, job('killed', { upload }))
    const ended = await leaveJob(home, job('ended', { upload, facts: [ENDED] }))
    const early = await leaveJob(home, job('early'))
    const running = await openJob(home, job('runs', { upload }))
    const damaged = join(home, 'xfer', 'jobs', '20200101T000000Z-000000.journal')
    writeFileSync(damaged, 'nonsense\n')
    const text = await said(run(home, ['jobs']))
    const blocks = text
      .split(/\n(?=\S)/)
      .map(block => block.trimEnd().replace(/last written .* ago/, 'last written … ago'))
    expect(blocks.slice(0, 4).sort()).toEqual(
      [
        `${killed.id}  stopped  s3://source/big → s3://target/killed\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago\n  It was killed, or the machine went down.`,
        `${ended.id}  stopped  s3://source/big → s3://target/ended\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago\n  The copy was interrupted.`,
        `${early.id}  stopped  s3://source/big → s3://target/early\n  not planned yet; last written … ago\n  It was killed, or the machine went down.`,
        `${running.state.id}  running  s3://source/big → s3://target/runs\n  2 of 20 parts, 10.0 MiB of 100 MiB; last written … ago`,
      ].sort(),
    )
    expect(blocks[4]).toContain(`20200101T000000Z-000000  damaged\n  The journal ${damaged} cannot be used: `)
    expect(blocks[5]).toBe('To continue one: xfer resume JOB. To give one up: xfer abort JOB.')
    const events = eventsOf({ stdout: await said(run(home, ['jobs', '--json'])) })
    expect(events.pop()).toMatchObject({ type: 'done', jobs: 5 })
    expect(events.every(({ type, time }) => type === 'job' && new Date(time).toISOString() === time)).toBe(true)
    const by = id => events.find(event => event.id === id)
    expect(by(ended.id)).toMatchObject({
      state: 'stopped',
      source: 's3://source/big',
      destination: 's3://target/ended',
      path: ended.path,
      bytes: 100 * MiB,
      parts: 20,
      bytesDone: 10 * MiB,
      partsDone: 2,
      uploadId: 'an-upload',
      ended: { code: 'INTERRUPTED', message: 'The copy was interrupted.', atMs: expect.any(Number) },
    })
    expect(by(running.state.id)).toMatchObject({ state: 'running' })
    expect(by('20200101T000000Z-000000')).toMatchObject({
      state: 'damaged',
      path: damaged,
      problem: expect.any(String),
    })
    await running.close()
  })
})

describe('xfer abort', () => {
  test('removes what was uploaded, a thousand parts and all, and the job', async () => {
    const home = newStateHome()
    const upload = await leaveUpload(store, 'thousand', 1000, 10)
    const other = await leaveUpload(store, 'other')
    const { id, path } = await leaveJob(home, job('thousand', { upload }))
    expect(await said(run(home, ['abort', id]))).toBe(
      `Aborted the upload of s3://target/thousand, with 1,000 parts of 9.77 KiB in all.\nRemoved the job ${id}.\n`,
    )
    expect(await uploadsOf(store, 'thousand')).toEqual([])
    expect(await uploadsOf(store, 'other')).toMatchObject([{ id: other.id }])
    expect(existsSync(path)).toBe(false)
    const again = await run(home, ['abort', id])
    expect(again).toMatchObject({ status: 3, stderr: expect.stringContaining(`no unfinished job "${id}"`) })
  })

  test('says that an upload had no parts', async () => {
    const home = newStateHome()
    const { id } = await leaveJob(home, job('begun', { upload: await leaveUpload(store, 'begun', 0) }))
    expect(await said(run(home, ['abort', id]))).toBe(
      `Aborted the upload of s3://target/begun, which had no parts.\nRemoved the job ${id}.\n`,
    )
  })

  test('aborts earlier uploads of the job, too', async () => {
    const home = newStateHome()
    const [first, second] = [await leaveUpload(store, 'twice'), await leaveUpload(store, 'twice')]
    const facts = [{ type: 'upload', id: second.id, checksums: false }]
    const { id } = await leaveJob(home, job('twice', { upload: first, facts }))
    const [done] = eventsOf({ stdout: await said(run(home, ['abort', '--json', id.slice(0, -1)])) })
    expect(done).toMatchObject({
      type: 'done',
      job: id,
      destination: 's3://target/twice',
      uploads: [
        { uploadId: first.id, outcome: 'aborted' },
        { uploadId: second.id, outcome: 'aborted' },
      ],
      maybeCompleted: false,
    })
    expect(await uploadsOf(store, 'twice')).toEqual([])
  })

  test('leaves an upload that may be of a creation without an answer, and tells it', async () => {
    const home = newStateHome()
    await leaveUpload(store, 'lost', 1)
    const { id: known } = await leaveUpload(store, 'lost', 0)
    const lost = await leaveUpload(store, 'lost', 0)
    await leaveJob(home, job('lost', { upload: { id: known, parts: [] } }))
    const facts = [{ type: 'creating', atMs: Date.now() }]
    const { id } = await leaveJob(home, job('lost', { facts }))
    expect(await said(run(home, ['abort', id]))).toBe(
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
    expect(await said(run(home, ['abort', begun.id]))).toBe(
      `Nothing had been uploaded to s3://target/early.\nRemoved the job ${begun.id}.\n`,
    )
    expect(await said(run(home, ['abort', gone.id]))).toBe(
      `The upload of s3://target/gone was gone already.\nRemoved the job ${gone.id}.\n`,
    )
    expect(await said(run(home, ['abort', completing.id]))).toBe(
      `The upload of s3://target/gone was gone already.\nIt was being completed when the copy ended: the object may be there.\nRemoved the job ${completing.id}.\n`,
    )
  })

  test('takes a journal from another machine', async () => {
    const home = newStateHome()
    const upload = await leaveUpload(store, 'moved')
    const { path } = await leaveJob(home, job('moved', { upload }))
    const elsewhere = newStateHome()
    const moved = join(elsewhere, 'moved.journal')
    copyFileSync(path, moved)
    await said(run(elsewhere, ['abort', moved]))
    expect(existsSync(moved)).toBe(false)
    expect(await uploadsOf(store, 'moved')).toEqual([])
  })

  test('is refused while a process is at work on the job', async () => {
    const home = newStateHome()
    const upload = await leaveUpload(store, 'living')
    const journal = await openJob(home, job('living', { upload }))
    const { status, stderr } = await run(home, ['abort', journal.state.id])
    expect(status).toBe(1)
    expect(stderr).toContain(`Process ${process.pid} is at work on the job ${journal.state.id}.`)
    expect(await uploadsOf(store, 'living')).toHaveLength(1)
    expect(existsSync(journal.path)).toBe(true)
    await journal.close()
  })

  test('keeps the job where its upload cannot be aborted', async () => {
    const home = newStateHome()
    const upload = await leaveUpload(store, 'denied')
    const { id, path } = await leaveJob(home, job('denied', { upload }))
    const denied = await run(home, ['abort', id], { XFER_DEST_SECRET_ACCESS_KEY: 'wrong' })
    expect(denied).toMatchObject({ status: 4, stderr: expect.stringContaining('refuses these credentials') })
    const elsewhere = await run(home, ['abort', id, '--dest-endpoint-url', 'http://127.0.0.1:1'])
    expect(elsewhere).toMatchObject({ status: 1, stderr: expect.stringContaining('ECONNREFUSED') })
    expect(existsSync(path)).toBe(true)
    await said(run(home, ['abort', id]))
  })

  test('does not take an upload for gone where it never was', async () => {
    const home = newStateHome()
    const upload = await leaveUpload(store, 'elsewhere')
    const journal = await openJob(home, job('elsewhere', { upload }))
    // As of a job of AWS, whose endpoint no option names.
    await journal.write({ type: 'job', version: 1, ...journal.state, options: {} })
    await journal.close()
    const other = await startStore({ buckets: ['target'] })
    const { status, stderr } = await run(home, ['abort', journal.state.id], sideEnv('DEST', other))
    expect(status).toBe(2)
    expect(stderr).toContain('at another endpoint than the one that is configured now')
    expect(existsSync(journal.path)).toBe(true)
    await said(run(home, ['abort', journal.state.id], sideEnv('DEST', server)))
    expect(await uploadsOf(store, 'elsewhere')).toEqual([])
    await other.close()
  })

  test('says what to do about a journal that cannot be used', async () => {
    const home = newStateHome()
    const folder = join(home, 'xfer', 'jobs')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'broken.journal'), '')
    const { status, stderr } = await run(home, ['abort', 'broken'])
    expect(status).toBe(2)
    expect(stderr).toContain('Delete the file, and look for its uploads with xfer clean.')
  })
})

describe.each(SERVERS)('xfer abort on $name', ({ start }) => {
  let real
  beforeAll(async () => {
    real = await start()
    await createBuckets(real, 'target')
  })
  afterAll(() => real.close())

  test('leaves no upload', async () => {
    const home = newStateHome()
    const at = openStore(real, 'target')
    const upload = await leaveUpload(at, 'dir/big', 3)
    const { id } = await leaveJob(home, { server: real, bucket: 'target', key: 'dir/big', upload })
    await said(run(home, ['abort', id], sideEnv('DEST', real)))
    expect(await uploadsOf(at, 'dir/big')).toEqual([])
    at.close()
  })
})
