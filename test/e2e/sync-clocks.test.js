'use strict'

/** `xfer sync` between stores whose clocks differ, and of a source that is replaced while it is copied. */

const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { openTrees } = require('../support/prefixes')
const { put } = require('../support/s3')

const HOUR_MS = 3_600_000

let source
let destination
let trees
async function open({ destinationAheadMs = 0 } = {}) {
  ;[source, destination] = await Promise.all([startStore(), startStore({ clockSkewMs: destinationAheadMs })])
  trees = await openTrees({ source, destination })
}
afterEach(async () => {
  trees.close()
  await Promise.all([source.close(), destination.close()])
})

const copied = ({ status, objects }) => ({ status, names: objects.map(({ name }) => name).sort() })

/** Each writes its object while the source is replaced by another of the same size. @param {number} delayMs */
async function syncReplaced(delayMs) {
  const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
  destination.faults.add({ operation: 'PutObject', nth: 1, delayMs })
  const { ended } = trees.start(['sync', '--json'])
  await begun
  await put(trees.from, 'tree/a', Buffer.from('new'))
  expect((await ended).status).toBe(0)
}

test('a source that was replaced between its read and the end of the write is copied by the next sync', async () => {
  await open()
  await trees.fill({ 'tree/a': 'old' })
  await syncReplaced(1_500)
  expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: ['a'] })
  expect(await trees.text(trees.to, 'tree/a')).toBe('new')
  expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
})

test('and by the same one, where the write took so long that times would not tell', async () => {
  await open()
  await trees.fill({ 'tree/a': 'old' })
  await syncReplaced(5_000)
  expect(await trees.text(trees.to, 'tree/a')).toBe('new')
  expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
})

test('an object that the destination wrote when its clock was ahead does not hide a change', async () => {
  const accounts = [{ accessKeyId: 'id', secretAccessKey: 'secret' }]
  const dir = newStateHome()
  source = await startStore()
  destination = await startStore({ dir, accounts, clockSkewMs: HOUR_MS })
  trees = await openTrees({ source, destination })
  await trees.fill({ 'tree/a': 'old', 'tree/b': 'old' })
  await trees.run(['sync'])
  await destination.close()
  trees.close()
  destination = await startStore({ dir, accounts })
  trees = await openTrees({ source, destination })
  await put(trees.from, 'tree/a', Buffer.from('new'))
  expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: ['a'] })
})
