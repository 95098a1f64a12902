'use strict'

/**
 * `xfer mv`, killed (-9) before and after each step that changes something, and then typed again or resumed. At any moment each
 * object is at the source, or whole at the destination.
 */

const { watch } = require('node:fs')
const { eachAtOnce } = require('../../lib/async')
const { chooseKinds, startKinds } = require('../support/ends')
const { jobFiles } = require('../support/journals')
const { createMoves, killAt } = require('../support/moves')
const { runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

const AT_ONCE = 4
const SMALL = { one: 'one object' }
const MANY = { a: 'a', large: bytesOf(6 * 1024 ** 2, 'large') }
const IN_PARTS = ['-r', '--chunk', '5']
jest.setTimeout(120_000)

const { kinds } = chooseKinds('sandbox,sandbox-azure,google-mode,file')
let servers
const { open, close } = createMoves(kind => servers.get(kind))
beforeAll(async () => {
  servers = new Map((await startKinds(kinds)).map(server => [server.name, server]))
})
afterEach(close)
afterAll(async () => {
  await Promise.all([...servers.values()].map(server => server.stop()))
})

/** Moments of a kill: of one object, and of two below a prefix. `change`: the nth change that the folder of a side shows. */
const before = (side, operations, nth = 1) => ({ side, operations, nth, done: false })
const after = (side, operations, nth = 1) => ({ side, operations, nth, done: true })
const change = (side, nth) => ({ side, change: nth })

const WRITES = ['PutObject', 'UploadPart', 'CompleteMultipartUpload']
const ONE_AWAY = [before('source', ['DeleteObject']), after('source', ['DeleteObject'])]
const MANY_AWAY = [before('source', ['DeleteObject'], 2), after('source', ['DeleteObject'])]
const ONE_WRITTEN = [before('destination', ['PutObject']), after('destination', ['PutObject'])]
const MANY_WRITTEN = [
  after('destination', ['UploadPart']),
  before('destination', ['CompleteMultipartUpload']),
  after('destination', ['CompleteMultipartUpload']),
  after('destination', WRITES, 2),
]

const ROWS = [
  ['sandbox-azure', 'google-mode', [...ONE_WRITTEN, ...ONE_AWAY], [...MANY_WRITTEN, ...MANY_AWAY]],
  ['google-mode', 'sandbox-azure', [...ONE_WRITTEN, ...ONE_AWAY], [...MANY_WRITTEN, ...MANY_AWAY]],
  ['file', 'sandbox-azure', [...ONE_WRITTEN, change('source', 1)], MANY_WRITTEN],
  ['google-mode', 'file', [change('destination', 1), ...ONE_AWAY], [change('destination', 2), ...MANY_AWAY]],
  [
    ...['file', 'file', [change('destination', 1), change('source', 1)]],
    [change('destination', 1), change('destination', 3), change('source', 1), change('source', 2)],
  ],
]

/** Kills the command once the folder of a side has shown so many changes: files that were made, renamed or deleted. */
async function killAtChange(at, { args, side, change: nth }) {
  const folder = watch(at[side].text(''))
  const { child, ended } = startXfer(args, { env: at.env })
  let seen = 0
  folder.on('change', kind => {
    if (kind === 'rename' && ++seen === nth) child.kill('SIGKILL')
  })
  await ended
  folder.close()
}

test.each(ROWS)('%s to %s: nothing is nowhere, and the next run moves it', async (from, to, ofOne, ofMany) => {
  const wrong = []
  const moments = [
    ...ofOne.map(when => ({ when, objects: SMALL, key: 'one', flags: [] })),
    ...ofMany.map(when => ({ when, objects: MANY, key: '', flags: IN_PARTS })),
  ]
  await eachAtOnce(moments.entries(), AT_ONCE, async ([index, { when, objects, key, flags }]) => {
    const at = await open(from, to, objects)
    const args = at.line(key, ...flags)
    const reached = 'change' in when ? await killAtChange(at, { args, ...when }) : await killAt(at, { args, ...when })
    const killed = await at.where()
    // What ended before its kill has no journal, and nothing is left to move.
    const over = killed.every(place => place === 'd') && jobFiles(at.env.XDG_STATE_HOME).length === 0
    const again = index % 2 === 0 || jobFiles(at.env.XDG_STATE_HOME).length === 0 ? args : ['resume']
    const { status, stderr } = over ? { status: 0, stderr: '' } : await runXfer(again, { env: at.env })
    const moved = await at.where()
    const good = reached !== false && !killed.includes('') && status === 0 && moved.every(place => place === 'd')
    const left = jobFiles(at.env.XDG_STATE_HOME)
    if (!good || left.length > 0) wrong.push({ when, reached, killed, again: again[0], status, stderr, moved, left })
  })
  expect(wrong).toEqual([])
})

const [HEADS, PARTS] = [['HeadObject'], ['CreateMultipartUpload', 'UploadPart', 'CompleteMultipartUpload']]
const STEPS_IN_PARTS = { source: ['DeleteObject'], destination: PARTS }

/** What is killed, and at which requests to each end: all that change something, and once those that the deletion depends on. */
const KILLED = [
  [
    'one object in one request',
    { objects: SMALL, key: 'one', flags: [] },
    { source: [...HEADS, 'DeleteObject'], destination: [...HEADS, 'PutObject'] },
  ],
  ['one object in parts', { objects: { large: MANY.large }, key: 'large', flags: ['--chunk', '5'] }, STEPS_IN_PARTS],
  [
    'a prefix',
    { objects: { 't/a': 'a', 't/b': MANY.large }, key: 't/', flags: ['-r', '--chunk', '5'] },
    { source: ['DeleteObject'], destination: ['PutObject', 'CompleteMultipartUpload'] },
  ],
  [
    'one object within one store',
    { objects: SMALL, key: 'one', flags: [], oneStore: true },
    { source: ['CopyObject', 'DeleteObject'], destination: [] },
  ],
]
/** A request that only asks is the same to the store whether it arrives or not. */
const REQUESTS = KILLED.flatMap(([words, what, steps]) =>
  /** @type {const} */ (['source', 'destination']).flatMap(side =>
    [false, true].flatMap(done => {
      const operations = steps[side].filter(operation => !done || operation !== 'HeadObject')
      const row = [
        words,
        operations.join(', '),
        side,
        done ? 'was carried out' : 'did not arrive',
        { ...what, operations, done },
      ]
      return operations.length > 0 ? [/** @type {const} */ (row)] : []
    }),
  ),
)

test.each(REQUESTS)(
  'the move of %s, killed at a %s to the %s that %s: nothing is nowhere, and the next run moves it',
  async (_, _operations, side, _arrived, { objects, key, flags, oneStore, operations, done }) => {
    let ends = false
    const wrong = []
    const numbers = (function* () {
      for (let nth = 1; !ends; nth++) yield nth
    })()
    await eachAtOnce(numbers, AT_ONCE, async nth => {
      const at = await open('sandbox', 'sandbox', objects, { oneStore })
      const args = at.line(key, ...flags)
      if (!(await killAt(at, { args, side, operations, nth, done }))) {
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
