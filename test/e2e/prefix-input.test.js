'use strict'

/** What a user may have meant otherwise: prefixes with nothing below them, files of names, and what is told of them. */

const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv, eventsOf, runXfer } = require('../support/run-xfer')

let source
let destination
let trees
let folder
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xfer-test-input-'))
  ;[source, destination] = await Promise.all([startStore(), startStore()])
  trees = await openTrees({ source, destination })
})
afterEach(async () => {
  trees.close()
  rmSync(folder, { recursive: true })
  await Promise.all([source.close(), destination.close()])
})

/** @param {any[]} events */
const notices = events => events.filter(({ type }) => type === 'notice').map(({ message }) => message)

describe('an empty object whose key is the prefix', () => {
  const NOTICE =
    'The empty object s3://origin/tree/ marks its prefix as a folder: it is skipped, because its key at the destination would be empty.'
  beforeEach(() => trees.fill({ 'tree/': '', 'tree/a': '1' }))

  test.each([['copy'], ['sync'], ['sync', '--delete'], ['copy', '--ignore-existing']])(
    'is skipped by %s %s to the root of a bucket, with a notice',
    async (...command) => {
      const { status, events, last } = await trees.run(command, { target: '' })
      expect({ status, objects: last.objects }).toMatchObject({
        status: 0,
        objects: { listed: 2, copied: 1, skipped: 1 },
      })
      expect(notices(events)).toEqual([NOTICE])
      expect(await sizesOf(trees.to)).toEqual({ a: 1 })
    },
  )

  test('is copied to below a prefix', async () => {
    const { status, events } = await trees.run(['copy'], { target: 'below/' })
    expect({ status, notices: notices(events) }).toEqual({ status: 0, notices: [] })
    expect(await sizesOf(trees.to)).toEqual({ 'below/': 0, 'below/a': 1 })
  })
})

describe('filters', () => {
  test.each([
    ['--include alone', ['--include', 'a*'], 2, true],
    ['several of them', ['--include', 'a*', '--include', 'b*'], 2, true],
    ['--include after --exclude', ['--exclude', '*', '--include', 'a*'], 1, false],
    ['--include before --exclude', ['--include', 'a*', '--exclude', 'x/**'], 2, true],
    ['--exclude', ['--exclude', 'a*'], 1, false],
  ])('%s: the plan says whether they leave nothing out', async (_, filters, copied, told) => {
    await trees.fill({ 'tree/a': '1', 'tree/b': '2' })
    const { events, last } = await trees.run(['copy', ...filters])
    const { notices: sentences, noticeCodes } = events.find(({ type }) => type === 'plan')
    expect({ copied: last.objects.copied, noticeCodes }).toEqual({ copied, noticeCodes: told ? ['INCLUDE_ALONE'] : [] })
    if (told) expect(sentences[0]).toContain("give --exclude '*' before it")
  })
})

describe('names in a file', () => {
  test('that the source has not fail by name, and the others are copied', async () => {
    await trees.fill({ 'tree/a': '1', 'tree/ b ': '2' })
    const [names, failures] = [join(folder, 'names'), join(folder, 'failures')]
    writeFileSync(names, 'a\nnone\n" b "\n')
    const { status, events, last } = await trees.run(['copy', '--files-from', names, '--failures', failures])
    expect({ status, message: last.message }).toEqual({ status: 1, message: '1 of 3 objects could not be copied.' })
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'none', code: 'NO_SUCH_KEY' }])
    expect(readFileSync(failures, 'utf8')).toBe('none\n')
    expect(await sizesOf(trees.to)).toEqual({ 'tree/ b ': 1, 'tree/a': 1 })
  })

  test('with a bad line are copied up to there, and the job can be gone on with', async () => {
    await trees.fill(Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`tree/${i}`, 'x'])))
    const names = join(folder, 'names')
    const lines = Array.from({ length: 70 }, (_, i) => `${i}\n`)
    writeFileSync(names, [...lines.slice(0, 69), '"69\n'].join(''))
    const { status, last } = await trees.run(['copy', '--files-from', names])
    expect({ status, message: last.message }).toEqual({
      status: 2,
      message: `Line 70 of ${names} begins with a double quote and is no JSON string.`,
    })
    writeFileSync(names, lines.join(''))
    expect((await trees.run(['copy', '--files-from', names])).status).toBe(0)
    expect(Object.keys(await sizesOf(trees.to))).toHaveLength(70)
  })

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

const onLinux = existsSync('/dev/full') ? test : test.skip
onLinux('names of failures that cannot be written are not said to be there', async () => {
  await trees.fill({ 'tree/a': '1' })
  source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/a', status: 403 })
  const { status, events, last } = await trees.run(['copy', '--failures', '/dev/full'])
  expect(status).toBe(1)
  expect(notices(events)).toContain(
    'The file /dev/full cannot be written (ENOSPC): names of objects that failed are missing from it.',
  )
  expect(last.hint).not.toContain('/dev/full')
})
