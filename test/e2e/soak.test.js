'use strict'

/** A short kill soak; `npm run soak` has the long one. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { drawRun } = require('../soak/draw')
const { copiedNames } = require('../soak/proved')

const LONGEST_MS = 600_000

test.each([
  { what: 'copies', args: [], runs: 5, seed: 3 },
  { what: 'copies of prefixes', args: ['--prefix'], runs: 3, seed: 5 },
  { what: 'copies between stores of all kinds', args: ['--ends', 'all'], runs: 4, seed: 7 },
])(
  '$runs $what that are killed at random moments (seed $seed) end byte-identical, with nothing left over',
  async ({ args, runs, seed }) => {
    const soak = [join(__dirname, '..', 'soak', 'index.js'), ...args, '--runs', String(runs), '--seed', String(seed)]
    const child = spawn(process.execPath, soak, { stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    const [status] = await once(child, 'close')
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining(`${runs} of ${runs} byte-identical, nothing left over`),
    })
    expect(stdout).toMatch(/Killed: [1-9]\d* cli/)
  },
  LONGEST_MS,
)

test('runs over a prefix have every kind of content', () => {
  expect(drawRun(7, 3, { prefix: true })).toEqual(drawRun(7, 3, { prefix: true }))
  const trees = Array.from({ length: 100 }, (_, i) => drawRun(1, i + 1, { prefix: true }).tree)
  expect(new Set(trees.map(({ mode, deletes }) => `${mode} ${deletes}`))).toEqual(
    new Set(['copy false', 'sync false', 'sync true']),
  )
  expect(trees.some(({ later }) => later.some(({ bytes }) => bytes === undefined))).toBe(true)
  expect(trees.some(({ source }) => source.some(({ bytes }) => bytes > 12 * 1024 ** 2))).toBe(true)
  const stale = ({ source, destination }) => source.some(({ name }) => destination.some(other => other.name === name))
  expect(trees.some(stale)).toBe(true)
})

test('what happens in a run is drawn from the seed and its number alone', () => {
  expect(drawRun(7, 3)).toEqual(drawRun(7, 3))
  expect(drawRun(7, 3)).not.toEqual(drawRun(7, 4))
  expect(drawRun(7, 3)).not.toEqual(drawRun(8, 3))
  const victims = Array.from({ length: 200 }, (_, i) => drawRun(1, i + 1).kills).flat()
  expect(new Set(victims.map(({ victim }) => victim))).toEqual(
    new Set(['cli', 'source', 'destination', 'platform', 'container']),
  )
})

describe('the soak counts an object of a prefix as copied', () => {
  const BEGAN_MS = 1_000_000
  const job = { type: 'job', at: BEGAN_MS }
  const unsure = { type: 'failed', name: 'a', unsure: true }
  const listed = (/** @type {number} */ afterS, etag = 'same') =>
    new Map([['a', { bytes: 1, etag, lastModifiedMs: BEGAN_MS + afterS * 1000 }]])
  const found = { sources: listed(-10), copies: listed(2), full: false, checks: true, reported: new Set() }
  const other = { copies: listed(2, 'other') }

  test.each([
    { what: 'if it is later than the source and the beginning', ...other, facts: [job] },
    { what: 'if the ETags are the same', facts: [job] },
    { what: 'if it failed and nothing is said of a wrong copy', facts: [job, { type: 'failed', name: 'a' }] },
    { what: 'if it was named as not proved and proved later', facts: [job, unsure, { type: 'over', name: 'a' }] },
    { what: 'if the command reported it as copied and names it', facts: [job, unsure], reported: new Set(['a']) },
  ])('$what', ({ facts, ...changed }) => {
    expect(copiedNames(facts, { ...found, ...changed })).toEqual(['a'])
  })

  test.each([
    { what: 'with --verify full', full: true, facts: [job] },
    { what: 'if the journal names it as not proved', facts: [job, unsure] },
    { what: 'by times of the second in which the job began', copies: listed(0, 'other'), facts: [job] },
    { what: 'if the source is about as late', sources: listed(-2), ...other, facts: [job] },
    { what: 'if it was there before', copies: listed(-1), facts: [job] },
  ])('not $what', ({ facts, ...changed }) => {
    expect(copiedNames(facts, { ...found, ...changed })).toEqual([])
  })
})
