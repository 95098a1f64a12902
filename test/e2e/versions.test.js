'use strict'

/** One version of an object, where its bucket keeps several: copied, compared, and put back in its own place. */

const { startStore } = require('../../sandbox/store')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, openStore, put, sha256 } = require('../support/s3')

const MiB = 1024 ** 2
const SIZES = { small: 1000, large: 11 * MiB }
const READER = { accessKeyId: 'reader', secretAccessKey: 'secret-of-reader', actions: ['s3:GetObject'] }

let server
let store
/** By key, oldest first. */
const versions = {}
beforeAll(async () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
  server = await startStore({ accounts: [owner, READER], buckets: [{ name: 'kept', versions: true }, 'plain'] })
  store = openStore(server, 'kept')
  for (const [key, bytes] of Object.entries(SIZES)) {
    versions[key] = []
    for (const seed of ['old', 'new']) {
      await put(store, key, bytesOf(bytes, seed), { user: { seed }, tags: [['seed', seed]] })
      versions[key].push((await store.head(key)).versionId)
    }
  }
})
afterAll(async () => {
  store?.close()
  await server?.close()
})

/** @param {string[]} args @param {object} [source] */
async function run(args, source) {
  const env = copyEnv({ ...server, ...source }, server)
  const { status, stdout, stderr } = await runXfer([...args, '--engine', 'local', '--json'], { env })
  expect(stderr).toBe('')
  return { status, last: eventsOf({ stdout }).at(-1) }
}
const copy = (from, to, ...flags) => ['copy', `s3://kept/${from}`, to, '--chunk', '5', ...flags]

describe.each(Object.keys(SIZES))('of a %s object', key => {
  it.each([
    ['the newest', [], 'new'],
    ['the newest, by its id', 1, 'new'],
    ['an older one', 0, 'old'],
  ])('%s is copied, with what it had', async (_, version, seed) => {
    const flags = typeof version === 'number' ? ['--version-id', versions[key][version]] : version
    const { status } = await run(copy(key, `s3://plain/${key}-${flags.length}-${seed}`, ...flags, '--verify', 'full'))
    expect(status).toBe(0)
    const target = openStore(server, 'plain')
    const to = `${key}-${flags.length}-${seed}`
    expect(sha256(await get(target, to))).toBe(sha256(bytesOf(SIZES[key], seed)))
    expect((await target.head(to)).metadata.user).toEqual({ seed })
    expect(await target.tags.read(to)).toEqual([['seed', seed]])
    target.close()
  })

  it('is compared with what was copied of it', async () => {
    await run(copy(key, `s3://plain/${key}-compared`, '--version-id', versions[key][0]))
    const args = ['verify', `s3://kept/${key}`, `s3://plain/${key}-compared`, '--read']
    expect(await run([...args, '--version-id', versions[key][0]])).toMatchObject({ status: 0 })
    expect(await run(args)).toMatchObject({ status: 8, last: { code: 'OBJECTS_DIFFER' } })
  })
})

it('a missing permission to read versions is named', async () => {
  const { status, last } = await run(copy('small', 's3://plain/none', '--version-id', versions.small[0]), READER)
  expect({ status, hint: last.hint }).toEqual({
    status: 4,
    hint: expect.stringContaining('s3:GetObjectVersion on the source object'),
  })
})
