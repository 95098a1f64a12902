'use strict'

/** Copies of prefixes that were killed, and are gone on with. */

const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { nextSecond, openKeptTrees } = require('../support/prefixes')
const { all, bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(12 * MiB, 'large')
const LONGEST_MS = 120_000
jest.setTimeout(LONGEST_MS)

/** @type {Awaited<ReturnType<typeof openKeptTrees>>} */
let at
let destination
let trees
let state
let kept
let run
beforeEach(async () => {
  at = await openKeptTrees()
  ;({ destination, trees, state, kept, run } = at)
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
})
