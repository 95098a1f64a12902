'use strict'

/**
 * A command continues the unfinished job of its prefixes only if it selects the same objects and proves them alike. Any other
 * command is a job of its own, and the unfinished one stays as it is.
 */

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { eventOf } = require('../support/events')
const { jobFiles } = require('../support/journals')
const { openKeptTrees, sizesOf } = require('../support/prefixes')

const NAMES = Array.from({ length: 40 }, (_, i) => `${i % 2 ? '2024' : '2025'}/n${String(i).padStart(2, '0')}`).sort()
const SLOWLY = ['--concurrency', '1']
jest.setTimeout(120_000)

/** @type {Awaited<ReturnType<typeof openKeptTrees>>} */
let at
let source
let destination
let trees
let state
let kept
let run
let xfer
beforeEach(async () => {
  at = await openKeptTrees()
  ;({ source, destination, trees, state, kept, run, xfer } = at)
})

const ids = () => jobFiles(state).map(name => name.split('.')[0])
const journalOf = id => readFileSync(join(state, 'xfer', 'jobs', `${id}.journal`), 'utf8')
const there = async () => Object.keys(await sizesOf(trees.to)).map(key => key.replace('tree/', ''))
/** Fills the source, and stops a command in the middle. @param {string[]} args @returns {Promise<string>} the id of its job */
async function stopped(args) {
  // So that times show what was copied since.
  source.stepClock(-600_000)
  await trees.fill(Object.fromEntries(NAMES.map(name => [`tree/${name}`, `of ${name}`])))
  source.stepClock(600_000)
  destination.faults.add({ operation: 'PutObject', key: 'tree/2024/n21', delayMs: 60_000 })
  const held = eventOf(destination, 'begin', ({ operation, key }) => operation === 'PutObject' && /n21$/.test(key))
  const { child, ended } = trees.start([...args, ...SLOWLY], kept)
  await held
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  const [id, ...more] = ids()
  expect(more).toEqual([])
  return id
}

test('a narrower command that is stopped too does not end the wide job, and each is continued by its own command', async () => {
  const wide = await stopped(['copy'])
  const before = journalOf(wide)
  const narrow = ['copy', '--exclude', '*', '--include', '2025/*']
  source.faults.add({ operation: ['GetObject', 'HeadObject'], key: 'tree/2025/n20', status: 403 })
  expect((await run(...narrow, ...SLOWLY)).status).toBe(1)
  source.faults.clear()
  expect(ids()).toHaveLength(2)
  const again = await run(...narrow)
  expect(again.last).toMatchObject({ type: 'done', objects: { earlier: expect.any(Number) } })
  // The unfinished job stayed, and does the rest when it is resumed.
  expect(ids()).toEqual([wide])
  expect(journalOf(wide)).toBe(before)
  expect((await xfer('resume', wide, '--json')).last).toMatchObject({ type: 'done' })
  expect(await there()).toEqual(NAMES)
  expect(ids()).toEqual([])
})

test('names from a file are another job if the file has changed', async () => {
  const names = join(state, 'names')
  const before = NAMES.slice(0, 30).join('\n')
  writeFileSync(names, before)
  const id = await stopped(['copy', '--files-from', names])
  writeFileSync(names, `${NAMES[39]}\n`)
  const { events, last } = await run('copy', '--files-from', names)
  expect(last).toMatchObject({ type: 'done', objects: { copied: 1 } })
  expect(events.filter(({ code }) => code === 'OTHER_JOB')).toHaveLength(1)
  expect(ids()).toEqual([id])
  const resumed = await xfer('resume', id, '--json')
  expect(resumed).toMatchObject({ status: 2, last: { code: 'USAGE', message: expect.stringContaining(names) } })
  writeFileSync(names, before)
  expect((await xfer('resume', id, '--json')).last).toMatchObject({ type: 'done' })
  expect(await there()).toEqual([...NAMES.slice(0, 30), NAMES[39]])
})
