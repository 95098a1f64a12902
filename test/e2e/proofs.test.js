'use strict'

/** What a copy claims to be proved with, by what the stores can do, and where the source and its checksums do not fit. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { cut, uploadParts } = require('../support/uploaded-parts')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { KINDS, openEnd, startKinds } = require('../support/ends')
const { startDeployed } = require('../support/platform')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

/** What the source keeps of itself and what was read do not fit: a part of another size, a damaged source, a passing flip. */
describe('doubts about the source', () => {
  const BODY = bytesOf(15 * MiB)
  const EVEN = cut(BODY, 5 * MiB, 5 * MiB)

  const TWICE = 'Reading the source a second time.'

  let source
  let destination
  let route
  beforeAll(async () => {
    ;[source, destination] = await Promise.all([startStore(), startStore()])
    route = await openRoute({ source, destination })
  })
  afterEach(() => source.faults.clear())
  afterAll(async () => {
    route?.close()
    await Promise.all([source?.close(), destination?.close()])
  })

  const copied = async (key, flags = []) => {
    const { status, last, events } = await route.copy(key, key, flags)
    const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
    const reads = events.filter(({ type }) => type === 'part').length
    return { status, last, notices, reads }
  }

  it('a part that was read wrong is read again and copied again, where there is an MD5 ETag of equal parts', async () => {
    await uploadParts(source, 'source', 'flipped', EVEN)
    const struck = source.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
    const { status, last, notices, reads } = await copied('flipped')
    expect({ status, notices, hits: struck.hits }).toEqual({ status: 0, notices: [TWICE], hits: 1 })
    expect(last.proof).toEqual(expect.arrayContaining(['store-crc32', 'source-read']))
    // One part twice.
    expect(reads).toBe(4)
    source.faults.clear()
    expect((await get(route.to, 'flipped')).equals(BODY)).toBe(true)
  })

  it('functions read the source a second time, and the copy back', async () => {
    const platform = await startDeployed()
    const remote = await openRoute({ source, destination, platform })
    try {
      await uploadParts(source, 'source', 'by functions', EVEN)
      await put(remote.from, 'small by functions', bytesOf(1000))
      const struck = source.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
      const { status, last } = await remote.copy('by functions', undefined, ['--verify', 'full'])
      expect({ status, hits: struck.hits }).toEqual({ status: 0, hits: 1 })
      expect(last.proof).toEqual(['store-crc32', 'read-back', 'source-etag', 'source-read'])
      source.faults.clear()
      expect((await get(remote.to, 'by functions')).equals(BODY)).toBe(true)
      // One part, whose MD5 is the object's.
      const small = await remote.copy('small by functions')
      expect(small).toMatchObject({ status: 0, last: { route: 'multipart', proof: ['store-crc32', 'source-md5'] } })
    } finally {
      remote.close()
      await platform.close()
    }
  })
})

/** Small objects below a prefix whose store keeps an MD5 or a CRC-32C of them: what was read is compared with it, and a sync, too. */
describe('what the list tells of the source', () => {
  const LONGEST_MS = 120_000
  const NAMES = ['sandbox', 'sandbox-azure', 'google-mode']

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
})
