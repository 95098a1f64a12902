'use strict'

/**
 * Everything about objects below a prefix, small ones first and then one in parts: written with all of it, copied, and read
 * back. What each server cannot do is said in KNOWN, and looked at that it is told.
 */

const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { copyEnv } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const MiB = 1024 ** 2
const LONGEST_MS = 180_000

/** As test/e2e/attributes.test.js has found them. */
const KNOWN = {
  sandbox: { classes: true, sse: true },
  // Takes any storage class and any encryption, keeps neither, and says nothing.
  versitygw: { classes: false, sse: false },
  minio: { classes: true, sse: true },
}

const FULL = {
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'max-age=60, private',
    'content-encoding': 'gzip',
    'content-language': 'de-AT, en',
    'content-disposition': 'attachment; filename="a b.csv"',
    expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
  },
  user: { color: 'dark blue', 'with-dash': 'x=1; y="2"', number: '0042' },
  tags: [
    ['a/b:c=d+e@f_g.h-i', 'sign + = '],
    ['empty', ''],
    ['project', 'Apollo 11'],
  ],
}
const typed = type => ({ headers: { 'content-type': type }, user: {}, tags: [] })
const DEFAULT = typed('binary/octet-stream')
const sorted = tags => [...tags].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * What differs stands between what is alike, as it does where several programs write, and behind more of it than anybody
 * would look at one by one.
 *
 * @param {boolean} classes whether the server has more than one storage class
 */
function treeOf(classes) {
  const tree = { full: FULL, 'full-empty': { ...FULL, bytes: 0 } }
  for (let i = 0; i < 30; i++) tree[`many/${i}.json`] = typed('application/json')
  for (let i = 0; i < 5; i++) tree[`mixed/${i}`] = { ...typed(`image/x-${i}`), user: { row: String(i) } }
  tree['many/tagged.json'] = { ...typed('application/json'), tags: [['one', 'of many']] }
  tree['many/user.json'] = { ...typed('application/json'), user: { one: 'of many' } }
  tree['many/zzz-tagged.json'] = { ...typed('application/json'), tags: [['last', 'of all']] }
  if (classes) tree['many/class.json'] = { ...typed('application/json'), storageClass: 'REDUCED_REDUNDANCY' }
  return { ...tree, 'z-large': { ...FULL, bytes: 6 * MiB }, 'z-large-plain': { ...DEFAULT, bytes: 5 * MiB + 1 } }
}

const noticesOf = ({ events }) =>
  events.flatMap(event => (event.type === 'notice' ? [event.message] : (event.notices ?? [])))

describe.each(SERVERS)('on $name', ({ name, start }) => {
  const known = KNOWN[name]
  const tree = treeOf(known.classes)
  const names = Object.keys(tree)
  let server
  let trees
  let count = 0
  beforeAll(async () => {
    const env = { MINIO_KMS_SECRET_KEY: `xfer-key:${Buffer.alloc(32, 7).toString('base64')}` }
    server = await start(name === 'minio' ? { env } : {})
    trees = await openTrees({ source: server })
    for (const [key, { bytes = 40, ...attributes }] of Object.entries(tree)) {
      await put(trees.from, `tree/${key}`, bytesOf(bytes, key), attributes)
    }
  }, LONGEST_MS)
  afterAll(async () => {
    trees?.close()
    await server?.close()
  })

  /** @param {...string} flags @returns {Promise<{ found: Record<string, any>, notices: string[], last: any }>} found: by name */
  async function copy(...flags) {
    const target = `copy-${++count}/`
    const run = await trees.run(['copy', ...flags], { target })
    expect({ status: run.status, stderr: run.stderr, message: run.last.message }).toEqual({ status: 0, stderr: '' })
    expect(Object.keys(await sizesOf(trees.to, target)).sort()).toEqual(names.map(key => target + key).sort())
    const found = {}
    for (const key of names) {
      const { metadata, storageClass, encryption, bytes } = await trees.to.head(target + key)
      const tags = sorted(await trees.to.tags.read(target + key))
      found[key] = { ...metadata, tags, bytes, storageClass, sse: encryption?.kind }
    }
    return { found, notices: noticesOf(run), last: run.last }
  }

  /** @param {(object: any, name: string) => object} [change] what is otherwise than at the source */
  const expected = (change = () => ({})) =>
    Object.fromEntries(
      Object.entries(tree).map(([key, { headers, user, tags, bytes = 40, storageClass }]) => [
        key,
        { headers, user, tags, bytes, storageClass, sse: undefined, ...change(tree[key], key) },
      ]),
    )

  test.each([
    ['engine', []],
    ['store', ['--route', 'server']],
  ])(
    'all of it arrives by the %s, and nothing is said of it',
    async (_, flags) => {
      const { found, notices } = await copy(...flags)
      expect(found).toEqual(expected())
      expect(
        notices.filter(notice => !/^The attributes of objects that the store copies are not read first/.test(notice)),
      ).toEqual([])
    },
    LONGEST_MS,
  )

  test(
    'what is asked for is set over what each has',
    async () => {
      const { found } = await copy('--content-type', 'text/html', '--metadata-set', 'color=red')
      const over = ({ headers, user }) => ({
        headers: { ...headers, 'content-type': 'text/html' },
        user: { ...user, color: 'red' },
      })
      expect(found).toEqual(expected(over))
    },
    LONGEST_MS,
  )

  test(
    'with --metadata replace and --tags none there is what is asked for, and nothing else',
    async () => {
      const { found, notices } = await copy(
        ...['--metadata', 'replace', '--content-type', 'text/html', '--tags', 'none', '--metadata-set', 'Team=blue'],
      )
      const headers = { 'content-type': 'text/html' }
      expect(found).toEqual(expected(() => ({ headers, user: { team: 'blue' }, tags: [] })))
      expect(notices).toEqual([])
    },
    LONGEST_MS,
  )

  test(
    'with --mtime each keeps its own time',
    async () => {
      const { found } = await copy('--mtime')
      const times = {}
      // Of small ones the list tells it, which may have more digits.
      for (const key of names) times[key] = (await trees.from.head(`tree/${key}`)).lastModifiedMs / 1000
      for (const key of names) {
        const { mtime } = found[key].user
        expect({ key, mtime }).toEqual({ key, mtime: expect.stringMatching(/^\d+(\.\d{1,3})?$/) })
        expect(Math.floor(mtime)).toBe(Math.floor(times[key]))
        times[key] = mtime
      }
      expect(found).toEqual(expected(({ user }, key) => ({ user: { ...user, mtime: times[key] } })))
    },
    LONGEST_MS,
  )

  test(
    '--sse AES256 is done, or said once not to be heeded',
    async () => {
      const { found, notices } = await copy('--sse', 'AES256')
      expect(found).toEqual(expected(() => ({ sse: known.sse ? 'AES256' : undefined })))
      const told = [
        expect.stringContaining('ignored --sse AES256'),
        `In all ${names.length} objects are not encrypted with AES256, for the reasons above.`,
      ]
      expect(notices).toEqual(known.sse ? [] : told)
    },
    LONGEST_MS,
  )

  test(
    '--storage-class is done, or said once not to be heeded',
    async () => {
      const { found, notices } = await copy('--storage-class', 'REDUCED_REDUNDANCY')
      const storageClass = known.classes ? 'REDUCED_REDUNDANCY' : undefined
      expect(found).toEqual(expected(() => ({ storageClass })))
      const told = [
        expect.stringContaining('ignored REDUCED_REDUNDANCY'),
        `In all ${names.length} objects are not in the storage class REDUCED_REDUNDANCY, for the reasons above.`,
      ]
      expect(notices).toEqual(known.classes ? [] : told)
    },
    LONGEST_MS,
  )
})

describe('a missing permission to read tags', () => {
  const READER = {
    accessKeyId: 'reader',
    secretAccessKey: 'secret-of-reader',
    actions: ['s3:GetObject', 's3:ListBucket'],
  }
  const names = Array.from({ length: 40 }, (_, i) => `tree/n${i}`)
  let source
  let destination
  beforeEach(async () => {
    const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
    ;[source, destination] = await Promise.all([startStore({ accounts: [owner, READER] }), startStore()])
    await createBuckets(source, 'origin')
    await createBuckets(destination, 'target')
  })
  afterEach(() => Promise.all([source.close(), destination.close()]))

  test.each([
    ['of which all have tags', () => true],
    ['of which one has tags, and stands far behind', key => key === names.at(-1)],
  ])('is told once, of small objects and large ones %s', async (_, tagged) => {
    const from = openStore(source, 'origin')
    for (const key of names) await put(from, key, bytesOf(20, key), tagged(key) ? { tags: FULL.tags } : {})
    await put(from, 'tree/z-large', bytesOf(6 * MiB), { tags: FULL.tags })
    from.close()
    const trees = await openTrees({ source, destination })
    const env = copyEnv({ ...source, ...READER }, destination)
    const run = await trees.run(['copy'], { env })
    expect({ status: run.status, copied: run.last.objects?.copied }).toEqual({ status: 0, copied: names.length + 1 })
    const notices = noticesOf(run)
    expect(notices).toEqual([expect.stringContaining('s3:GetObjectTagging is missing')])
    expect((await trees.run(['copy', '--tags', 'none'], { env, target: 'again/' })).status).toBe(0)
    trees.close()
  })
})
