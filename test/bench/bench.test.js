'use strict'

/** `npm run bench` in small: each case that needs no other program, and what it writes. */

const { execFile } = require('node:child_process')
const { readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { promisify } = require('node:util')
const { CASES } = require('../../bench/cases')
const { bestPeer, contest } = require('../../bench/report')
const { newFolder } = require('../support/folder')
const { bareEnv } = require('../support/run-xfer')

const BENCH = join(__dirname, '..', '..', 'bench', 'index.js')
/** Those whose contestants are xfer and what comes with it. */
const ALONE = ['synthetic', 'cores', 'start-up']
/** Where bash, getconf and git are, and no contestant. */
const PATH = '/usr/bin:/bin'

const folder = newFolder()

test('the command runs every case that needs no other program, and writes what it found', async () => {
  const out = join(folder, 'RESULTS.md')
  const args = ALONE.flatMap(name => ['--case', name])
  const env = { ...bareEnv, PATH, XFER_TEST_BIN: '' }
  // It rejects with what was said on standard error.
  await promisify(execFile)(process.execPath, [BENCH, '--quick', '--out', out, ...args], { env })
  expect(readdirSync(join(folder, 'results')).sort()).toEqual(ALONE.map(name => `${name}.json`).sort())
  const report = readFileSync(out, 'utf8')
  for (const name of ALONE) expect(report).toContain(CASES.find(one => one.name === name).title)
  expect(report).not.toMatch(/NaN|undefined|Infinity/)
  expect(report).not.toContain(folder)
  for (const name of ALONE) {
    const { rows } = JSON.parse(readFileSync(join(folder, 'results', `${name}.json`), 'utf8'))
    expect(rows.filter(({ kind }) => kind !== 'peer').map(({ runs }) => runs.length)).not.toContain(0)
    expect(rows.map(({ failed }) => failed).filter(Boolean)).toEqual([])
  }
}, 300_000)

const run = (wallSeconds, cpuSeconds) => ({ wallSeconds, cpuSeconds, peakBytes: 50e6, serverCpuSeconds: 1 })
const rows = [
  { name: 'xfer', kind: 'xfer', runs: [run(4, 1), run(1, 1), run(2, 1)] },
  { name: 'quick', kind: 'peer', runs: [run(4, 9)] },
  { name: 'thrifty', kind: 'peer', runs: [run(9, 2)] },
  { name: 'broken', kind: 'peer', runs: [run(1, 1)], failed: 'it broke' },
]

test('the report compares medians with the best peer of each figure that did not fail', () => {
  expect([bestPeer(rows, 'wallSeconds').name, bestPeer(rows, 'cpuSeconds').name]).toEqual(['quick', 'thrifty'])
  const [xfer, , , broken] = contest(rows, 2e9).rows
  expect(xfer).toEqual(['xfer', '2.00', '1.00 to 4.00', '0.50', '50', '0.50', '0.50', '0.50'])
  expect(broken.slice(0, 2)).toEqual(['broken', 'it broke'])
})
