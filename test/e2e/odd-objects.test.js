'use strict'

/** One object that is odd, in a prefix of others: it fails by its name, or is told of, and the others are copied. */

const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { sizesOf, openTrees } = require('../support/prefixes')
const { put } = require('../support/s3')

let source
let destination
let trees
async function open(options = {}) {
  ;[source, destination] = await Promise.all([startStore(options.source), startStore(options.destination)])
  trees = await openTrees({ source, destination })
}
afterEach(async () => {
  trees.close()
  await Promise.all([source.close(), destination.close()])
})

const NAMES = Array.from({ length: 30 }, (_, i) => `n${String(i).padStart(2, '0')}`)
const ODD = 'n07'
const OTHERS = NAMES.filter(name => name !== ODD)
const fill = (names = NAMES) => trees.fill(Object.fromEntries(names.map(name => [`tree/${name}`, name])))
const there = async () => Object.keys(await sizesOf(trees.to)).map(key => key.slice('tree/'.length))
const failed = events => events.filter(({ type }) => type === 'failure').map(({ name, code }) => `${name} ${code}`)
const addsUp = ({ listed, chosen, copied, skipped, filtered, failed }) => [
  listed - chosen - skipped - filtered,
  chosen - copied - failed,
]

describe.each([['copy'], ['sync']])('%s', command => {
  test('of a list without ETags: each object is asked for its own', async () => {
    await open({ source: { listEtags: false } })
    await fill()
    const { status } = await trees.run([command])
    expect([status, await there()]).toEqual([0, NAMES])
  })

  test('an object that is listed and cannot be read, for it is not there, as the store says, fails by its name', async () => {
    await open()
    await fill()
    source.faults.add({ operation: 'GetObject', key: `tree/${ODD}`, status: 404, code: 'NoSuchKey' })
    const { status, events, last } = await trees.run([command])
    expect({ status, names: failed(events).map(text => text.split(' ')[0]) }).toEqual({ status: 1, names: [ODD] })
    expect(addsUp(last.objects)).toEqual([0, 0])
    expect(await there()).toEqual(OTHERS)
  })

  test('and so does one that HEAD does not find either', async () => {
    await open()
    await fill()
    source.faults.add({
      operation: ['GetObject', 'HeadObject'],
      key: `tree/${ODD}`,
      status: 404,
      code: 'NoSuchKey',
    })
    const { status, events, last } = await trees.run([command])
    expect({ status, failed: failed(events) }).toEqual({ status: 1, failed: [`${ODD} BAD_ANSWER`] })
    expect(addsUp(last.objects)).toEqual([0, 0])
    expect(await there()).toEqual(OTHERS)
  })

  test('an object that was deleted after it was listed is no failure, counted as what it is, and named', async () => {
    await open()
    await fill()
    const key = `tree/${ODD}`
    source.faults.add({ operation: ['GetObject', 'HeadObject'], key, nth: 1, delayMs: 3_000 })
    const asked = eventOf(source, 'begin', event => event.key === key)
    const { ended } = trees.start([command])
    await asked
    await trees.from.removeAll([key])
    const { status, stdout } = await ended
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(status).toBe(0)
    expect(events.at(-1).objects).toMatchObject({ listed: 30, chosen: 29, copied: 29, skipped: 1, gone: 1 })
    expect(events.filter(({ action }) => action === 'gone')).toMatchObject([{ type: 'object', name: ODD }])
    expect(await there()).toEqual(OTHERS)
  })

  test('a key with a control character that the list cannot write fails as it is listed', async () => {
    await open({ source: { listKeys: 'replaced', pageSize: 4 } })
    await fill([...OTHERS, 'n07\u0001x'])
    const { status, events, last } = await trees.run([command])
    expect({ status, failed: failed(events) }).toEqual({ status: 1, failed: ['n07\ufffdx KEY_UNREADABLE'] })
    expect(last.objects).toMatchObject({ listed: 30, chosen: 30, copied: 29, failed: 1 })
    expect(await there()).toEqual(OTHERS)
  })
})

test('a key with a control character that the list can write is copied', async () => {
  await open()
  await fill([...OTHERS, 'n07\u0001x'])
  const { status } = await trees.run(['copy'])
  expect([status, (await there()).length]).toEqual([0, 30])
})

test('if the source has a key that cannot be listed, nothing is deleted', async () => {
  await open({ source: { listKeys: 'replaced' } })
  await fill([...OTHERS, 'n07\u0001x'])
  await put(trees.to, 'tree/n07\u0001x', Buffer.from('x'))
  await put(trees.to, 'tree/n99', Buffer.from('x'))
  expect((await trees.run(['sync', '--delete'])).status).toBe(1)
  expect((await there()).length).toBe(31)
})

test('a destination with such a key keeps it, says so, and loses what the source has not', async () => {
  await open({ destination: { listKeys: 'replaced' } })
  await fill()
  await put(trees.to, 'tree/n07\u0001x', Buffer.from('x'))
  await put(trees.to, 'tree/n99', Buffer.from('x'))
  const { status, events, last } = await trees.run(['sync', '--delete'])
  expect([status, last.objects.deleted]).toEqual([0, 1])
  expect(events.filter(({ type }) => type === 'notice').map(({ message }) => message)).toEqual([
    expect.stringContaining('neither compared nor deleted'),
  ])
  expect((await there()).length).toBe(31)
})

test('a resumed job remembers it', async () => {
  await open({ source: { listKeys: 'replaced' } })
  await fill([...NAMES, 'a\u0001x'])
  const env = { XDG_STATE_HOME: newStateHome() }
  destination.faults.add({ operation: 'PutObject', key: 'tree/n29', delayMs: 60_000 })
  const begun = eventOf(destination, 'begin', ({ key }) => key === 'tree/n29')
  const { child, ended } = trees.start(['copy'], { env })
  await begun
  child.kill('SIGTERM')
  await ended
  destination.faults.clear()
  const { status, events } = await trees.run(['copy'], { env })
  expect({ status, failed: failed(events) }).toEqual({ status: 1, failed: ['a\ufffdx KEY_UNREADABLE'] })
})
