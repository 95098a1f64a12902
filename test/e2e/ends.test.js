'use strict'

/** Every kind of store as the source of every other, and of itself: copied, and killed and resumed. `npm run matrix` has more sizes. */

const { mkdtemp, rm, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { ONE_WAY } = require('../matrix/one-way')
const { copyOnce, sha256Of } = require('../matrix/run')
const { chooseKinds, openEnd, startKinds } = require('../support/ends')
const { jobFiles, journalHolds } = require('../support/journals')
const { startDeployed } = require('../support/platform')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

const MiB = 1024 ** 2
const SMALL = bytesOf(5 * MiB + 1, 'small')
const PARTS = 5
const LARGE = bytesOf((PARTS - 1) * 5 * MiB + 1, 'large')
/** It is in the middle of this part when it is killed. */
const KILLED_AT = 3
const LONGEST_MS = 120_000

const { kinds } = chooseKinds('all')
const isFile = (/** @type {string} */ name) => name === 'file'
const PAIRS = kinds.flatMap((from, i) =>
  kinds.map((to, j) => {
    const isLocal = (i + j) % 2 === 0 || isFile(from.name) || isFile(to.name)
    return /** @type {const} */ ([from.name, to.name, isLocal ? 'local' : 'openwhisk'])
  }),
)

let servers
let platform
let state
beforeAll(async () => {
  servers = new Map((await startKinds(kinds)).map(server => [server.name, server]))
  platform = await startDeployed()
}, LONGEST_MS)
afterAll(async () => {
  await Promise.all([...servers.values()].map(server => server.stop()))
  await platform?.close()
}, LONGEST_MS)

let source
let destination
let count = 0
/** @param {string} from @param {string} to @param {Buffer} bytes */
async function open(from, to, bytes) {
  source = await openEnd(servers.get(from), `from-${++count}`)
  destination = await openEnd(servers.get(to), `to-${count}`)
  await source.write('object', { bytes })
}
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'xfer-ends-'))
})
afterEach(async () => {
  await source.close()
  await destination.close()
  await rm(state, { recursive: true, force: true })
})

const env = () => ({ ...bareEnv, XDG_STATE_HOME: state, APIHOST: platform.apihost, AUTH: platform.auth })

test.each(PAIRS)(
  '%s to %s on %s: the copy is equal, and proved',
  async (from, to, engine) => {
    await open(from, to, SMALL)
    const cell = { source, destination, key: 'object', bytes: SMALL.length, sha256: sha256Of(SMALL), engine }
    const { wrong, proof } = await copyOnce(cell, env(), state)
    expect(wrong).toBeUndefined()
    expect(proof.length).toBeGreaterThan(0)
  },
  LONGEST_MS,
)

/** To and from ends of one direction: each with one end of the others. */
const ONE_WAY_PAIRS = [
  ['stdin', 'sandbox'],
  ['stdin', 'sandbox-azure'],
  ['stdin', 'google-mode'],
  ['stdin', 'file'],
  ['https', 'sandbox'],
  ['https', 'sandbox-azure'],
  ['https', 'google-mode'],
  ['https', 'file'],
  ['https', 'stdout'],
  ['sandbox', 'stdout'],
  ['sandbox-azure', 'stdout'],
  ['file', 'stdout'],
]

test.each(ONE_WAY_PAIRS)(
  '%s to %s: the copy is equal, and proved where something is kept',
  async (from, to) => {
    const ends = [from, to].map(name => ONE_WAY[name]?.() ?? openEnd(servers.get(name), `one-way-${++count}`))
    ;[source, destination] = await Promise.all(ends)
    const path = join(state, 'content')
    await writeFile(path, SMALL)
    await source.put('object', path)
    const cell = { source, destination, key: 'object', bytes: SMALL.length, sha256: sha256Of(SMALL), engine: 'local' }
    expect((await copyOnce(cell, env(), state)).wrong).toBeUndefined()
  },
  LONGEST_MS,
)

// Nothing is between xfer and files that could hold a request back: test/soak kills such copies.
test.each(PAIRS.filter(([from, to]) => !isFile(from) || !isFile(to)))(
  '%s to %s on %s, killed in its middle: xfer resume copies the rest, and no part again',
  async (from, to, engine) => {
    await open(from, to, LARGE)
    const all = { ...env(), ...source.env('SOURCE'), ...destination.env('DEST') }
    const [held, holding] = destination.local ? [source, 'GetObject'] : [destination, 'UploadPart']
    held.misbehave({ operation: holding, nth: KILLED_AT, delayMs: 10 * LONGEST_MS })
    let parts = 0
    /** @type {boolean[]} */
    const named = []
    const reached = new Promise(resolve => {
      held.watch((operation, { partNumber, uploadId }) => {
        if (operation !== holding) return
        // The soak tells by these what is copied again.
        named.push(held === source || (partNumber !== undefined && uploadId !== undefined))
        if (++parts === KILLED_AT) resolve(undefined)
      })
    })
    const places = [source.text('object'), destination.text('copy')]
    const flags = ['--chunk', '5', '--concurrency', '1', '--parts-per-invocation', '1', '--engine', engine]
    const { child, ended } = startXfer(['copy', ...places, '--json', ...flags], { env: all })
    await Promise.race([reached, ended])
    await journalHolds(state, 'part', KILLED_AT - 1)
    child.kill('SIGKILL')
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    expect(await destination.read('copy')).toBeUndefined()
    held.relay.faults.clear()

    parts = 0
    const resumed = await startXfer(['resume', '--json'], { env: all }).ended
    expect({ ...resumed, last: eventsOf(resumed).at(-1) }).toMatchObject({ status: 0, last: { type: 'done' } })
    const copied = await destination.read('copy')
    expect(sha256Of(copied.bytes)).toBe(sha256Of(LARGE))
    expect(parts).toBe(PARTS - (KILLED_AT - 1))
    expect(named).not.toContain(false)
    expect(jobFiles(state)).toEqual([])
  },
  LONGEST_MS,
)
