'use strict'

/** A platform is killed in the middle of a copy, with all its containers, and started again. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { startStore } = require('../../sandbox/store')
const { deploy } = require('../../lib')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put, sha256, uploadsOf } = require('../support/s3')

const MAIN = join(__dirname, '..', '..', 'sandbox', 'platform', 'main.js')
const MiB = 1024 ** 2
const BODY = bytesOf(20 * MiB + 77)
jest.setTimeout(120_000)

let store
let platform
let route
let folder
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xfer-test-restart-'))
  store = await startStore()
})
afterEach(async () => {
  route?.close()
  await platform?.kill()
  await store.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A process of its own. @param {Record<string, unknown>} options */
async function startPlatform(options) {
  const all = { containers: 2, limits: { perMinute: 100_000 }, ...options }
  const child = spawn(process.execPath, [MAIN, JSON.stringify(all)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    ...JSON.parse(line),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const deployTo = ({ apihost, auth }) => deploy({ env: { HOME: folder, APIHOST: apihost, AUTH: auth } })

/** Copies, kills the platform when the second part has begun, and starts it again. @param {Record<string, unknown>} options */
async function copyOver(options) {
  platform = await startPlatform(options)
  await deployTo(platform)
  route = await openRoute({ source: store, platform })
  await put(route.from, 'big', BODY)
  const slow = store.faults.add({ operation: 'UploadPart', nth: 2, bytesPerSecond: MiB })
  const second = eventOf(store, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 2)
  const env = { XDG_STATE_HOME: folder }
  const flags = ['--concurrency', '1', '--on-failure', 'keep']
  const { ended } = route.start('big', 'copy', flags, { env })
  await second
  const { apihost, auth } = platform
  await platform.kill()
  slow.remove()
  // As long as a real one takes to come back, at the least.
  await new Promise(resolve => setTimeout(resolve, 7_000))
  platform = await startPlatform({ ...options, auth, port: Number(new URL(apihost).port) })
  const run = await ended
  return { run, last: eventsOf(run).at(-1), env: { ...route.env, ...env } }
}

async function expectCopied() {
  expect(sha256(await get(route.to, 'copy'))).toBe(sha256(BODY))
  expect(await uploadsOf(route.to, 'copy')).toEqual([])
}

test('one that still knows its actions continues the copy', async () => {
  const { run, last } = await copyOver({ file: join(folder, 'entities.json') })
  expect({ status: run.status, type: last.type }).toEqual({ status: 0, type: 'done' })
  await expectCopied()
})

test('one that has forgotten its actions ends the copy, which goes on once they are deployed', async () => {
  const { run, last, env } = await copyOver({})
  expect({ status: run.status, code: last.code }).toEqual({ status: 5, code: 'ACTION_NOT_DEPLOYED' })
  expect(last.hint).toContain('xfer deploy')
  await deployTo(platform)
  const resumed = await runXfer(['resume', '--json'], { env })
  expect({ status: resumed.status, last: eventsOf(resumed).at(-1) }).toMatchObject({
    status: 0,
    last: { type: 'done', resumedBytes: expect.any(Number) },
  })
  await expectCopied()
})
