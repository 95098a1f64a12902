'use strict'

/** Who may begin a job between two places: real processes, some of which die with the lock in their hand. */

const { mkdirSync, readdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { holdBeginning } = require('../../../lib/journal/beginning')
const { JOB, newFolder } = require('./jobs')
const { startRun } = require('./processes')

const RACERS = 5
const OTHER = { source: JOB.destination, destination: JOB.source }

/** @type {any[]} */
const runs = []
afterAll(() => Promise.all(runs.map(run => run.end())))

/** @param {string} home @param {object} [options] */
async function start(home, options) {
  runs.push(await startRun(home, options))
  return runs.at(-1)
}

/** Whatever there is, with its folders. @param {string} home */
const filesIn = home => readdirSync(home, { recursive: true })

test('of several processes one at a time begins, and nothing is left of the lock', async () => {
  const home = newFolder()
  const racers = await Promise.all(Array.from({ length: RACERS }, () => start(home)))
  for (let round = 0; round < 20; round++) {
    let inside = 0
    const turns = racers.map(async racer => {
      expect(await racer.ask('hold', JOB)).toEqual({})
      expect(++inside).toBe(1)
      // Time for another one that would not wait.
      expect(await racer.ask('trouble')).toEqual({ answer: [] })
      expect(inside--).toBe(1)
      await racer.ask('letGo')
    })
    await Promise.all(turns)
    expect(filesIn(home)).toEqual([])
  }
}, 120_000)

test('between other places others begin meanwhile', async () => {
  const home = newFolder()
  const { folder } = openJournals({ env: { XDG_STATE_HOME: home } })
  const letGo = await holdBeginning(folder, JOB, { now: Date.now })
  await (await holdBeginning(folder, OTHER, { now: Date.now }))()
  await letGo()
  expect(filesIn(home)).toEqual([])
})

test('of a process that lives it is not taken, and that one is named', async () => {
  const home = newFolder()
  const run = await start(home)
  await run.ask('hold', JOB)
  const { folder } = openJournals({ env: { XDG_STATE_HOME: home } })
  await expect(holdBeginning(folder, JOB, { now: Date.now, waitMs: 100 })).rejects.toMatchObject({
    code: 'JOB_RUNNING',
    message: `Process ${run.child.pid} is beginning a copy from and to the same.`,
  })
})

test('of one that was killed with it one of several takes it', async () => {
  const home = newFolder()
  const racers = await Promise.all(Array.from({ length: 3 }, () => start(home)))
  for (let round = 0; round < 3; round++) {
    const victim = await start(home)
    await victim.ask('hold', JOB)
    await victim.kill()
    let inside = 0
    const turns = racers.map(async racer => {
      expect(await racer.ask('hold', JOB)).toEqual({})
      expect(++inside).toBe(1)
      await racer.ask('trouble')
      inside--
      await racer.ask('letGo')
    })
    await Promise.all(turns)
    expect(filesIn(home)).toEqual([])
  }
}, 60_000)

test('a file without a claim, as one is that a file system without hard links has for a moment, is taken', async () => {
  const home = newFolder()
  const { folder } = openJournals({ env: { XDG_STATE_HOME: home } })
  const letGo = await holdBeginning(folder, JOB, { now: Date.now })
  const [name] = readdirSync(folder)
  await letGo()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), '')
  await (await holdBeginning(folder, JOB, { now: Date.now }))()
  expect(filesIn(home)).toEqual([])
})

test('where nothing can be written it is said, and nothing is left', async () => {
  const home = newFolder()
  const run = await start(home, { limit: 'ulimit -f 0' })
  expect(await run.ask('hold', JOB)).toMatchObject({ code: 'BAD_JOURNAL' })
  expect(filesIn(home)).toEqual([])
})
