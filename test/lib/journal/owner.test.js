'use strict'

/** Whose a job is, by what its journal says, and whether that one lives. With processes that die: lock.test.js. */

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { hostname } = require('node:os')
const { join } = require('node:path')
const { openJournals } = require('../../../lib/journal')
const { decodeLines, encodeLine } = require('../../../lib/journal/facts')
const { judge, lifeOf, thisProcess } = require('../../../lib/journal/lock')
const { JOB, newFolder, part } = require('./jobs')

const MINUTE_MS = 60_000

const claimsOf = path => decodeLines(readFileSync(path)).entries.filter(({ type }) => type === 'claim')

test.each([
  ['silent for long', false],
  ['named by the path of its journal', true],
])('the owner of a file that lives on this machine is alive, also if it is %s', async (_, brought) => {
  const claim = { n: 1, at: 0, type: 'claim', owner: 'o', pid: process.pid, host: hostname() }
  expect(await judge({ entries: [claim] }, { brought, nowMs: Date.now() })).toMatchObject({ alive: true })
})

test.each([
  ['lives while its store has heard of it', 119_000, true],
  ['is dead when its store has not for two minutes', 121_000, false],
])('the claim of another machine in a store, %s', async (_, silentMs, alive) => {
  const claim = { n: 1, at: 0, type: 'claim', owner: 'o', pid: 1, host: 'elsewhere' }
  const decoded = { entries: [claim], silentMs }
  const namesake = { ...claim, host: hostname(), processStart: 'boot pid:[1] 1' }
  expect(await judge({ ...decoded, entries: [namesake] }, { brought: false, nowMs: 0 })).toMatchObject({ alive })
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

test('what a process wrote of its end, and could not remove, is removed by who opens it', async () => {
  const home = newFolder()
  const { id, path } = arrange(join(home, 'xfer', 'jobs'), [
    { type: 'finished', code: 'ACCESS_DENIED', message: 'No.' },
  ])
  await expect(openAt(MINUTE_MS, home).open(id)).rejects.toMatchObject({ code: 'NO_SUCH_JOB' })
  expect(existsSync(path)).toBe(false)
})

test('the claim of another machine stands for a quarter of an hour after its last sign of life', async () => {
  const beat = { type: 'heartbeat', owner: 'theirs', at: START + 10 * MINUTE_MS }
  // Of another one, or of none.
  const noise = ['other', 'nobody'].map(owner => ({ type: 'heartbeat', owner, at: START + 20 * MINUTE_MS }))
  const home = newFolder()
  const { id, path } = arrange(openAt(0, home).folder, [beat, ...noise, { ...part(2), at: START + 21 * MINUTE_MS }])
  for (const minutes of [0, 5, 14, 24]) {
    const journals = openAt(minutes * MINUTE_MS, home)
    const message = `Process ${process.pid} on elsewhere is at work on the job ${id}.`
    await expect(journals.open(id)).rejects.toMatchObject({ code: 'JOB_RUNNING', message })
    expect(await journals.list()).toMatchObject([{ running: true }])
  }
  expect(claimsOf(path)).toHaveLength(1)
  const journals = openAt(26 * MINUTE_MS, home)
  expect(await journals.list()).toMatchObject([{ running: false }])
  const journal = await journals.open(id)
  expect(journal.state.parts.size).toBe(2)
  await journal.close()
})

test('the claim of another machine does not if the user copied the journal from there', async () => {
  const { path } = arrange(newFolder())
  const journal = await openAt(0).open(path)
  expect(claimsOf(path).at(-1)).toMatchObject({ takes: 'theirs', host: hostname() })
  await journal.close()
})

test('a living owner writes a sign of life once a minute at least, and does not keep the process for it', async () => {
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

const onLinux = process.platform === 'linux' ? test : test.skip
onLinux.each([
  ['that claimed lives', {}, 'alive'],
  ['of which nobody knows when it began lives', { processStart: undefined }, 'alive'],
  // Whose it may be that we may not send a signal to.
  ['of somebody else lives', { processStart: undefined, pid: 1 }, 'alive'],
  ['that began later is another one', { began: (boot, space, ticks) => [boot, space, ticks - 1] }, 'dead'],
  ['of another boot is dead, or elsewhere', { began: (_, space, ticks) => ['boot', space, ticks] }, 'rebooted'],
  ['on another machine cannot be seen', { host: 'elsewhere' }, 'unseen'],
  ['in a container of its own cannot be seen', { began: (boot, _, ticks) => [boot, 'pid:[1]', ticks] }, 'unseen'],
])('a process %s', async (_, { began = (...start) => start, ...claim }, life) => {
  const ours = await thisProcess()
  const processStart = began(...ours.processStart.split(' ')).join(' ')
  expect(await lifeOf({ owner: 'x', ...ours, processStart, ...claim })).toBe(life)
})
