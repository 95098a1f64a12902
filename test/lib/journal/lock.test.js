'use strict'

const { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { holdBeginning, ownerOf } = require('../../../lib/journal/lock')
const { decodeLines, encodeLine } = require('../../../lib/journal/facts')
const { FACTS, JOB, newFolder } = require('./jobs')
const { startRun } = require('./processes')

/** Who may work on a job: real processes, some of which die. */

/** @type {any[]} */
const runs = []
afterAll(() => Promise.all(runs.map(run => run.end())))

async function start(home, options) {
  runs.push(await startRun(home, options))
  return runs.at(-1)
}

const claimsOf = path => decodeLines(readFileSync(path)).entries.filter(({ type }) => type === 'claim')

/** A journal that a process had open when it was killed. @param {string} home */
async function leaveBehind(home) {
  const run = await start(home)
  const { answer } = await run.ask('create', JOB)
  for (const fact of FACTS) await run.ask('write', fact)
  await run.kill()
  return { ...answer, pid: run.child.pid }
}

test('the journal of a process is its own while it lives, also when it is stopped, and is taken over when it was killed with -9', async () => {
  const home = newFolder()
  const journals = openJournals({ env: { XDG_STATE_HOME: home } })
  const run = await start(home)
  const { id, path } = (await run.ask('create', JOB)).answer
  for (const fact of FACTS) await run.ask('write', fact)
  const { pid } = run.child
  await expect(journals.open(id)).rejects.toMatchObject({ code: 'JOB_RUNNING', facts: { pid, job: id } })
  run.child.kill('SIGSTOP')
  await expect(journals.open(id)).rejects.toMatchObject({ code: 'JOB_RUNNING', facts: { pid, job: id } })
  expect(await journals.list()).toMatchObject([{ id, running: true }])
  // Those who were refused wrote nothing.
  expect(claimsOf(path)).toHaveLength(1)
  await run.kill()
  expect(await journals.list()).toMatchObject([{ id, running: false }])
  const journal = await journals.open(id)
  expect(journal.state.parts.size).toBe(3)
  const [dead, ours] = claimsOf(path)
  expect(ours).toMatchObject({ pid: process.pid, takes: dead.owner })
  await journal.close()
})

test('of several that want one job at once, whose owner was killed, exactly one gets it', async () => {
  const home = newFolder()
  const racers = await Promise.all(Array.from({ length: 4 }, () => start(home)))
  const left = await leaveBehind(home)
  for (let round = 0; round < 20; round++) {
    const id = `20260101T000000Z-${String(round).padStart(6, '0')}`
    const path = left.path.replace(left.id, id)
    copyFileSync(left.path, path)
    const answers = await Promise.all(racers.map(racer => racer.ask('open', id)))
    expect(answers.map(({ code }) => code).sort()).toEqual([...Array(3).fill('JOB_RUNNING'), undefined])
    const winner = racers[answers.findIndex(({ answer }) => answer)]
    const { entries } = decodeLines(readFileSync(path))
    expect(ownerOf(entries)).toMatchObject({ pid: winner.child.pid, takes: claimsOf(path)[0].owner })
    await winner.ask('close')
  }
}, 120_000)

test('a job that is finished meanwhile cannot be taken by a process that had opened its journal before', async () => {
  const { fileLog, openFile, readAll } = require('../../../lib/journal/file')
  const { takeLock } = require('../../../lib/journal/lock')
  const journals = openJournals({ env: { XDG_STATE_HOME: newFolder() } })
  const journal = await journals.create(JOB)
  const { path } = journal
  await journal.close()
  const again = await journals.open(path)
  const handle = await openFile(path, 'append')
  appendFileSync(path, encodeLine({ n: 99, at: Date.now(), type: 'release', owner: claimsOf(path).at(-1).owner }))
  await again.remove()
  const where = { job: 'it', brought: false, now: Date.now, read: await readAll(handle, path) }
  await expect(takeLock(fileLog(handle, path), where)).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
  await handle.close()
})

describe('the beginning of a job', () => {
  /** Who may begin a job between two places: real processes, some of which die with the lock in their hand. */

  const RACERS = 5

  /** Whatever there is, with its folders. @param {string} home */
  const filesIn = home => readdirSync(home, { recursive: true })

  /** Each of them begins once, one at a time, and nothing is left of the lock. */
  async function takeTurns(racers, home) {
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

  test('of several processes one at a time begins, and nothing is left of the lock', async () => {
    const home = newFolder()
    const racers = await Promise.all(Array.from({ length: RACERS }, () => start(home)))
    for (let round = 0; round < 20; round++) await takeTurns(racers, home)
  }, 120_000)

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
      await takeTurns(racers, home)
    }
  }, 60_000)

  test('a file without a claim, as every one is for a moment, is taken', async () => {
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
})
