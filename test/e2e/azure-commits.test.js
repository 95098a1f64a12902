'use strict'

/** Commits of blocks: others write the same blob meanwhile, and answers are lost. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')
const { KINDS, openEnd, startKinds } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256: sha256Of } = require('../support/stores')

const MiB = 1024 ** 2

/** A commit whose answer nobody has read: the ids of the blob's blocks tell whether it is the copy. And a copy that went wrong. */
describe('an answer that was lost', () => {
  const LONGEST_MS = 120_000
  const BODY = bytesOf(10 * MiB + 1, 'ours')

  let servers
  let store
  let source
  let destination
  let state
  let env
  beforeAll(async () => {
    const sandboxAzure = {
      name: 'sandbox-azure',
      async start() {
        store = await startAzureStore({ versioning: true })
        return azureServer(store)
      },
    }
    servers = await startKinds([KINDS[0], sandboxAzure])
  }, LONGEST_MS)
  afterAll(() => Promise.all(servers.map(server => server.stop())))
  beforeEach(async () => {
    source = await openEnd(servers[0], 'origin')
    destination = await openEnd(servers[1], 'target')
    state = await mkdtemp(join(tmpdir(), 'xfer-lost-'))
    env = { ...bareEnv, XDG_STATE_HOME: state, ...source.env('SOURCE'), ...destination.env('DEST') }
    await source.write('one', { bytes: BODY })
  })
  afterEach(async () => {
    store.faults.clear()
    await source.close()
    await destination.close()
    await rm(state, { recursive: true, force: true })
  })

  /** @param {string[]} flags */
  const start = (...flags) =>
    startXfer(['copy', source.text('one'), destination.text('one'), '--engine', 'local', '--chunk', '5', ...flags], {
      env,
    })
  const found = async () => sha256Of((await destination.read('one')).bytes)

  /** Kills the command when its commit was carried out, and not answered. @param {string[]} flags */
  async function killedAfterCommit(...flags) {
    store.faults.add({ operation: 'PutBlockList', nth: 1, answerDelayMs: LONGEST_MS })
    const run = start(...flags)
    for (;;) {
      const { objects } = await store.look('target')
      if (objects.length > 0) break
      await new Promise(resolve => setImmediate(resolve))
    }
    run.child.kill('SIGKILL')
    await run.ended
    store.faults.clear()
  }

  test.each([[[]], [['--no-clobber']]])(
    'a copy with %j that was killed after its commit is found done, and nothing is copied again',
    async flags => {
      await killedAfterCommit(...flags)
      const blocks = store.requests.PutBlock
      const { status } = await startXfer(['resume'], { env }).ended
      expect({ status, again: store.requests.PutBlock - blocks }).toEqual({ status: 0, again: 0 })
      expect(await found()).toBe(sha256Of(BODY))
    },
    LONGEST_MS,
  )

  test(
    'a wrong copy is removed where versions are kept: the current version cannot be deleted by its id',
    async () => {
      store.faults.add({ operation: 'PutBlock', flipByteAt: 100 })
      store.faults.add({ operation: 'PutBlock', crc: 'none' })
      const run = await start('--json').ended
      const { code, message } = eventsOf(run).at(-1)
      expect({ status: run.status, code, message }).toMatchObject({
        ...{ status: 8, code: 'WRONG_COPY' },
        message: expect.stringContaining('it was removed, so that nothing is there now'),
      })
      expect(await destination.read('one')).toBeUndefined()
    },
    LONGEST_MS,
  )
})
