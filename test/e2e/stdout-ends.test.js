'use strict'

/** Objects of every kind of store as streams: whole, and with a byte that is flipped on the way. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { download } = require('../../lib')
const { chooseKinds, openEnd, startKinds } = require('../support/ends')
const { bytesOf, sha256 } = require('../support/stores')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB + 1)
const LONGEST_MS = 120_000

const { kinds } = chooseKinds('all')
/** Blobs of blocks have no checksum, and files have none. */
const NOTHING_KEPT = ['sandbox-azure in-parts', 'azurite in-parts', 'file in-one', 'file in-parts']
const NAMES = kinds.map(({ name }) => name)

let home
/** @type {Map<string, any>} */
let servers
/** @type {Map<string, any>} */
const ends = new Map()
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'xfer-home-'))
  servers = new Map((await startKinds(kinds)).map(server => [server.name, server]))
  for (const [name, server] of servers) {
    const end = await openEnd(server, 'streams')
    await end.write('in-one', { bytes: BODY, kind: 'put' })
    await end.write('in-parts', { bytes: BODY, kind: 'parts' })
    ends.set(name, end)
  }
}, LONGEST_MS)
afterAll(async () => {
  for (const end of ends.values()) await end.close()
  await Promise.all([...servers.values()].map(server => server.stop()))
  rmSync(home, { recursive: true, force: true })
}, LONGEST_MS)

/** Reads all of it, with a flipped byte in a range in the middle where that is asked for. */
async function read(name, key, { flip = false, verify = 'auto' } = {}) {
  const end = ends.get(name)
  const rule = flip ? end.misbehave({ operation: 'GetObject', nth: 2, flipByteAt: 1000, on: 'response' }) : undefined
  const pieces = []
  let last
  let error
  try {
    const onEvent = event => {
      last = event
    }
    const env = { HOME: home, ...end.env('SOURCE') }
    for await (const piece of download(end.text(key), { env, verify, chunk: '2MiB', onEvent })) pieces.push(piece)
  } catch (cause) {
    error = cause
  }
  const hits = rule?.hits
  rule?.remove()
  return { bytes: Buffer.concat(pieces), last, error, hits }
}

const CASES = NAMES.flatMap(name => ['in-one', 'in-parts'].map(key => [name, key]))
/** Nothing is between xfer and a file that could flip a byte. */
const FLIPPED = CASES.filter(([name]) => name !== 'file')

it.each(CASES)('%s: an object %s arrives as it is', async (name, key) => {
  const { bytes, error, last } = await read(name, key)
  expect({ error, bytes: sha256(bytes) }).toEqual({ error: undefined, bytes: sha256(BODY) })
  expect(last.type).toBe('done')
  const kept = !NOTHING_KEPT.includes(`${name} ${key}`)
  expect({ proved: last.proof.length > 0, uncompared: last.uncompared }).toEqual({
    proved: kept,
    uncompared: kept ? undefined : true,
  })
})

it.each(FLIPPED)('%s: a flipped byte of an object %s is never proved', async (name, key) => {
  const { error, last, bytes, hits } = await read(name, key, { flip: true })
  expect(hits).toBe(1)
  // Without a checksum at the store nothing can be compared, and that is said.
  if (NOTHING_KEPT.includes(`${name} ${key}`))
    return expect(last).toMatchObject({ type: 'done', proof: [], uncompared: true })
  expect(error).toMatchObject({ exitCode: 8 })
  expect(bytes.length).toBeLessThan(BODY.length)
})

it.each(FLIPPED)('%s: a flipped byte of an object %s is found by a second reading', async (name, key) => {
  const { error, bytes } = await read(name, key, { flip: true, verify: 'full' })
  expect(error).toMatchObject({ exitCode: 8 })
  expect(bytes.length).toBeLessThan(BODY.length)
})
