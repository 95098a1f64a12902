'use strict'

/** What a user may have meant otherwise: names from standard input; and a machine without room, or with few files. */

const { newFolder, startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, eventsOf, runXfer, startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

let source
let destination
let trees
let folder
beforeEach(async () => {
  folder = newFolder()
  ;[source, destination] = await Promise.all([startStore(), startStore()])
  trees = await openTrees({ source, destination })
})

test('names in a file from standard input must be given again for a resume', async () => {
  const many = Array.from({ length: 70 }, (_, i) => `tree/n${i}`)
  await trees.fill(Object.fromEntries(many.map(key => [key, 'x'])))
  source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/n69', status: 400, code: 'ExpiredToken' })
  const env = { ...bareEnv, ...trees.env, XDG_STATE_HOME: folder, XFER: `${process.execPath} ${XFER}` }
  const copy =
    'for i in $(seq 0 69); do echo n$i; done | $XFER copy -r s3://origin/tree s3://target/tree --engine local --files-from - --json'
  const first = await runShell(copy, { env })
  expect(eventsOf({ stdout: first.output }).at(-1)).toMatchObject({ type: 'error', code: 'CREDENTIALS_EXPIRED' })
  const resumed = await runXfer(['resume', '--json'], { env })
  expect(eventsOf(resumed).at(-1)).toMatchObject({ code: 'USAGE', exitCode: 2 })
  expect(eventsOf(resumed).at(-1).message).toContain('read its names from standard input')
  source.faults.clear()
  const job = eventsOf({ stdout: first.output }).at(-1).job
  expect(eventsOf(resumed).at(-1).hint).toContain(`xfer resume ${job} --files-from FILE`)
  const resume = `for i in $(seq 0 69); do echo n$i; done | $XFER resume ${job} --files-from - --json`
  const again = await runShell(resume, { env })
  expect(eventsOf({ stdout: again.output }).at(-1)).toMatchObject({ type: 'done' })
  expect(Object.keys(await sizesOf(trees.to)).sort()).toEqual(many.sort())
})

/** @param {string} limit of the process, as of `ulimit` */
const within = limit => ({ node: 'bash', nodeArgs: ['-c', `ulimit ${limit}; exec ${process.execPath} "$@"`, 'xfer'] })
test('a process that may open few files copies fewer objects at once, and fails none', async () => {
  // So that many are under way at once.
  source.faults.add({ operation: 'GetObject', delayMs: 100 })
  const names = Array.from({ length: 400 }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  for (const name of names) await put(trees.from, name, bytesOf(100, name))
  const { status, events, last } = await trees.run(['sync'], within('-n 64'))
  expect({ status, last }).toMatchObject({ status: 0, last: { objects: { copied: 400, failed: 0 } } })
  expect(events.filter(({ type }) => type === 'failure')).toEqual([])
  const short = events.filter(({ type, code }) => type === 'throttle' && code === 'TOO_MANY_FILES')
  expect(short.length).toBeGreaterThan(0)
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(names)
})

test('a process that may open too few files does not start', async () => {
  const { ended } = startXfer(['copy', '-r', 's3://origin/tree/', '/nowhere/', '--json'], within('-n 32'))
  const stderr = expect.stringMatching(/may open only 32 files and connections, and xfer needs 64 or more: raise/)
  expect(await ended).toMatchObject({ status: 2, stdout: '', stderr })
})
