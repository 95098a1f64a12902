'use strict'

/** Small objects whose tags or storage class the destination does not take: what one goes without no other does. */

const { startStore } = require('../../sandbox/store')
const { openTrees } = require('../support/prefixes')
const { copyEnv } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const TAGS = [
  ['a', '1'],
  ['b', '2'],
]
/** More than are copied at once. */
const NAMES = Array.from({ length: 300 }, (_, i) => `o${String(i).padStart(3, '0')}`)
const [FIRST] = NAMES
jest.setTimeout(120_000)

const OWNER = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
const WRITER = { accessKeyId: 'writer', secretAccessKey: 'secret-of-writer', actions: ['s3:PutObject', 's3:GetObject'] }

let server
let trees
beforeAll(async () => {
  server = await startStore({ accounts: [OWNER, WRITER] })
  trees = await openTrees({ source: server })
  for (const name of NAMES) await put(trees.from, `tree/${name}`, bytesOf(10, name), { tags: TAGS })
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  trees?.close()
  await server?.close()
})

/** @param {string} target @param {object} [options] */
async function copy(target, { flags = [], ...options } = {}) {
  const { status, last, events } = await trees.run(['copy', '--concurrency', '1', ...flags], { target, ...options })
  return { status, last, notices: events.flatMap(({ type, message }) => (type === 'notice' ? [message] : [])) }
}

/** @param {string} target @param {string[]} [names] @returns {Promise<string[]>} those that are there without their tags */
async function untagged(target, names = NAMES) {
  const found = []
  for (const name of names) {
    const tags = await trees.to.tags.read(target + name)
    if (tags.length === 0) found.push(name)
    else expect(tags).toEqual(TAGS)
  }
  return found
}

describe.each([
  ['engine', 'PutObject'],
  ['server', 'CopyObject'],
])('by the route %s', (route, operation) => {
  const flags = ['--route', route]

  test('one that may not be written at all costs no other its tags, and nothing is said of tags', async () => {
    const target = `denied-${route}/`
    server.faults.add({ operation, key: target + FIRST, status: 403, code: 'AccessDenied' })
    const { status, last, notices } = await copy(target, { flags })
    expect({ status, code: last.code, notices }).toEqual({ status: 1, code: 'OBJECTS_FAILED', notices: [] })
    const [listed, copied] = [NAMES.length, NAMES.length - 1]
    expect(last.objects).toEqual({
      listed,
      chosen: listed,
      copied,
      skipped: 0,
      filtered: 0,
      deleted: 0,
      failed: 1,
    })
    expect(await untagged(target, NAMES.slice(1))).toEqual([])
  })
})

test.each(['engine', 'auto'])(
  'where none may be tagged all are written without, and that is told once (%s)',
  async route => {
    const target = `untagged-${route}/`
    const env = copyEnv(server, { ...server, ...WRITER })
    const { status, notices } = await copy(target, { flags: ['--route', route], env })
    expect({ status, untagged: await untagged(target) }).toEqual({ status: 0, untagged: NAMES })
    expect(notices.filter(notice => notice.includes(' tags'))).toEqual([
      expect.stringContaining('is written without the 2 tags'),
      `In all ${NAMES.length} objects are written without their tags, for the reasons above.`,
    ])
  },
)

test('one whose tags are refused is written without them, and the others with theirs', async () => {
  const target = 'invalid/'
  // Once with a checksum beside the bytes, and once without.
  server.faults.add({ operation: 'PutObject', key: target + FIRST, first: 2, status: 400, code: 'InvalidTag' })
  server.faults.add({ operation: 'PutObjectTagging', key: target + FIRST, status: 400, code: 'InvalidTag' })
  const { status, last, notices } = await copy(target)
  expect({ status, untagged: await untagged(target) }).toEqual({ status: 0, untagged: [FIRST] })
  expect(notices).toEqual([expect.stringContaining(`${FIRST} is written without the 2 tags`)])
  expect(last.proof).toMatchObject({ 'store-crc32': NAMES.length })
})

test('a storage class that is not there costs no other object the class that it has', async () => {
  const target = 'classes/'
  await put(trees.from, 'classes/first', bytesOf(10), { storageClass: 'REDUCED_REDUNDANCY' })
  server.faults.add({
    operation: 'PutObject',
    key: 'classes/first',
    first: 1,
    status: 400,
    code: 'InvalidStorageClass',
  })
  for (const name of ['a', 'b', 'c'])
    await put(trees.from, `classes/${name}`, bytesOf(10), { storageClass: 'STANDARD_IA' })
  const { status, notices } = await copy(target, { below: 'classes/' })
  expect({ status, notices }).toEqual({ status: 0, notices: [expect.stringContaining('default storage class')] })
  for (const name of ['a', 'b', 'c']) expect((await trees.to.head(target + name)).storageClass).toBe('STANDARD_IA')
})

test('a write that is refused with and without its checksum is tried a few times, not for ever', async () => {
  server.faults.add({ operation: 'PutObject', first: 100, status: 400, code: 'InvalidRequest' })
  const before = server.requests.PutObject
  const { status, events } = await trees.run(['copy', '--exclude', '*', '--include', FIRST], { target: 'refused/' })
  expect(status).toBe(1)
  const failed = events.filter(({ type }) => type === 'failure')
  expect(failed).toMatchObject([{ name: FIRST, code: 'STORE_REFUSED' }])
  expect(server.requests.PutObject - before).toBeLessThan(8)
})
