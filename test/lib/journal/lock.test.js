'use strict'

const { appendFileSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { hostname } = require('node:os')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { holdBeginning, ownerOf, lifeOf, thisProcess } = require('../../../lib/journal/lock')
const { decodeLines, encodeLine } = require('../../../lib/journal/facts')
const { FACTS, JOB, newFolder, part } = require('./jobs')
const { startRun } = require('./processes')

/** Who may work on a job: real processes, some of which die. */

const MINUTE_MS = 60_000

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

describe('the journal of a process', () => {
  test('is its own while it lives, also when it is stopped, and is taken over when it was killed with -9', async () => {
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
})

describe('of several that want one job at once exactly one gets it', () => {
  const RACERS = 4
  let home
  let racers
  beforeAll(async () => {
    home = newFolder()
    racers = await Promise.all(Array.from({ length: RACERS }, () => start(home)))
  }, 60_000)

  /** @param {string} id */
  async function race(id) {
    const answers = await Promise.all(racers.map(racer => racer.ask('open', id)))
    const won = answers.filter(({ answer }) => answer)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'JOB_RUNNING')).toHaveLength(RACERS - 1)
    return racers[answers.indexOf(won[0])]
  }

  test('whose owner was killed', async () => {
    const left = await leaveBehind(home)
    for (let round = 0; round < 20; round++) {
      const id = `20260101T000000Z-${String(round).padStart(6, '0')}`
      const path = left.path.replace(left.id, id)
      copyFileSync(left.path, path)
      const winner = await race(id)
      const { entries } = decodeLines(readFileSync(path))
      expect(ownerOf(entries)).toMatchObject({ pid: winner.child.pid, takes: claimsOf(path)[0].owner })
      await winner.ask('close')
    }
  }, 120_000)
})

describe('a job that is finished meanwhile', () => {
  test('cannot be taken by a process that had opened its journal before', async () => {
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
})

test.each([
  ['silent for long', false],
  ['named by the path of its journal', true],
])('the owner of a file that lives on this machine is alive, also if it is %s', async (_, brought) => {
  const { judge } = require('../../../lib/journal/lock')
  const claim = { n: 1, at: 0, type: 'claim', owner: 'o', pid: process.pid, host: hostname() }
  expect(await judge({ entries: [claim] }, { brought, nowMs: Date.now() })).toMatchObject({ alive: true })
})

describe('the claim of another machine', () => {
  test.each([
    ['lives while its store has heard of it', 119_000, true],
    ['is dead when its store has not for two minutes', 121_000, false],
  ])('in a store, %s', async (_, silentMs, alive) => {
    const { judge } = require('../../../lib/journal/lock')
    const entries = [{ n: 1, at: 0, type: 'claim', owner: 'o', pid: 1, host: 'elsewhere' }]
    const decoded = { entries, silentMs }
    expect(await judge(decoded, { brought: false, nowMs: Date.now() })).toMatchObject({ alive })
    // Its process is known to be dead.
    expect(await judge(decoded, { brought: true, nowMs: Date.now() })).toMatchObject({ alive: false })
  })

  const START = Date.UTC(2026, 0, 1)

  /** A journal that a process of another machine had in its hand at START. */
  function arrange(folder, lines = []) {
    mkdirSync(folder, { recursive: true })
    const id = '20260101T000000Z-000000'
    const path = join(folder, `${id}.journal`)
    const facts = [
      { type: 'job', version: 1, id, ...JOB },
      { type: 'claim', owner: 'theirs', pid: process.pid, host: 'elsewhere', processStart: 'boot pid:[1] 1' },
      { type: 'upload', id: 'upload-1', checksums: true },
      part(1),
      ...lines,
    ]
    writeFileSync(path, facts.map((fact, i) => encodeLine({ n: i + 1, at: START, ...fact })).join(''))
    return { id, path }
  }

  const openAt = (ms, home = newFolder()) => openJournals({ env: { XDG_STATE_HOME: home }, now: () => START + ms })

  test('stands for a quarter of an hour after its last sign of life', async () => {
    const beat = { type: 'heartbeat', owner: 'theirs', at: START + 10 * MINUTE_MS }
    // Of another one, or of none.
    const noise = ['other', 'nobody'].map(owner => ({ type: 'heartbeat', owner, at: START + 20 * MINUTE_MS }))
    const home = newFolder()
    const { id, path } = arrange(openAt(0, home).folder, [beat, ...noise, { ...part(2), at: START + 21 * MINUTE_MS }])
    for (const minutes of [0, 5, 14, 24]) {
      const journals = openAt(minutes * MINUTE_MS, home)
      await expect(journals.open(id)).rejects.toMatchObject({
        code: 'JOB_RUNNING',
        message: `Process ${process.pid} on elsewhere is at work on the job ${id}.`,
      })
      expect(await journals.list()).toMatchObject([{ running: true }])
    }
    expect(claimsOf(path)).toHaveLength(1)
    const journals = openAt(26 * MINUTE_MS, home)
    expect(await journals.list()).toMatchObject([{ running: false }])
    const journal = await journals.open(id)
    expect(journal.state.parts.size).toBe(2)
    await journal.close()
  })

  test('does not if the user copied the journal from there', async () => {
    const { path } = arrange(newFolder())
    const journal = await openAt(0).open(path)
    expect(claimsOf(path).at(-1)).toMatchObject({ takes: 'theirs', host: hostname() })
    await journal.close()
  })
})

describe('a living owner writes a sign of life', () => {
  test('once a minute at least, and does not keep the process for it', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
    try {
      const journals = openJournals({ env: { XDG_STATE_HOME: newFolder() } })
      const journal = await journals.create(JOB)
      jest.advanceTimersByTime(10 * MINUTE_MS)
      await journal.flush()
      const beats = decodeLines(readFileSync(journal.path)).entries.filter(({ type }) => type === 'heartbeat')
      expect(beats.length).toBeGreaterThanOrEqual(10)
      await journal.close()
      expect(jest.getTimerCount()).toBe(0)
    } finally {
      jest.useRealTimers()
    }
  })
})

const onLinux = process.platform === 'linux' ? describe : describe.skip
onLinux('a process', () => {
  const [boot, space, ticks] = ['boot', 'space', 'ticks'].map(
    (_, i) => async () => (await thisProcess()).processStart.split(' ')[i],
  )
  const ours = async () => ({ owner: 'x', ...(await thisProcess()) })

  test('lives where it is the one that claimed', async () => {
    expect(await lifeOf(await ours())).toBe('alive')
    expect(await lifeOf({ owner: 'x', pid: process.pid, host: hostname() })).toBe('alive')
    // Whose it may be that we may not send a signal to.
    expect(await lifeOf({ owner: 'x', pid: 1, host: hostname() })).toBe('alive')
  })

  test('is dead where its number is that of a later one', async () => {
    const later = `${await boot()} ${await space()} ${Number(await ticks()) - 1}`
    expect(await lifeOf({ ...(await ours()), processStart: later })).toBe('dead')
  })

  test('in a container of its own, or on another machine, cannot be seen', async () => {
    expect(await lifeOf({ ...(await ours()), host: 'elsewhere' })).toBe('unseen')
    const contained = `${await boot()} pid:[1] ${await ticks()}`
    expect(await lifeOf({ ...(await ours()), processStart: contained })).toBe('unseen')
  })
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
