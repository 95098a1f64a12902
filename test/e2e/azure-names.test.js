'use strict'

/** Azure resolves paths: a key that it would take for another one is written nowhere. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')
const { KINDS, openEnd, startKinds } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')

const LONGEST_MS = 120_000

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
      store = await startAzureStore()
      return azureServer(store)
    },
  }
  servers = await startKinds([KINDS[0], sandboxAzure])
}, LONGEST_MS)
afterAll(() => Promise.all(servers.map(server => server.stop())))
beforeEach(async () => {
  source = await openEnd(servers[0], 'origin')
  destination = await openEnd(servers[1], 'target')
  state = await mkdtemp(join(tmpdir(), 'xfer-names-'))
  env = { ...bareEnv, XDG_STATE_HOME: state, ...source.env('SOURCE'), ...destination.env('DEST') }
})
afterEach(async () => {
  await source.close()
  await destination.close()
  await rm(state, { recursive: true, force: true })
})

test(
  'below a prefix it fails by name, and the other one is right',
  async () => {
    store.createContainer('other')
    const kept = ['a', 'b/c', '.d/e..f', 'g//h', 'i/']
    const invalid = ['a.', 'b\\c', 'x/../a', './a', '../../other/escaped']
    for (const name of [...kept, ...invalid]) await source.write(`p/${name}`, { bytes: Buffer.from(name) })
    const command = ['copy', '-r', source.text('p/'), destination.text('q/'), '--engine', 'local', '--json']
    const run = await startXfer(command, { env }).ended
    const failed = eventsOf(run).filter(({ type }) => type === 'failure')
    expect({ status: run.status, failed: failed.map(({ name, code }) => `${name} ${code}`).sort() }).toEqual({
      status: 1,
      failed: invalid.map(name => `${name} KEY_INVALID`).sort(),
    })
    const { objects } = await store.look(destination.container)
    expect(Object.fromEntries(objects.map(({ key, bytes }) => [key, String(bytes)]))).toEqual(
      Object.fromEntries(kept.map(name => [`q/${name}`, name])),
    )
    expect((await store.look('other')).objects).toEqual([])
  },
  LONGEST_MS,
)
