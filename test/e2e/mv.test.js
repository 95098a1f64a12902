'use strict'

/** xfer mv with the real program: killed at each step, and where two names are one object. */

const { readFileSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { eachAtOnce } = require('../../lib/async')
const { newFolder, startKinds } = require('../support/opened')
const { chooseKinds } = require('../support/ends')
const { jobFiles } = require('../support/journals')
const { killAt, openMove } = require('../support/moves')
const { runXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

const LARGE = bytesOf(6 * 1024 ** 2, 'large')

const { kinds } = chooseKinds('sandbox')

let server
beforeAll(async () => {
  ;[server] = await startKinds(kinds)
})

const PARTS = ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload']

test('a file that a link names twice is not moved onto itself and deleted', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'a'), 'a')
  symlinkSync(folder, join(folder, 'link'))
  const { status, stderr } = await runXfer(['mv', 'a', 'link/a'], { cwd: folder })
  const says = expect.stringContaining('are the same object, under two names')
  expect({ status, stderr }).toEqual({ status: 2, stderr: says })
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('a')
})

test('a copy after a killed move deletes nothing, and neither does its resume', async () => {
  const at = await openMove(server, { large: LARGE })
  const args = at.line('large', '--chunk', '5')
  const killed = { side: /** @type {const} */ ('destination'), operations: PARTS, done: false }
  expect(await killAt(at, { ...killed, args, nth: 2 })).toBe(true)
  expect(await killAt(at, { ...killed, args: ['copy', ...args.slice(1)], nth: 1 })).toBe(true)
  expect((await runXfer(['resume'], { env: at.env })).status).toBe(0)
  expect(await at.where()).toEqual(['sd'])
})

/**
 * `xfer mv`, killed (-9) before and after each step that changes something, and then typed again or resumed. At any moment each
 * object is at the source, or whole at the destination.
 */
const AT_ONCE = 4
const SMALL = { one: 'one object' }

const ONE = { objects: SMALL, key: 'one', flags: [] }
const IN_PARTS = { objects: { large: LARGE }, key: 'large', flags: ['--chunk', '5'] }
const PREFIX = { objects: { 't/a': 'a', 't/b': LARGE }, key: 't/', flags: ['-r', '--chunk', '5'] }

/** What is killed, and at which requests to one end: all that change something, and those a deletion depends on. */
const KILLED = [
  ['one object in one request', ONE, 'source', ['HeadObject', 'DeleteObject']],
  ['one object in one request', ONE, 'destination', ['HeadObject', 'PutObject']],
  ['one object in parts', IN_PARTS, 'source', ['DeleteObject']],
  ['one object in parts', IN_PARTS, 'destination', PARTS],
  ['a prefix', PREFIX, 'source', ['DeleteObject']],
  ['a prefix', PREFIX, 'destination', ['PutObject', 'CompleteMultipartUpload']],
  ['one object within one store', { ...ONE, oneStore: true }, 'source', ['CopyObject', 'DeleteObject']],
]
/** A request that only asks is the same to the store whether it arrives or not. */
const REQUESTS = KILLED.flatMap(([words, what, side, operations]) =>
  [false, true].map(done => {
    const own = operations.filter(operation => !done || operation !== 'HeadObject')
    const arrived = done ? 'was carried out' : 'did not arrive'
    return [words, own.join(', '), side, arrived, { ...what, side, operations: own, done }]
  }),
)

test.each(REQUESTS)(
  'the move of %s, killed at a %s to the %s that %s: nothing is nowhere, and the next run moves it',
  async (_, _operations, _side, _arrived, { objects, key, flags, oneStore, ...kill }) => {
    let ends = false
    const wrong = []
    const numbers = (function* () {
      for (let nth = 1; !ends; nth++) yield nth
    })()
    await eachAtOnce(numbers, AT_ONCE, async nth => {
      const at = await openMove(server, objects, { oneStore })
      const args = at.line(key, ...flags)
      if (!(await killAt(at, { ...kill, args, nth }))) {
        ends = true
        return
      }
      const killed = await at.where()
      const again = nth % 2 === 0 ? args : ['resume']
      const { status, stderr } = await runXfer(again, { env: at.env })
      const moved = await at.where()
      const good = !killed.includes('') && status === 0 && moved.every(place => place === 'd')
      if (!good) wrong.push({ nth, killed, again: again[0], status, stderr, moved })
      expect(jobFiles(at.env.XDG_STATE_HOME)).toEqual([])
    })
    expect(wrong).toEqual([])
  },
)
