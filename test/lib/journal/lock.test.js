'use strict'

/** Who may work on a job: real processes, some of which die. */

const { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { hostname } = require('node:os')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { ownerOf } = require('../../../lib/journal/claims')
const { encodeLine, decodeLines } = require('../../../lib/journal/lines')
const { lifeOf, thisProcess } = require('../../../lib/journal/processes')
const { FACTS, JOB, newFolder, part } = require('./jobs')
const { startRun } = require('./processes')

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

  test('is locked whatever path another process uses', async () => {
    const home = newFolder()
    const run = await start(home)
    const { id, path } = (await run.ask('create', JOB)).answer
    const other = await start(newFolder())
    expect(await other.ask('open', path)).toMatchObject({ code: 'JOB_RUNNING' })
    await run.ask('close')
    expect(await other.ask('open', path)).toEqual({ answer: path })
    await other.ask('close')
    expect(await run.ask('open', id)).toEqual({ answer: path })
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

  test('that nobody has', async () => {
    const journals = openJournals({ env: { XDG_STATE_HOME: home } })
    const journal = await journals.create(JOB)
    await journal.close()
    for (let round = 0; round < 100; round++) {
      const winner = await race(journal.state.id)
      expect(ownerOf(decodeLines(readFileSync(journal.path)).entries)).toMatchObject({ pid: winner.child.pid })
      await winner.ask('close')
    }
  }, 240_000)

  test('whose owner was killed', async () => {
    const left = await leaveBehind(home)
    for (let round = 0; round < 100; round++) {
      const id = `20260101T000000Z-${String(round).padStart(6, '0')}`
      const path = left.path.replace(left.id, id)
      copyFileSync(left.path, path)
      const winner = await race(id)
      const { entries } = decodeLines(readFileSync(path))
      expect(ownerOf(entries)).toMatchObject({ pid: winner.child.pid, takes: claimsOf(path)[0].owner })
      await winner.ask('close')
    }
  }, 240_000)
})

describe('a job that is finished meanwhile', () => {
  test('cannot be taken by a process that had opened its journal before', async () => {
    const { openFile, readAll } = require('../../../lib/journal/file')
    const { takeLock } = require('../../../lib/journal/lock')
    const journals = openJournals({ env: { XDG_STATE_HOME: newFolder() } })
    const journal = await journals.create(JOB)
    const { path } = journal
    await journal.close()
    const again = await journals.open(path)
    const handle = await openFile(path, 'append')
    appendFileSync(path, encodeLine({ n: 99, at: Date.now(), type: 'release', owner: claimsOf(path).at(-1).owner }))
    await again.remove()
    const where = { path, job: 'it', brought: false, now: Date.now, read: await readAll(handle, path) }
    await expect(takeLock(handle, where)).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
    await handle.close()
  })
})

describe('the claim of another machine', () => {
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

  test('stands if the path leads into the folder of the journals', async () => {
    const home = newFolder()
    const { path } = arrange(openAt(0, home).folder)
    await expect(openAt(0, home).open(path)).rejects.toMatchObject({ code: 'JOB_RUNNING' })
    await expect(openAt(0, home).open(join(path, '..', '..', 'jobs', path.split('/').at(-1)))).rejects.toMatchObject({
      code: 'JOB_RUNNING',
    })
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

  test('is dead where the machine was started anew', async () => {
    expect(await lifeOf({ ...(await ours()), processStart: `other ${await space()} ${await ticks()}` })).toBe('dead')
  })

  test('is dead where there is none with its number', async () => {
    const run = await start(newFolder())
    const { pid } = run.child
    await run.kill()
    expect(await lifeOf({ ...(await ours()), pid })).toBe('dead')
    expect(await lifeOf({ owner: 'x', pid, host: hostname() })).toBe('dead')
  })

  test('in a container of its own, or on another machine, cannot be seen', async () => {
    expect(await lifeOf({ ...(await ours()), host: 'elsewhere' })).toBe('unseen')
    const contained = `${await boot()} pid:[1] ${await ticks()}`
    expect(await lifeOf({ ...(await ours()), processStart: contained })).toBe('unseen')
  })

  test('that has ended, and waits for its parent to notice, is dead', async () => {
    const { spawn } = require('node:child_process')
    const { once } = require('node:events')
    // A shell that became another program knows nothing of the child that it had.
    const parent = spawn('bash', ['-c', 'tail -f /dev/null >/dev/null & echo $!; exec cat'], {
      stdio: ['pipe', 'pipe', 2],
    })
    const stat = pid => readFileSync(`/proc/${pid}/stat`, 'utf8')
    try {
      const [line] = await once(parent.stdout, 'data')
      const pid = Number(line)
      const start = stat(pid).split(') ')[1].split(' ')[19]
      // It echoes once it is another program.
      parent.stdin.write('ready')
      await once(parent.stdout, 'data')
      process.kill(pid, 'SIGKILL')
      while (!stat(pid).includes(') Z ')) await new Promise(resolve => setImmediate(resolve))
      const zombie = { ...(await ours()), pid, processStart: `${await boot()} ${await space()} ${start}` }
      expect(await lifeOf(zombie)).toBe('dead')
    } finally {
      parent.stdin.end()
      await once(parent, 'exit')
    }
  })
})
