'use strict'

/** A commit of blocks whose answer nobody has read: their ids tell whether the blob is the copy. */

const { openEnd, startAzureStore, startKinds } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { newStateHome } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

jest.setTimeout(120_000)

const BODY = bytesOf(10 * 1024 ** 2 + 1, 'ours')

test('a copy that was killed after its commit is found done, and nothing is copied again', async () => {
  const store = await startAzureStore({ versioning: true })
  const source = await openEnd((await startKinds([KINDS[0]]))[0], 'origin')
  const destination = await openEnd({ ...azureServer(store), name: 'sandbox-azure' }, 'target')
  const env = { XDG_STATE_HOME: newStateHome(), ...source.env('SOURCE'), ...destination.env('DEST') }
  await source.write('one', { bytes: BODY })
  store.faults.add({ operation: 'PutBlockList', nth: 1, answerDelayMs: 120_000 })
  const args = ['copy', source.text('one'), destination.text('one'), '--engine', 'local', '--chunk', '5']
  const run = startXfer(args, { env })
  while ((await store.look('target')).objects.length === 0) await new Promise(resolve => setImmediate(resolve))
  run.child.kill('SIGKILL')
  await run.ended
  store.faults.clear()
  const blocks = store.requests.PutBlock
  const { status } = await startXfer(['resume'], { env }).ended
  expect({ status, again: store.requests.PutBlock - blocks }).toEqual({ status: 0, again: 0 })
  expect((await destination.read('one')).bytes.equals(BODY)).toBe(true)
})
