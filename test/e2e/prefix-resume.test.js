'use strict'

/** Copies of prefixes that were killed, interrupted or stopped, and what becomes of them: gone on with, begun anew, given up. */

const { appendFileSync } = require('node:fs')
const { join } = require('node:path')

const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { nextSecond, openKeptTrees, sizesOf } = require('../support/prefixes')
const { all, bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(12 * MiB, 'large')
const LONGEST_MS = 120_000
jest.setTimeout(LONGEST_MS)

/** @type {Awaited<ReturnType<typeof openKeptTrees>>} */
let at
let source
let destination
let trees
let state
let kept
let run
let xfer
beforeEach(async () => {
  at = await openKeptTrees()
  ;({ source, destination, trees, state, kept, run, xfer } = at)
})
afterEach(() => at.close())

const journals = () => jobFiles(state)
const uploads = async () => (await all(marker => trees.to.upload.pending({ prefix: '', marker }), 'uploads')).entries

/** What begins at the destination from now on. @returns {string[]} `operation key` */
function watchWrites() {
  const seen = []
  destination.on('begin', ({ operation, key }) => seen.push(`${operation} ${key}`))
  return seen
}

/**
 * A run that is killed once a request begins at the destination, which then does not end.
 *
 * @param {string[]} args
 * @param {(event: any) => boolean} held
 * @param {{ signal?: NodeJS.Signals, written?: string }} [how] written: the type of a line that the journal must hold by then
 */
async function killedAt(args, held, { signal = 'SIGKILL', written } = {}) {
  const begun = eventOf(destination, 'begin', held)
  const { child, ended } = trees.start(args, kept)
  await begun
  if (written) await journalHolds(state, written)
  child.kill(signal)
  const { stdout } = await ended
  destination.faults.clear()
  return stdout
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

/** The second part of a large object comes at a crawl. @param {string} key @param {string[]} [args] */
async function killedInPart(key, args = ['copy', '--concurrency', '1']) {
  destination.faults.add({ operation: 'UploadPart', key, partNumber: 2, bytesPerSecond: 64 * 1024 })
  const second = event => event.operation === 'UploadPart' && event.key === key && event.partNumber === 2
  return await killedAt(args, second, { written: 'part' })
}

describe('killed with a large object half done', () => {
  test('it goes on with the parts that are there, and with nothing that was copied', async () => {
    await trees.fill({ 'tree/a': 'one', 'tree/b/large': LARGE, 'tree/c': 'two' })
    await nextSecond(trees.from)
    await killedInPart('tree/b/large')
    const [{ id }] = await uploads()
    const writes = watchWrites()
    const { status, last, events } = await run('copy')
    expect({ status, type: last.type }).toEqual({ status: 0, type: 'done' })
    const [resumed, ...others] = events.filter(({ type }) => type === 'resume')
    expect([resumed, others]).toMatchObject([{ name: 'b/large', parts: 1 }, []])
    // What the killed one had copied took this one no time.
    expect(last.bytesPerSecond).toBe(Math.round(((last.bytes - resumed.bytes) / last.elapsedMs) * 1000))
    expect(writes.filter(write => write.startsWith('UploadPart'))).toHaveLength(2)
    expect(writes.some(write => write.startsWith('CreateMultipartUpload'))).toBe(false)
    expect(id).toBeDefined()
    expect((await get(trees.to, 'tree/b/large')).equals(LARGE)).toBe(true)
    expect(await uploads()).toEqual([])
    expect(journals()).toEqual([])
  })
})

describe('what an earlier run has done', () => {
  const names = Array.from({ length: 60 }, (_, i) => `n${String(i).padStart(2, '0')}`)
  const objects = Object.fromEntries(names.map(name => [`tree/${name}`, `of ${name}`]))
  /** Forty of them, and not the first one: so no cursor tells of any. */
  const mostOf = async (args = ['copy']) => {
    destination.faults.add({ operation: 'PutObject', key: 'tree/n00', delayMs: 60_000 })
    let done = 0
    const { child, ended } = trees.start([...args, '--concurrency', '4'], kept)
    await eventOf(destination, 'request', ({ operation }) => operation === 'PutObject' && ++done === 40)
    child.kill('SIGKILL')
    await ended
    destination.faults.clear()
  }

  test('is done again where the destination may not be listed, and that is told', async () => {
    await trees.fill(objects)
    await mostOf()
    destination.faults.add({ operation: 'ListObjectsV2', status: 403 })
    const { status, events } = await run('copy')
    expect(status).toBe(0)
    const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
    expect(notices).toContainEqual(expect.stringContaining('not allowed to list s3://target/tree/'))
    destination.faults.clear()
    expect(Object.keys(await sizesOf(trees.to))).toHaveLength(60)
    expect(journals()).toEqual([])
  })

  test('is looked at again where a line of the journal is damaged', async () => {
    await trees.fill(objects)
    await killedAt(['copy', '--concurrency', '1'], ({ operation }) => operation === 'PutObject', { signal: 'SIGTERM' })
    const path = join(state, 'xfer', 'jobs', journals()[0])
    appendFileSync(path, '00000000 {"n":99,"at":1,"type":"failed","name":"n00"}\n')
    await trees.to.removeAll(['tree/n00'])
    expect((await run('copy')).status).toBe(0)
    expect(Object.keys(await sizesOf(trees.to))).toHaveLength(60)
  })
})

describe('a copy of which some objects failed', () => {
  const names = Array.from({ length: 20 }, (_, i) => `n${String(i).padStart(2, '0')}`)
  let job
  beforeEach(async () => {
    await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name])))
    await nextSecond(trees.from)
    source.faults.add({ operation: ['GetObject', 'HeadObject'], keyPattern: 'n0[37]$', status: 403 })
    const { last } = await run('copy')
    source.faults.clear()
    expect(last).toMatchObject({ code: 'OBJECTS_FAILED', objects: { copied: 18, failed: 2 }, job: expect.any(String) })
    job = last.job
    expect(last.hint).toContain(`xfer resume ${job}`)
    await put(trees.from, 'tree/new', Buffer.from('new'))
  })

  test('tries these again when it is resumed, and what is new', async () => {
    const writes = watchWrites()
    const { events, status } = await xfer('resume', job, '--json')
    expect({ status, last: events.at(-1) }).toMatchObject({ status: 0, last: { objects: { copied: 3, earlier: 18 } } })
    expect(writes.filter(write => /^PutObject/.test(write)).sort()).toEqual([
      'PutObject tree/n03',
      'PutObject tree/n07',
      'PutObject tree/new',
    ])
    expect(journals()).toEqual([])
  })
})

describe('what lies before the cursor of a killed job', () => {
  const names = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}`)
  /** Killed in the large object, which is the last; then the source replaces one and gets one, and the destination loses one and gets one. */
  async function changed(command) {
    await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, `of ${name}`])))
    await nextSecond(trees.from)
    // Large ones go first, so that it is under way alone when the others are done.
    await put(trees.from, 'tree/z', LARGE)
    destination.faults.add({ operation: 'UploadPart', key: 'tree/z', delayMs: 60_000 })
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
    const { child, ended } = trees.start([...command, '--concurrency', '4'], kept)
    await begun
    // The cursor is behind them.
    await journalHolds(state, 'ranges","ranges":[{"id":0,"after":"n29')
    child.kill('SIGKILL')
    await ended
    destination.faults.clear()
    await nextSecond(trees.from)
    await put(trees.from, 'tree/n03', Buffer.from('replaced'))
    await put(trees.from, 'tree/n04a', Buffer.from('new'))
    await trees.to.removeAll(['tree/n05'])
    await put(trees.to, 'tree/n06a', Buffer.from('extra'))
  }
  const copied = events =>
    events.filter(({ type, action }) => type === 'object' && action === 'copy').map(({ name }) => name)
  const verified = async (...flags) => (await trees.run(['verify', ...flags])).status

  test('is looked at by the same sync, which deletes what is extra', async () => {
    await changed(['sync', '--delete'])
    const { status, events } = await run('sync', '--delete')
    expect({ status, copied: copied(events).sort() }).toEqual({ status: 0, copied: ['n03', 'n04a', 'n05', 'z'] })
    expect(await verified()).toBe(0)
  })

  test('is looked at by xfer resume, and by a dry run', async () => {
    await changed(['sync'])
    const dry = await run('sync', '--dry-run')
    expect(copied(dry.events).sort()).toEqual(['n03', 'n04a', 'n05', 'z'])
    const { status, events } = await xfer('resume', '--json')
    expect({ status, copied: copied(events).sort() }).toEqual({ status: 0, copied: ['n03', 'n04a', 'n05', 'z'] })
    expect(await verified('--one-way')).toBe(0)
  })
})
