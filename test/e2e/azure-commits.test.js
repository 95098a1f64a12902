'use strict'

/** A commit of blocks whose answer nobody has read: their ids tell whether the blob is the copy. And a copy that went wrong. */

const { openEnd, startAzureStore, startKinds } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { newStateHome } = require('../support/journals')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

jest.setTimeout(120_000)

const MiB = 1024 ** 2

const BODY = bytesOf(10 * MiB + 1, 'ours')

let servers
let store
let source
let destination
let env
beforeAll(async () => {
  store = await startAzureStore({ versioning: true })
  servers = [...(await startKinds([KINDS[0]])), { ...azureServer(store), name: 'sandbox-azure' }]
})
beforeEach(async () => {
  source = await openEnd(servers[0], 'origin')
  destination = await openEnd(servers[1], 'target')
  env = { XDG_STATE_HOME: newStateHome(), ...source.env('SOURCE'), ...destination.env('DEST') }
  await source.write('one', { bytes: BODY })
})
afterEach(() => store.faults.clear())

/** @param {string[]} flags */
const start = (...flags) =>
  startXfer(['copy', source.text('one'), destination.text('one'), '--engine', 'local', '--chunk', '5', ...flags], {
    env,
  })

test('a copy that was killed after its commit is found done, and nothing is copied again', async () => {
  store.faults.add({ operation: 'PutBlockList', nth: 1, answerDelayMs: 120_000 })
  const run = start()
  while ((await store.look('target')).objects.length === 0) await new Promise(resolve => setImmediate(resolve))
  run.child.kill('SIGKILL')
  await run.ended
  store.faults.clear()
  const blocks = store.requests.PutBlock
  const { status } = await startXfer(['resume'], { env }).ended
  expect({ status, again: store.requests.PutBlock - blocks }).toEqual({ status: 0, again: 0 })
  expect((await destination.read('one')).bytes.equals(BODY)).toBe(true)
})

test('a wrong copy is removed where versions are kept: the current version cannot be deleted by its id', async () => {
  store.faults.add({ operation: 'PutBlock', flipByteAt: 100 })
  store.faults.add({ operation: 'PutBlock', crc: 'none' })
  const run = await start('--json').ended
  const { code, message } = eventsOf(run).at(-1)
  expect({ status: run.status, code, message }).toMatchObject({
    ...{ status: 8, code: 'WRONG_COPY' },
    message: expect.stringContaining('it was removed, so that nothing is there now'),
  })
  expect(await destination.read('one')).toBeUndefined()
})
