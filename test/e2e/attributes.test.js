'use strict'

/** Tags, storage classes, keys and versions: what one side does not give or the other does not take is told. */

const { openStore, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, put, sha256 } = require('../support/s3')

const ROUTES = Object.entries({ put: 100, multipart: 5 * MiB + 1 })
const account = (name, ...actions) => ({ accessKeyId: name, secretAccessKey: `secret-of-${name}`, actions })
const READER = account('reader', 's3:GetObject')
const UPLOADS = ['s3:AbortMultipartUpload', 's3:ListMultipartUploadParts', 's3:ListBucketMultipartUploads']
const WRITER = account('writer', 's3:PutObject', ...UPLOADS)

let server
let route
beforeAll(async () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
  server = await startStore({ accounts: [owner, READER, WRITER] })
  route = await openRoute({ source: server })
  for (const [way, size] of ROUTES) {
    await put(route.from, way, bytesOf(size), { tags: [['a', '1']], headers: { 'content-type': 'text/csv' } })
  }
})
/** @param {string} way the key, too @param {string[]} flags @param {{ source?: object, destination?: object }} keys */
async function copy(way, to, flags, { source, destination }) {
  const env = copyEnv({ ...server, ...source }, { ...server, ...destination })
  const args = `copy s3://source/${way} s3://target/${to} --engine local --chunk 5 --json`.split(' ')
  const { status, stdout, stderr } = await runXfer([...args, ...flags], { env })
  expect(stderr).toBe('')
  const events = eventsOf({ stdout })
  const notices = events.flatMap(event => (event.type === 'notice' ? [event.message] : (event.notices ?? [])))
  return { status, last: events.at(-1), notices }
}
const NONE = ['--tags', 'none']

describe.each(ROUTES)('by the route %s', way => {
  it('tags that may not be read are not copied, and the key and the permission are named', async () => {
    const to = `unread-${way}`
    const { status, notices } = await copy(way, to, [], { source: READER })
    expect({ status, tags: await route.to.tags.read(to) }).toEqual({ status: 0, tags: [] })
    expect(notices).toEqual([
      expect.stringMatching(new RegExp(`s3://source/${way}\\b.*s3:GetObjectTagging is missing \\(AccessDenied\\)`)),
    ])
    expect((await copy(way, to, NONE, { source: READER })).notices).toEqual([])
  })

  it('tags that may not be written end the copy, and the permission and the option are named', async () => {
    const { status, last } = await copy(way, `unwritten-${way}`, [], { destination: WRITER })
    expect({ status, code: last.code }).toEqual({ status: 4, code: 'ACCESS_DENIED' })
    expect(last.hint).toMatch(/has tags, which need s3:PutObjectTagging; --tags none/)
    const without = await copy(way, `unwritten-${way}`, NONE, { destination: WRITER })
    // Of the tags nothing.
    const looks = [expect.stringMatching(/could not be looked at after it was written \(it may not be read\)/)]
    expect(without).toMatchObject({ status: 0, notices: looks })
  })
})

/** One version of an object, where its bucket keeps several. */
test.each(Object.entries({ small: 1000, large: 11 * MiB }))(
  'the older version of a %s object is copied, with what it had',
  async (key, bytes) => {
    const server = await startStore({ buckets: [{ name: 'kept', versions: true }, 'plain'] })
    const [from, to] = [openStore(server, 'kept'), openStore(server, 'plain')]
    await put(from, key, bytesOf(bytes, 'old'), { user: { seed: 'old' }, tags: [['seed', 'old']] })
    const { versionId } = await from.head(key)
    await put(from, key, bytesOf(bytes, 'new'), { user: { seed: 'new' } })
    const args = `copy s3://kept/${key} s3://plain/${key} --chunk 5 --engine local --route engine`.split(' ')
    const flags = ['--version-id', versionId, '--verify', 'full']
    expect(await runXfer([...args, ...flags], { env: copyEnv(server, server) })).toMatchObject({ status: 0 })
    expect(sha256(await get(to, key))).toBe(sha256(bytesOf(bytes, 'old')))
    expect((await to.head(key)).metadata.user).toEqual({ seed: 'old' })
    expect(await to.tags.read(key)).toEqual([['seed', 'old']])
  },
)
