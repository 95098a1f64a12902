'use strict'

/** xfer sync between stores whose clocks differ, or whose lists and deletions are not what they should be; and a full disk. */

const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../sandbox/store')
const { eventOf } = require('../support/events')
const { newStateHome } = require('../support/journals')
const { nextSecond, openTrees, sizesOf } = require('../support/prefixes')
const { put } = require('../support/s3')

/** `xfer sync` between stores whose clocks differ, and of a source that is replaced while it is copied. */
describe('clocks', () => {
  const HOUR_MS = 3_600_000

  let source
  let destination
  let trees
  async function open({ destinationAheadMs = 0 } = {}) {
    ;[source, destination] = await Promise.all([startStore(), startStore({ clockSkewMs: destinationAheadMs })])
    trees = await openTrees({ source, destination })
  }
  afterEach(async () => {
    trees.close()
    await Promise.all([source.close(), destination.close()])
  })

  const copied = ({ status, objects }) => ({ status, names: objects.map(({ name }) => name).sort() })

  /** Each writes its object while the source is replaced by another of the same size. @param {number} delayMs */
  async function syncReplaced(delayMs) {
    const begun = eventOf(destination, 'begin', ({ operation }) => operation === 'PutObject')
    destination.faults.add({ operation: 'PutObject', nth: 1, delayMs })
    const { ended } = trees.start(['sync', '--json'])
    await begun
    await put(trees.from, 'tree/a', Buffer.from('new'))
    expect((await ended).status).toBe(0)
  }

  test('a source that was replaced between its read and the end of the write is copied by the next sync', async () => {
    await open()
    await trees.fill({ 'tree/a': 'old' })
    await syncReplaced(1_500)
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: ['a'] })
    expect(await trees.text(trees.to, 'tree/a')).toBe('new')
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
  })

  test('and by the same one, where the write took so long that times would not tell', async () => {
    await open()
    await trees.fill({ 'tree/a': 'old' })
    await syncReplaced(5_000)
    expect(await trees.text(trees.to, 'tree/a')).toBe('new')
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: [] })
  })

  test('an object that the destination wrote when its clock was ahead does not hide a change', async () => {
    const accounts = [{ accessKeyId: 'id', secretAccessKey: 'secret' }]
    const dir = newStateHome()
    source = await startStore()
    destination = await startStore({ dir, accounts, clockSkewMs: HOUR_MS })
    trees = await openTrees({ source, destination })
    await trees.fill({ 'tree/a': 'old', 'tree/b': 'old' })
    await trees.run(['sync'])
    await destination.close()
    trees.close()
    destination = await startStore({ dir, accounts })
    trees = await openTrees({ source, destination })
    await put(trees.from, 'tree/a', Buffer.from('new'))
    expect(copied(await trees.run(['sync']))).toEqual({ status: 0, names: ['a'] })
  })
})

/** Objects of the destination that were written after those of the source: `newer` alone, and not `older`. */
describe('what is newer at the destination', () => {
  let server
  let trees
  beforeEach(async () => {
    server = await startStore()
    trees = await openTrees({ source: server })
    await put(trees.to, 'tree/older', Buffer.from('there'))
    await nextSecond(trees.to)
    await trees.fill({ 'tree/newer': 'from here', 'tree/older': 'from here', 'tree/equal': 'equal' })
    await nextSecond(trees.to)
    await put(trees.to, 'tree/newer', Buffer.from('there'))
    await put(trees.to, 'tree/equal', Buffer.from('EQUAL'))
  })
  afterEach(async () => {
    trees.close()
    await server.close()
  })

  const noticesOf = ({ events }) => events.filter(({ code }) => code === 'NEWER_REPLACED').map(({ message }) => message)
  const textsThere = async () => await Promise.all(['newer', 'older'].map(name => trees.text(trees.to, `tree/${name}`)))

  test('a sync names it before it replaces it, and afterwards', async () => {
    const plan = await trees.run(['sync', '--size-only', '--dry-run'])
    expect(plan.objects).toMatchObject([
      { name: 'equal', action: 'skip', why: 'same-size' },
      { name: 'newer', action: 'copy', why: 'size', newerThere: true },
      { name: 'older', action: 'copy', why: 'size' },
    ])
    expect(plan.objects[2].newerThere).toBeUndefined()
    expect(noticesOf(plan)).toEqual([
      expect.stringMatching(/^One newer object .* would be replaced .*: newer; --update/),
    ])
    const done = await trees.run(['sync', '--size-only'])
    expect(noticesOf(done)).toEqual([expect.stringMatching(/^One newer object .* was replaced .*: newer; --update/)])
    expect(await textsThere()).toEqual(['from here', 'from here'])
    expect(noticesOf(await trees.run(['sync', '--size-only']))).toEqual([])
  })

  test.each([
    ['sync', 'same-size'],
    ['copy', 'newer-there'],
  ])('%s --update leaves it alone, and tells why', async (command, why) => {
    const flags = [command, '-u', ...(command === 'sync' ? ['--size-only'] : [])]
    const plan = await trees.run([...flags, '--dry-run'])
    expect(plan.objects).toMatchObject([
      { name: 'equal', action: 'skip', why },
      { name: 'newer', action: 'skip', why: 'newer-there' },
      { name: 'older', action: 'copy' },
    ])
    const done = await trees.run(flags)
    expect(done.status).toBe(0)
    expect(done.last.objects).toMatchObject({ copied: 1, skipped: 2 })
    expect(await textsThere()).toEqual(['there', 'from here'])
    expect(noticesOf(done)).toEqual([])
  })

  test('a move with --update leaves both, of whatever size', async () => {
    const { status, last } = await trees.run(['mv', '-r', '--update'])
    expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 1, skipped: 2 } })
    expect(Object.keys(await sizesOf(trees.from, 'tree/'))).toEqual(['tree/equal', 'tree/newer'])
    expect(await textsThere()).toEqual(['there', 'from here'])
    expect(await trees.text(trees.to, 'tree/equal')).toBe('EQUAL')
  })
})

/** `sync --delete` beside stores whose lists, and whose answers to deletions, are not what they should be. */
describe('lists', () => {
  /** @type {Array<() => any>} */
  const closings = []
  afterEach(async () => {
    for (const close of closings.splice(0).reverse()) await close()
  })

  const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const FLAGS = ['sync', '--delete', '--max-delete', '100%', '--retries', '1']

  /** Both sides have the same, and the destination one object more. @param {object} of options of either store */
  async function openSynced({ source: sourceOptions = {}, destination: destinationOptions = {}, before }) {
    const servers = await Promise.all([startStore(sourceOptions), startStore(destinationOptions)])
    closings.push(...servers.map(server => server.close))
    const source = before ? { ...servers[0], endpoint: await before(...servers) } : servers[0]
    const trees = await openTrees({ source, destination: servers[1] })
    closings.push(trees.close)
    for (const name of NAMES) {
      await put(trees.from, `tree/${name}`, Buffer.from(name))
      await put(trees.to, `tree/${name}`, Buffer.from(name))
    }
    await put(trees.to, 'tree/more', Buffer.from('more'))
    return trees
  }

  /** By HEAD, for lists are what is odd. */
  async function leftOf(store, names) {
    const there = await Promise.all(
      names.map(name =>
        store.head(`tree/${name}`).then(
          () => true,
          () => false,
        ),
      ),
    )
    return names.filter((_, i) => there[i])
  }

  describe.each([{ pageSize: 1000 }, { pageSize: 3 }])('of the source, in pages of $pageSize,', ({ pageSize }) => {
    test('a list that contradicts itself fails the listing, and nothing is deleted', async () => {
      const trees = await openSynced({ source: { lists: 'overcounted', pageSize } })
      const run = await trees.run(FLAGS)
      expect([run.status, run.last.code]).toEqual([1, 'BAD_ANSWER'])
      expect(await leftOf(trees.to, [...NAMES, 'more'])).toEqual([...NAMES, 'more'])
    })

    test('a list that leaves something out, and shows its end when it is asked again, deletes what is not in it', async () => {
      const trees = await openSynced({ source: { lists: 'no-count', pageSize } })
      const run = await trees.run(FLAGS)
      expect([run.status, run.last.objects.deleted]).toEqual([0, 1])
      expect(await leftOf(trees.to, [...NAMES, 'more'])).toEqual(NAMES)
    })

    test('a list that does not show its end deletes nothing, and stops no copy', async () => {
      const trees = await openSynced({ source: { lists: 'no-start', pageSize } })
      await put(trees.from, 'tree/new', Buffer.from('new'))
      for (const flags of [[...FLAGS, '--dry-run'], FLAGS]) {
        const run = await trees.run(flags)
        expect([run.status, run.last.code]).toEqual([1, 'LISTING_UNPROVED'])
        expect(run.last.message).toContain('it leaves out KeyCount')
      }
      expect(await leftOf(trees.to, [...NAMES, 'new', 'more'])).toEqual([...NAMES, 'new', 'more'])
      const copy = await trees.run(['sync'])
      expect([copy.status, copy.last.objects.failed]).toEqual([0, 0])
    })
  })

  /** The source, whose lists are as with `lists: 'no-start'` once the destination has an object more. @returns {Promise<string>} its endpoint */
  async function listingWorse(source, destination) {
    let worse = false
    let fromTheStart = ''
    destination.on('request', ({ key }) => {
      worse ||= key === 'tree/new'
    })
    const relay = http.createServer(async (request, response) => {
      const passed = http.request(source.endpoint + request.url, { method: request.method, headers: request.headers })
      request.pipe(passed)
      const [answer] = await once(passed, 'response')
      if (!worse || !request.url.includes('list-type=2')) {
        response.writeHead(answer.statusCode, answer.headers)
        return answer.pipe(response)
      }
      const text = Buffer.concat(await answer.toArray()).toString()
      if (!request.url.includes('start-after')) fromTheStart = text.replace(/<KeyCount>.*<\/KeyCount>/, '')
      response.end(fromTheStart)
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    closings.push(() => relay.close())
    return `http://127.0.0.1:${relay.address().port}`
  }

  test('the list that is made after a write has to show its end, too', async () => {
    const trees = await openSynced({ before: listingWorse })
    await put(trees.from, 'tree/new', Buffer.from('new'))
    const run = await trees.run(FLAGS)
    expect([run.status, run.last.code]).toEqual([1, 'LISTING_UNPROVED'])
    expect(await leftOf(trees.to, ['new', 'more'])).toEqual(['new', 'more'])
  })

  test('a list of the source that never ends fails the job, and deletes nothing', async () => {
    const trees = await openSynced({ source: { faults: [{ operation: 'ListObjectsV2', endless: true }] } })
    const run = await trees.run(FLAGS)
    expect([run.status, run.last.code]).toEqual([1, 'BAD_ANSWER'])
    expect(await leftOf(trees.to, ['more'])).toEqual(['more'])
  })

  test('a web page in place of the answer to a deletion is not taken for one', async () => {
    const trees = await openSynced({ destination: { deletions: 'page' } })
    const run = await trees.run(FLAGS)
    expect([run.status, run.last.code]).toEqual([1, 'BAD_ANSWER'])
    expect(run.objects.filter(({ action }) => action === 'delete')).toEqual([])
    expect(await leftOf(trees.to, ['more'])).toEqual(['more'])
  })

  test('where a deletion is not answered for it is done, and told, one by one', async () => {
    const trees = await openSynced({ destination: { deletions: 'quiet' } })
    const run = await trees.run(FLAGS)
    expect([run.status, run.last.objects.deleted]).toEqual([0, 1])
    expect(await leftOf(trees.to, [...NAMES, 'more'])).toEqual(NAMES)
  })
})

/** A machine without room for what xfer writes down: an error that says so, and nothing deleted. */
describe('a machine without room', () => {
  let server
  let trees
  beforeAll(async () => {
    server = await startStore()
    trees = await openTrees({ source: server })
    await trees.fill({ 'tree/a': 'a' })
    await put(trees.to, 'tree/old', Buffer.from('old'))
  })
  afterAll(async () => {
    trees.close()
    await server.close()
  })

  test.each([
    // No file may grow; a pipe is none.
    [
      'the disk is full',
      { node: 'bash', nodeArgs: ['-c', `ulimit -f 0; exec ${process.execPath} "$@"`, 'xfer'] },
      'EFBIG',
    ],
    ['there is no such folder', { env: { TMPDIR: '/no/such/folder' } }, 'ENOENT'],
  ])('the list of what to delete, where %s', async (_, options, reason) => {
    const { status, last } = await trees.run(['sync', '--delete'], options)
    expect(status).toBe(1)
    expect(last).toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: expect.stringMatching(new RegExp(`^The list of what to delete, in .*, cannot be written \\(${reason}`)),
      hint: expect.stringContaining('nothing was deleted'),
    })
    expect(Object.keys(await sizesOf(trees.to))).toEqual(['tree/a', 'tree/old'])
  })
})
