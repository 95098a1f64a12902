'use strict'

/** Prefixes: what a user may have meant otherwise, and invocations. */

const { newFolder, startDeployed, startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, copyEnv, eventsOf, runXfer } = require('../support/run-xfer')

/** What a user may have meant otherwise: prefixes with nothing below them, files of names, and what is told of them. */
describe('input', () => {
  let source
  let destination
  let trees
  let folder
  beforeEach(async () => {
    folder = newFolder()
    ;[source, destination] = await Promise.all([startStore(), startStore()])
    trees = await openTrees({ source, destination })
  })

  /** @param {any[]} events */
  const notices = events => events.filter(({ type }) => type === 'notice').map(({ message }) => message)

  test.each([
    ['the destination in the source', 's3://origin/tree/', 's3://origin/tree/deeper/'],
    ['the same prefix, once without its slash', 's3://origin/tree', 's3://origin/tree/'],
    ['a prefix in its bucket', 's3://origin/tree/', 's3://origin'],
  ])('%s is refused, also by another name of the host', async (_, from, to) => {
    await trees.fill({ 'tree/a': '1', 'tree/deeper/b': '2' })
    const env = copyEnv(source, { ...source, endpoint: source.endpoint.replace('127.0.0.1', 'localhost') })
    const run = await runXfer(['sync', '--delete', from, to, '--json', '--engine', 'local'], { env })
    expect(run.status).toBe(2)
    expect(eventsOf(run)).toMatchObject([{ type: 'error', code: 'SAME_OBJECT', exitCode: 2 }])
    expect(await sizesOf(trees.from)).toEqual({ 'tree/a': 1, 'tree/deeper/b': 1 })
  })

  describe('an empty object whose key is the prefix', () => {
    const NOTICE =
      'The empty object s3://origin/tree/ marks its prefix as a folder: it is skipped, because its key at the destination would be empty.'
    beforeEach(() => trees.fill({ 'tree/': '', 'tree/a': '1' }))

    test('is skipped on the way to the root of a bucket, with a notice', async () => {
      const { status, events, last } = await trees.run(['sync', '--delete'], { target: '' })
      expect({ status, objects: last.objects }).toMatchObject({
        status: 0,
        objects: { listed: 2, copied: 1, skipped: 1 },
      })
      expect(notices(events)).toEqual([NOTICE])
      expect(await sizesOf(trees.to)).toEqual({ a: 1 })
    })
  })

  describe('names in a file', () => {
    test('from standard input must be given again for a resume', async () => {
      const many = Array.from({ length: 70 }, (_, i) => `tree/n${i}`)
      await trees.fill(Object.fromEntries(many.map(key => [key, 'x'])))
      source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/n69', status: 400, code: 'ExpiredToken' })
      const env = { ...bareEnv, ...trees.env, XDG_STATE_HOME: folder, XFER: `${process.execPath} ${XFER}` }
      const copy =
        'for i in $(seq 0 69); do echo n$i; done | $XFER copy -r s3://origin/tree s3://target/tree --engine local --files-from - --json'
      const first = await runShell(copy, { env })
      expect(eventsOf({ stdout: first.output }).at(-1)).toMatchObject({ type: 'error', code: 'CREDENTIALS_EXPIRED' })
      const resumed = await runXfer(['resume', '--json'], { env })
      expect(eventsOf(resumed).at(-1)).toMatchObject({ code: 'USAGE', exitCode: 2 })
      expect(eventsOf(resumed).at(-1).message).toContain('read its names from standard input')
      source.faults.clear()
      const job = eventsOf({ stdout: first.output }).at(-1).job
      expect(eventsOf(resumed).at(-1).hint).toContain(`xfer resume ${job} --files-from FILE`)
      const resume = `for i in $(seq 0 69); do echo n$i; done | $XFER resume ${job} --files-from - --json`
      const again = await runShell(resume, { env })
      expect(eventsOf({ stdout: again.output }).at(-1)).toMatchObject({ type: 'done' })
      expect(Object.keys(await sizesOf(trees.to)).sort()).toEqual(many.sort())
    })
  })
})

/** How many invocations a prefix takes where the platform's quota is no matter. */
describe('invocations', () => {
  let servers
  let platform
  let trees

  async function setUp(perMinute = 1_000_000) {
    servers = await Promise.all([startStore(), startStore()])
    platform = await startDeployed({ containers: 4, limits: { concurrent: 1000, perMinute } })
    const [source, destination] = servers
    trees = await openTrees({ source, destination, platform })
  }

  const small = count =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`tree/n${1000 + i}`, `object ${i}`]))

  test('an object that fails costs those beside it nothing, and one that fails in passing is copied alone', async () => {
    await setUp()
    await trees.fill(small(100))
    const [source] = servers
    source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/n1050', status: 403 })
    source.faults.add({ operation: 'GetObject', key: 'tree/n1060', nth: 1, status: 500 })
    const reads = {}
    source.on('request', ({ operation, key }) => {
      if (operation === 'GetObject') reads[key] = (reads[key] ?? 0) + 1
    })
    const run = await trees.run(['copy'])
    expect({ status: run.status, objects: run.last.objects }).toMatchObject({ objects: { copied: 99, failed: 1 } })
    expect(run.events.filter(({ type }) => type === 'failure').map(({ name }) => name)).toEqual(['n1050'])
    expect([reads['tree/n1059'], reads['tree/n1060'], reads['tree/n1061']]).toEqual([1, 2, 1])
    expect(platform.activations.counters.started).toBeLessThanOrEqual(12)
  })

  test('what an activation wrote that the platform ran twice is its own, though nothing may be replaced', async () => {
    await setUp()
    await trees.fill(small(40))
    platform.faults.add({ rerun: true })
    const run = await trees.run(['copy', '--ignore-existing'])
    expect({ status: run.status, objects: run.last.objects }).toMatchObject({
      status: 0,
      objects: { copied: 40, skipped: 0 },
    })
    expect(run.objects.filter(({ proof }) => proof.length === 0)).toEqual([])
    expect(Object.keys(await sizesOf(trees.to))).toHaveLength(40)
  })
})
