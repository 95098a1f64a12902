'use strict'

/** A machine that lets a process open few files: what it is short of is no object's fault. */

const { spawn } = require('node:child_process')
const { startStore } = require('../../sandbox/store')
const { openTrees, sizesOf } = require('../support/prefixes')
const { XFER, bareEnv } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const OBJECTS = 400
jest.setTimeout(120_000)

let servers = []
let trees
afterEach(async () => {
  trees?.close()
  await Promise.all(servers.map(server => server.close()))
})

/** @param {string[]} args @param {number} files @param {object} env */
function runWith(args, files, env) {
  const command = `ulimit -n ${files} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', command, process.execPath, XFER, ...args], { env: { ...bareEnv, ...env } })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => {
      resolve({ status, stderr, events: stdout.split('\n').filter(Boolean).map(JSON.parse) })
    })
  })
}

test('copies fewer objects at once, and fails none', async () => {
  // So that many are under way at once.
  servers = await Promise.all([startStore({ faults: [{ operation: 'GetObject', delayMs: 100 }] }), startStore()])
  const [source, destination] = servers
  trees = await openTrees({ source, destination })
  const names = Array.from({ length: OBJECTS }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  for (const name of names) await put(trees.from, name, bytesOf(100, name))
  const args = ['sync', 's3://origin/tree/', 's3://target/tree/', '--engine', 'local', '--json']
  const { status, events } = await runWith(args, 64, trees.env)
  expect({ status, last: events.at(-1) }).toMatchObject({
    status: 0,
    last: { objects: { copied: OBJECTS, failed: 0 } },
  })
  expect(events.filter(({ type }) => type === 'failure')).toEqual([])
  const short = events.filter(({ type, code }) => type === 'throttle' && code === 'TOO_MANY_FILES')
  expect(short.length).toBeGreaterThan(0)
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(names)
})

test('refuses to start where even one object would starve', async () => {
  expect(await runWith(['copy', '-r', 's3://origin/tree/', '/nowhere/', '--json'], 32, {})).toEqual({
    status: 2,
    events: [],
    stderr:
      'xfer: This process may open only 32 files and connections, and xfer needs 64 or more: raise the limit (ulimit -n 1024).\n',
  })
})
