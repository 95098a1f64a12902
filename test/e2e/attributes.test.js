'use strict'

/**
 * Everything about an object: written with all of it, copied, and read back. The sandbox's store does all; of the others
 * it is said here what they cannot do, and looked at that it is told.
 */

const { openRoute } = require('../support/copies')
const { SERVERS } = require('../support/servers')
const { bytesOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const ROUTES = [
  ['put', 100],
  ['multipart', 5 * MiB + 1],
]

/** What the servers make of what they are asked for. */
const KNOWN = {
  sandbox: { classes: ['REDUCED_REDUNDANCY', 'STANDARD_IA'], sse: ['AES256', 'aws:kms'] },
  // Takes any storage class and any encryption, keeps neither, and says nothing.
  versitygw: { classes: [], sse: [] },
  // Of classes it has two, and of others it says so; tags beyond ASCII it refuses. Encryption wants a key, as here.
  minio: { classes: ['REDUCED_REDUNDANCY'], sse: ['AES256', 'aws:kms'], asciiTags: true },
}

const bytes = text => Buffer.from(text).toString('latin1')

const EVERYTHING = {
  headers: {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'cache-control': 'max-age=60, private',
    'content-encoding': 'gzip',
    'content-language': 'de-AT, en',
    'content-disposition': 'attachment; filename="a b.csv"',
    expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
  },
  user: { color: 'dark blue', 'with-dash': 'x=1; y="2"', number: '0042' },
  tags: [
    ['project', 'Apollo 11'],
    ['a/b:c=d+e@f_g.h-i', 'sign & = % #'.replace(/[&%#]/g, '+')],
    ['empty', ''],
    ['größe', 'groß'],
  ],
}
const sorted = tags => [...tags].sort(([a], [b]) => (a < b ? -1 : 1))
const noticesOf = ({ events }) =>
  events.flatMap(event => (event.type === 'notice' ? [event.message] : (event.notices ?? [])))

/** RFC 2047 section 4: MinIO answers so, and so does Amazon S3. */
const decoded = value =>
  Buffer.from(
    value
      .replace(/\?= =\?/g, '?==?')
      .replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_, kind, text) =>
        kind.toUpperCase() === 'B'
          ? Buffer.from(text, 'base64').toString('latin1')
          : text
              .replace(/_/g, ' ')
              .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      ),
    'latin1',
  ).toString()

describe.each(SERVERS)('on $name', ({ name, start }) => {
  const known = KNOWN[name]
  const tagsHere = known.asciiTags ? EVERYTHING.tags.filter(([key]) => /^[ -~]*$/.test(key)) : EVERYTHING.tags
  const everything = { ...EVERYTHING, tags: tagsHere }
  let server
  let route
  beforeAll(async () => {
    // MinIO encrypts with a key that it is given; it has no key service here but that.
    const env = { MINIO_KMS_SECRET_KEY: `xfer-key:${Buffer.alloc(32, 7).toString('base64')}` }
    server = await start(name === 'minio' ? { env } : {})
    route = await openRoute({ source: server })
    for (const [way, size] of ROUTES) {
      await put(route.from, way, bytesOf(size), everything)
      await put(route.from, `plain-${way}`, bytesOf(size), { headers: { 'content-type': 'text/plain' } })
    }
  })
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  let count = 0
  /** @param {string} key @param {...string} flags */
  async function copy(key, ...flags) {
    const target = `${key}-${++count}`
    const run = await route.copy(key, target, flags)
    expect({ status: run.status, message: run.last.message }).toEqual({ status: 0, message: undefined })
    const object = await route.to.head(target)
    const tags = await route.to.tags.read(target)
    return { ...run, object, tags, notices: noticesOf(run) }
  }

  describe.each(ROUTES)('by the route %s', way => {
    it('all that an object has arrives, and is told', async () => {
      const { object, tags, last, plan, notices } = await copy(way)
      const { headers, user } = EVERYTHING
      expect(object.metadata).toEqual({ headers, user })
      expect(sorted(tags)).toEqual(sorted(tagsHere))
      expect(notices).toEqual([])
      const told = { headers, user: 3, tags: tagsHere.length }
      expect({ route: last.route, told: last.attributes, planned: plan.attributes }).toEqual({
        route: way,
        told,
        planned: told,
      })
    })

    it('an object without tags has none, and nothing is said of them', async () => {
      const { object, tags, notices } = await copy(`plain-${way}`)
      expect({ ...object.metadata, tags, notices }).toEqual({
        headers: { 'content-type': 'text/plain' },
        user: {},
        tags: [],
        notices: [],
      })
    })

    it('what is asked for is set over what the source has', async () => {
      const { object } = await copy(
        way,
        '--content-type',
        'text/html',
        '--metadata-set',
        'color=red',
        '--metadata-set',
        'new=',
      )
      expect(object.metadata).toEqual({
        headers: { ...EVERYTHING.headers, 'content-type': 'text/html' },
        user: { ...EVERYTHING.user, color: 'red', ...(object.metadata.user.new !== undefined && { new: '' }) },
      })
    })

    it('with --metadata replace there is what is asked for, and nothing else', async () => {
      const given = [
        ...[
          '--metadata',
          'replace',
          '--tags',
          'none',
          '--content-type',
          'text/html',
          '--header',
          'Cache-Control=no-store',
        ],
        ...['Content-Encoding=br', 'Content-Language=fr', 'Content-Disposition=inline'].flatMap(one => [
          '--header',
          one,
        ]),
        ...['--header', 'Expires=2037-10-21T07:28:00Z', '--metadata-set', 'Team=blue', '--metadata-set', 'rule=a=b'],
      ]
      const { object, tags, last } = await copy(way, ...given)
      const metadata = {
        headers: {
          'content-type': 'text/html',
          'cache-control': 'no-store',
          'content-encoding': 'br',
          'content-language': 'fr',
          'content-disposition': 'inline',
          expires: 'Wed, 21 Oct 2037 07:28:00 GMT',
        },
        user: { team: 'blue', rule: 'a=b' },
      }
      expect(object.metadata).toEqual(metadata)
      expect(tags).toEqual([])
      expect(last.attributes).toEqual({ headers: metadata.headers, user: 2, tags: 0 })
    })

    it('with --mtime the time is kept: what tools wrote, or that of the store', async () => {
      const { lastModifiedMs } = await route.from.head(way)
      const { object, last } = await copy(way, '--mtime')
      expect(object.metadata.user).toEqual({ ...EVERYTHING.user, mtime: String(lastModifiedMs / 1000) })
      expect(last.attributes.mtime).toBe(String(lastModifiedMs / 1000))
    })

    it.each(['REDUCED_REDUNDANCY', 'STANDARD_IA'])(
      'the storage class %s is kept, refused or not heeded, and which is said',
      async name => {
        const target = `${way}-${name}`
        const run = await route.copy(way, target, ['--storage-class', name])
        const { last } = run
        if (run.status !== 0) {
          expect({ code: last.code, known: known.classes.includes(name) }).toMatchObject({
            code: 'NO_SUCH_STORAGE_CLASS',
            known: false,
          })
          return
        }
        const { storageClass } = await route.to.head(target)
        const dropped = [expect.stringContaining(`has the storage class STANDARD, because its store ignored ${name}`)]
        expect({ storageClass, notices: noticesOf(run) }).toEqual(
          storageClass === undefined ? { storageClass, notices: dropped } : { storageClass: name, notices: [] },
        )
        expect(storageClass === undefined).toBe(known.classes.length === 0)
      },
    )

    it.each(['AES256', 'aws:kms'])('--sse %s is done or not heeded, and which is said', async sse => {
      const { object, notices } = await copy(way, '--sse', sse)
      const dropped = [expect.stringContaining(`ignored --sse ${sse}:`)]
      expect({ kind: object.encryption?.kind, notices }).toEqual(
        known.sse.includes(sse) ? { kind: sse, notices: [] } : { kind: undefined, notices: dropped },
      )
    })
  })

  it.each([
    ['rclone', { mtime: '1354040105.123456789' }, '1354040105.123456789'],
    ['s3cmd', { 's3cmd-attrs': 'atime:1492697140/gid:0/mode:33188/mtime:1492697123/uid:0' }, '1492697123'],
  ])('with --mtime the time is that which %s wrote', async (tool, user, mtime) => {
    await put(route.from, tool, bytesOf(10), { user })
    expect((await copy(tool, '--mtime')).object.metadata.user).toEqual({ ...user, mtime })
    // Without it, what is there is user metadata as any other.
    expect((await copy(tool)).object.metadata.user).toEqual(user)
  })

  it('a dry run says what the copy would be given', async () => {
    const { status, plan, last } = await route.copy('put', 'none', ['--dry-run', '--metadata-set', 'a=b'])
    expect({ status, told: last.attributes }).toEqual({
      status: 0,
      told: { headers: EVERYTHING.headers, user: 4, tags: tagsHere.length },
    })
    expect(plan.attributes).toEqual(last.attributes)
    await expect(route.to.head('none')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})

const minio = SERVERS.find(({ name }) => name === 'minio')
const withMinio = minio ? describe : describe.skip
withMinio('to a MinIO', () => {
  let servers
  let route
  beforeAll(async () => {
    servers = await Promise.all([SERVERS[0].start(), minio.start()])
    route = await openRoute({ source: servers[0], destination: servers[1] })
    for (const [way, size] of ROUTES) {
      await put(route.from, way, bytesOf(size), { ...EVERYTHING, storageClass: 'STANDARD_IA' })
    }
  })
  afterAll(async () => {
    route?.close()
    await Promise.all((servers ?? []).map(server => server.close()))
  })

  it.each(ROUTES)('what it does not take is left out, and told: by the route %s', async way => {
    const run = await route.copy(way)
    const taken = EVERYTHING.tags.filter(([name]) => name !== 'größe')
    const tagsNow = (await route.to.tags.read(way)).toSorted()
    expect({ status: run.status, tags: tagsNow }).toEqual({ status: 0, tags: taken.toSorted() })
    const { metadata, storageClass } = await route.to.head(way)
    expect(metadata).toEqual({ headers: EVERYTHING.headers, user: EVERYTHING.user })
    const tags = expect.stringContaining('is written without the tag größe of its source')
    const usual = expect.stringContaining('has no STANDARD_IA (InvalidStorageClass)')
    expect({ storageClass, notices: noticesOf(run) }).toEqual({ storageClass: undefined, notices: [usual, tags] })
  })
})

describe('user metadata that is not ASCII', () => {
  const TEXTS = { umlaut: 'grün', far: '日本語 – ok', emoji: 'a 😀 b', long: 'ä'.repeat(60), signs: 'é: "x" <y>' }
  const RAW = Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, bytes(text)]))
  let servers
  beforeAll(async () => {
    servers = await Promise.all(SERVERS.map(({ start }) => start()))
  })
  afterAll(() => Promise.all((servers ?? []).map(server => server.close())))

  const pairs = SERVERS.flatMap((from, i) => SERVERS.map((to, j) => [from.name, to.name, i, j]))
  it.each(pairs)('arrives from %s at %s', async (_from, _to, i, j) => {
    const route = await openRoute({ source: servers[i], destination: servers[j] })
    try {
      await put(route.from, 'unicode', bytesOf(10), { user: RAW })
      const texts = ({ metadata }) =>
        Object.fromEntries(Object.entries(metadata.user).map(([name, value]) => [name, decoded(value)]))
      expect(texts(await route.from.head('unicode'))).toEqual(TEXTS)
      const { status } = await route.copy('unicode', 'unicode', ['--metadata-set', 'given=ñ 日'])
      expect(status).toBe(0)
      expect(texts(await route.to.head('unicode'))).toEqual({ ...TEXTS, given: 'ñ 日' })
    } finally {
      route.close()
    }
  })
})
