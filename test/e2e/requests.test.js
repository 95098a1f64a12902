'use strict'

/** How many requests a copy makes, of each kind and at either store: none that is not needed. */

const { startDeployed, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { since } = require('../support/requests')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2

let source
let destination
let plain
let platform
let local
let remote
let unsummed
beforeAll(async () => {
  ;[source, destination, plain, platform] = await Promise.all([
    startStore({ synthetic: { 'made/many': 50 * MiB } }),
    startStore(),
    startStore({ checksums: false }),
    startDeployed({ limits: { concurrent: 8 } }),
  ])
  local = await openRoute({ source, destination, buckets: { from: 'made', to: 'target' } })
  remote = await openRoute({ source, destination, platform, buckets: { from: 'made', to: 'target' } })
  unsummed = await openRoute({ source, destination: plain, buckets: { from: 'made', to: 'target' } })
  await put(local.from, 'one', bytesOf(1 * MiB))
  await put(local.from, 'empty', Buffer.alloc(0))
  await put(local.to, 'there', Buffer.from('there'))
}, 60_000)

/** By its first answer a server that is not known by its host tells its name, and so what it takes. */
const NAMED = { ListObjectsV2: 1 }
/** A copy of 10 parts at its destination, with the last look, and what else it asks there. @param {object} [more] */
const many = more => ({
  ...{ CreateMultipartUpload: 1, UploadPart: 10, CompleteMultipartUpload: 1, HeadObject: 1 },
  ...NAMED,
  ...more,
})
const READ = { HeadObject: 1, GetObject: 10 }
/** Who is not told how many tags there are asks for them: it may be one who may not know. */
const TAGS = { GetObjectTagging: 1 }
/** Who is asked by HEAD for a key that is not there does not say whether it is the bucket that is missing: the GET does. */
const LOOK = { HeadObject: 1, GetObject: 1 }

/**
 * @type {Array<[what: string, route: () => any, key: string, flags: string[], at: object, to: object]>} at, to: the requests at the
 *   source and at the destination
 */
const COPIES = [
  ['10 parts', () => local, 'many', [], READ, many()],
  ['10 parts, --tags none', () => local, 'many', ['--tags', 'none'], READ, many()],
  ['10 parts, --sse AES256', () => local, 'many', ['--sse', 'AES256'], READ, many()],
  ['10 parts by functions', () => remote, 'many', [], READ, many()],
  // What was there before has to be told from it.
  ['10 parts, --verify none', () => local, 'many', ['--verify', 'none'], READ, many({ HeadObject: 2 })],
  ['10 parts to a store without checksums', () => unsummed, 'many', [], READ, many({ HeadObject: 2 })],
  // It keeps its own CRC-32, so it is not read twice; the copy is read back.
  ['10 parts, --verify full', () => local, 'many', ['--verify', 'full'], READ, many({ GetObject: 10 })],
  // Looked at before the first byte, before the last step, and after it.
  [
    '10 parts, --no-clobber',
    () => local,
    'many',
    ['--no-clobber'],
    READ,
    { CreateMultipartUpload: 1, UploadPart: 10, CompleteMultipartUpload: 1, HeadObject: 3, GetObject: 1 },
  ],
  ['10 parts, --dry-run', () => local, 'many', ['--dry-run'], { HeadObject: 1 }, LOOK],
  ['one part', () => local, 'one', [], { HeadObject: 1, GetObject: 1 }, { ...LOOK, PutObject: 1, HeadObject: 2 }],
  ['one part by a function', () => remote, 'one', [], { HeadObject: 1, GetObject: 1 }, many({ UploadPart: 1 })],
  [
    'one part, --verify full',
    () => local,
    'one',
    ['--verify', 'full'],
    { HeadObject: 1, GetObject: 1 },
    { PutObject: 1, HeadObject: 2, GetObject: 2 },
  ],
  [
    'one part, --no-clobber',
    () => local,
    'one',
    ['--no-clobber'],
    { HeadObject: 1, GetObject: 1 },
    { PutObject: 1, HeadObject: 3, GetObject: 1 },
  ],
  ['nothing', () => local, 'empty', [], { HeadObject: 1, GetObject: 1 }, { ...LOOK, PutObject: 1, HeadObject: 2 }],
]

let lastTarget = 0

/**
 * Once more where a part was slow and was started a second time, for that is not what is counted here.
 *
 * @param {any} route
 * @param {string} key
 * @param {string[]} flags
 */
async function counted(route, key, flags) {
  const there = route === unsummed ? plain : destination
  for (;;) {
    const before = [{ ...source.requests }, { ...there.requests }]
    // One at a time leaves no place for a second start.
    const one = ['--concurrency', '1', ...flags]
    const { status, last, events } = await route.copy(key, `copy-${++lastTarget}`, one)
    expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
    // What the test asks itself, of uploads that are left.
    const { ListMultipartUploads, ...at } = since(there, before[1])
    if (!events.some(({ type }) => type === 'hedge' || type === 'retry'))
      return { at: since(source, before[0]), to: at }
  }
}

test.each(COPIES)(
  'a copy of %s',
  async (_, route, key, flags, at, to) => {
    const asked = flags[0] === '--tags' ? at : { ...at, ...TAGS }
    expect(await counted(route(), key, flags)).toEqual({ at: asked, to })
  },
  120_000,
)

test('with --no-clobber an existing object costs one request at either side', async () => {
  const before = [{ ...source.requests }, { ...destination.requests }]
  const { status } = await local.start('many', 'there', ['--no-clobber']).ended
  expect(status).toBe(7)
  expect([since(source, before[0]), since(destination, before[1])]).toEqual([{ HeadObject: 1 }, { HeadObject: 1 }])
})
