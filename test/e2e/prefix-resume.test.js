'use strict'

/** Copies of prefixes that were killed, and are gone on with. */

const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { nextSecond, openKeptTrees } = require('../support/prefixes')
const { all, bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(12 * MiB, 'large')

jest.setTimeout(120_000)

/** @type {Awaited<ReturnType<typeof openKeptTrees>>} */
let at
let destination
let trees
let run
beforeEach(async () => {
  at = await openKeptTrees()
  ;({ destination, trees, run } = at)
})

const uploads = async () => (await all(marker => trees.to.upload.pending({ prefix: '', marker }), 'uploads')).entries

/** A run that is killed once the operation has begun at the destination, and the journal holds what it has done. */
async function killedAt(args, { operation, partNumber }, written) {
  const held = event => event.operation === operation && event.partNumber === partNumber
  const begun = eventOf(destination, 'begin', held)
  const { child, ended } = trees.start(args, at.kept)
  await begun
  await journalHolds(at.state, written)
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
}

test('killed with a large object half done, it goes on with the parts that are there, and with nothing that was copied', async () => {
  await trees.fill({ 'tree/a': 'one', 'tree/b/large': LARGE, 'tree/c': 'two' })
  await nextSecond(trees.from)
  const second = { operation: 'UploadPart', partNumber: 2 }
  destination.faults.add({ ...second, bytesPerSecond: 64 * 1024 })
  await killedAt(['copy', '--concurrency', '1'], second, 'part')
  expect(await uploads()).toHaveLength(1)

  const writes = []
  destination.on('begin', ({ operation }) => writes.push(operation))
  const { status, last, events } = await run('copy')
  expect({ status, type: last.type }).toEqual({ status: 0, type: 'done' })
  const [resumed, ...others] = events.filter(({ type }) => type === 'resume')
  expect([resumed, others]).toMatchObject([{ name: 'b/large', parts: 1 }, []])
  // What the killed one had copied took this one no time.
  expect(last.bytesPerSecond).toBe(Math.round(((last.bytes - resumed.bytes) / last.elapsedMs) * 1000))
  expect(writes.filter(operation => operation === 'UploadPart')).toHaveLength(2)
  expect(writes).not.toContain('CreateMultipartUpload')
  expect((await get(trees.to, 'tree/b/large')).equals(LARGE)).toBe(true)
  expect(await uploads()).toEqual([])
  expect(jobFiles(at.state)).toEqual([])
})

test('what lies before the cursor of a killed sync is looked at by the same sync, which deletes what is extra', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}`)
  await trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, `of ${name}`])))
  await nextSecond(trees.from)
  // Large ones go first, so that it is under way alone when the others are done.
  await put(trees.from, 'tree/z', LARGE)
  destination.faults.add({ operation: 'UploadPart', key: 'tree/z', delayMs: 60_000 })
  // The cursor is behind them.
  const cursor = 'ranges","ranges":[{"id":0,"after":"n29'
  await killedAt(['sync', '--delete', '--concurrency', '4'], { operation: 'PutObject' }, cursor)
  await nextSecond(trees.from)
  await put(trees.from, 'tree/n03', Buffer.from('replaced'))
  await put(trees.from, 'tree/n04a', Buffer.from('new'))
  await trees.to.removeAll(['tree/n05'])
  await put(trees.to, 'tree/n06a', Buffer.from('extra'))

  const { status, objects } = await run('sync', '--delete')
  const copied = objects.filter(({ action }) => action === 'copy').map(({ name }) => name)
  expect({ status, copied: copied.sort() }).toEqual({ status: 0, copied: ['n03', 'n04a', 'n05', 'z'] })
  expect((await trees.run(['verify'])).status).toBe(0)
})
