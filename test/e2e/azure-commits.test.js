'use strict'

/** Commits of blocks: others write the same blob meanwhile, and answers are lost. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')
const { AZURE_KINDS, KINDS, openEnd, startKinds } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { startGate } = require('../support/gate')
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
    'what somebody else wrote since is not taken for the copy, though it is as long',
    async () => {
      const other = bytesOf(BODY.length, 'theirs')
      await killedAfterCommit('--no-clobber')
      await destination.write('one', { bytes: other })
      const run = await startXfer(['resume', '--json'], { env }).ended
      expect({ status: run.status, code: eventsOf(run).at(-1).code }).toEqual({ status: 7, code: 'DESTINATION_EXISTS' })
      expect(await found()).toBe(sha256Of(other))
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

/** Others write the same blob while it is copied. Azure has no uploads: each commit drops the blocks of all others. */
describe('others write the blob', () => {
  const LONGEST_MS = 120_000
  const BYTES = 10 * MiB + 1
  const FLAGS = ['--json', '--engine', 'local', '--chunk', '5', '--concurrency', '1']

  describe.each(AZURE_KINDS.filter(({ start }) => start).map(kind => [kind.name, kind]))('on %s', (_, kind) => {
    let servers
    let source
    let destination
    let gate
    let state
    let env
    let count = 0
    beforeAll(async () => {
      servers = await startKinds([KINDS[0], kind])
    }, LONGEST_MS)
    afterAll(() => Promise.all(servers.map(server => server.stop())))
    beforeEach(async () => {
      source = await openEnd(servers[0], `from-${++count}`)
      destination = await openEnd(servers[1], `to-${count}`)
      gate = await startGate(destination.relay)
      state = await mkdtemp(join(tmpdir(), 'xfer-races-'))
      env = {
        ...{ ...bareEnv, XDG_STATE_HOME: state, ...source.env('SOURCE') },
        ...servers[1].env('DEST', gate.endpoint),
      }
    })
    afterEach(async () => {
      await gate.close()
      await source.close()
      await destination.close()
      await rm(state, { recursive: true, force: true })
    })

    /** @param {string} key @param {string[]} [flags] */
    const start = (key, flags = []) =>
      startXfer(['copy', source.text(key), destination.text('contested'), ...FLAGS, ...flags], {
        // Two commands of one destination are two jobs.
        env: { ...env, XDG_STATE_HOME: join(state, key) },
      }).ended
    const ends = run => ({ status: run.status, code: eventsOf(run).at(-1).code })

    test(
      'of two copies one wins, and nothing is mixed',
      async () => {
        const bodies = ['one', 'two'].map(seed => bytesOf(BYTES, seed))
        await source.write('one', { bytes: bodies[0] })
        await source.write('two', { bytes: bodies[1] })
        const runs = await Promise.all(['one', 'two'].map(key => start(key)))
        // What is read back to prove it is the other's, where that came later.
        const replaced = { status: 6, code: 'OBJECT_CHANGED' }
        expect(runs.map(ends)).toContainEqual({ status: 0, code: undefined })
        for (const run of runs) expect([{ status: 0, code: undefined }, replaced]).toContainEqual(ends(run))
        const found = await destination.read('contested')
        expect(bodies.map(sha256Of)).toContain(sha256Of(found.bytes))
      },
      LONGEST_MS,
    )

    test(
      'of two copies that must not replace one alone succeeds',
      async () => {
        const bodies = ['one', 'two'].map(seed => bytesOf(BYTES, seed))
        await source.write('one', { bytes: bodies[0] })
        await source.write('two', { bytes: bodies[1] })
        const runs = await Promise.all(['one', 'two'].map(key => start(key, ['--no-clobber'])))
        expect(runs.map(({ status }) => status).sort()).toEqual([0, 7])
        const found = await destination.read('contested')
        expect(sha256Of(found.bytes)).toBe(sha256Of(bodies[runs.findIndex(({ status }) => status === 0)]))
      },
      LONGEST_MS,
    )

    /** Another client writes the blob when this many blocks are there, and drops them. @param {number} block @param {string[]} [flags] */
    async function withForeignCommit(block, flags) {
      const body = bytesOf(BYTES, 'ours')
      await source.write('ours', { bytes: body })
      let seen = 0
      const held = gate.hold(({ method, url }) => {
        const isBlock = method === 'PUT' && /[?&]comp=block(&|$)/.test(url)
        const isList = method === 'PUT' && /[?&]comp=blocklist(&|$)/.test(url)
        return block === 0 ? isList : isBlock && ++seen === block
      })
      const ended = start('ours', flags)
      const goOn = await held
      await destination.write('contested', { bytes: Buffer.from('foreign') })
      goOn()
      return { ...(await ended), body }
    }

    test.each([
      ['after two blocks', 3],
      ['before the commit', 0],
    ])(
      'a foreign commit %s drops our blocks: they are copied again',
      async (_, block) => {
        const { body, ...run } = await withForeignCommit(block)
        expect(ends(run)).toEqual({ status: 0, code: undefined })
        const found = await destination.read('contested')
        expect(sha256Of(found.bytes)).toBe(sha256Of(body))
      },
      LONGEST_MS,
    )

    test(
      'with --no-clobber a foreign commit stays',
      async () => {
        const { body, ...run } = await withForeignCommit(3, ['--no-clobber'])
        expect(ends(run).status).toBe(7)
        expect((await destination.read('contested')).bytes.toString()).toBe('foreign')
      },
      LONGEST_MS,
    )
  })
})
