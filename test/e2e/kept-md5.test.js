'use strict'

/** Small objects below a prefix whose store keeps an MD5 or a CRC-32C of them: what was read is compared with it, and a sync, too. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { KINDS, openEnd, startKinds } = require('../support/ends')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf } = require('../support/stores')

const LONGEST_MS = 120_000
const NAMES = ['sandbox', 'sandbox-azure', 'google-mode']
const PART = 5 * 1024 ** 2

let servers
let source
let destination
let state
beforeAll(async () => {
  servers = await startKinds(KINDS.filter(({ name }) => NAMES.includes(name)))
}, LONGEST_MS)
afterAll(() => Promise.all(servers.map(server => server.stop())))
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'xfer-kept-'))
})
afterEach(async () => {
  await source.close()
  await destination.close()
  await rm(state, { recursive: true, force: true })
})

/** @param {string} from @param {string} to names of kinds */
async function open(from, to) {
  const named = wanted => servers.find(({ name }) => name === wanted)
  source = await openEnd(named(from), 'origin')
  destination = await openEnd(named(to), 'target')
}

/** @param {string[]} args */
async function xfer([command, ...flags]) {
  const env = { ...bareEnv, XDG_STATE_HOME: state, ...source.env('SOURCE'), ...destination.env('DEST') }
  const places = [source.text('t/'), destination.text('t/')]
  const run = await startXfer([command, ...places, '--json', '--engine', 'local', '--route', 'engine', ...flags], {
    env,
  }).ended
  const events = eventsOf(run)
  return { status: run.status, last: events.at(-1), objects: events.filter(({ type }) => type === 'object') }
}

const read = async key => (await destination.read(key))?.bytes.toString()

test.each([
  ['sandbox-azure', 'google-mode'],
  ['sandbox-azure', 'sandbox-azure'],
  ['sandbox-azure', 'sandbox'],
  ['google-mode', 'sandbox-azure'],
  ['google-mode', 'sandbox'],
])(
  'from %s to %s each object is compared with the MD5 that the list tells',
  async (from, to) => {
    await open(from, to)
    // More than the first ones, which are asked for.
    const keys = Array.from({ length: 30 }, (_, i) => `t/n${i}`)
    await Promise.all(keys.map(key => source.write(key, { bytes: Buffer.from(`bytes of ${key}`) })))
    const run = await xfer(['copy', '-r'])
    expect(run).toMatchObject({ status: 0, last: { type: 'done', objects: { copied: 30 } } })
    expect(run.last).not.toHaveProperty('uncompared')
    const ofSource = proof => proof.filter(each => each.startsWith('source-')).length
    expect(run.objects.map(({ name, proof }) => [name, ofSource(proof) > 0])).toEqual(
      run.objects.map(({ name }) => [name, true]),
    )
    expect(await read('t/n29')).toBe('bytes of t/n29')
  },
  LONGEST_MS,
)

test(
  'an object of Google that was made of parts has no MD5: it is compared with its CRC-32C',
  async () => {
    await open('google-mode', 'sandbox')
    await Promise.all(
      Array.from({ length: 22 }, (_, i) =>
        source.write(`t/n${i}`, { bytes: bytesOf(i === 21 ? PART + 1 : 10, `n${i}`), kind: 'parts' }),
      ),
    )
    const run = await xfer(['copy', '-r', '--chunk', '8'])
    expect(run).toMatchObject({ status: 0, last: { type: 'done', objects: { copied: 22 } } })
    expect(run.objects.map(({ proof }) => proof.includes('source-crc32c'))).toEqual(Array(22).fill(true))
    expect(run.last).not.toHaveProperty('uncompared')
  },
  LONGEST_MS,
)
