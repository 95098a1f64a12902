'use strict'

/** A short search; `npm run test:slow` has the long one. */

const { spawn } = require('node:child_process')
const { join } = require('node:path')
const { endOf } = require('../support/bounded-child')
const { drawRun } = require('./draw')
const { chooseKinds } = require('./world')

const LONGEST_MS = 600_000
const RUNS = 12
const { kinds } = chooseKinds('all')
const SHARES = { kill: 0.4, flip: 0.3, faults: 0.6, lie: 0.1, machines: 0.25 }

test(
  `${RUNS} commands between stores drawn at random end right, or say what is there`,
  async () => {
    const args = [join(__dirname, 'index.js'), '--runs', String(RUNS), '--seed', '12']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const { status, stdout } = await endOf(child, LONGEST_MS)
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`${RUNS} of ${RUNS} right`) })
  },
  LONGEST_MS,
)

test('what happens in a run is drawn from the seed and its number alone', () => {
  const draw = (/** @type {number} */ seed, /** @type {number} */ run) => drawRun(seed, run, kinds, SHARES)
  expect(draw(7, 3)).toEqual(draw(7, 3))
  expect(draw(7, 3)).not.toEqual(draw(7, 4))
  expect(draw(7, 3)).not.toEqual(draw(8, 3))
})

test('a thousand runs have all commands, engines and kinds on each side, and kills and flips', () => {
  const scripts = Array.from({ length: 1000 }, (_, i) => drawRun(1, i + 1, kinds, SHARES))
  const all = (/** @type {(script: import('./draw').Script) => string} */ of) => new Set(scripts.map(of))
  expect(all(({ command, deletes }) => `${command} ${deletes}`)).toEqual(
    new Set(['copy false', 'copy -r false', 'sync false', 'sync true', 'mv -r false', 'verify false']),
  )
  expect(all(({ engine }) => engine)).toEqual(new Set(['local', 'openwhisk', 'lambda', 'http']))
  for (const side of /** @type {const} */ (['source', 'destination'])) {
    const fitting = kinds.filter(kind => kind.side === undefined || kind.side === side).map(({ name }) => name)
    expect(all(script => script[side])).toEqual(new Set(fitting))
  }
  const isFlipped = ({ faults }) => [...faults.source, ...faults.destination].some(rule => 'flipByteAt' in rule)
  expect(scripts.filter(isFlipped).length).toBeGreaterThan(scripts.length / 7)
  expect(scripts.filter(({ kills }) => kills.length > 0).length).toBeGreaterThan(scripts.length / 5)
  const shared = scripts.filter(({ machines }) => machines)
  expect(shared.length).toBeGreaterThan(scripts.length / 10)
  expect(new Set(shared.map(({ machines }) => machines.where))).toEqual(new Set(['own', 'source', 'destination']))
  expect(shared.some(({ machines }) => machines.atOnce)).toBe(true)
  expect(shared.some(({ kills }) => kills.some(({ signal }) => signal === 'SIGSTOP'))).toBe(true)
  const left = scripts.flatMap((_, i) => drawRun(1, i + 1, kinds, { ...SHARES, chain: 1 }).chain ?? [])
  expect(new Set(left.map(({ engine }) => engine))).toEqual(new Set(['openwhisk', 'lambda']))
  expect(scripts.filter(({ change }) => change).length).toBeGreaterThan(scripts.length / 20)
})
