'use strict'

/** A short kill soak; `npm run soak` has the long one. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { drawRun } = require('../soak/draw')

const RUNS = 5
const SEED = 3
const LONGEST_MS = 600_000

test(
  `${RUNS} copies that are killed at random moments (seed ${SEED}) end byte-identical, with nothing left over`,
  async () => {
    const args = [join(__dirname, '..', 'soak', 'index.js'), '--runs', String(RUNS), '--seed', String(SEED)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text
    })
    const [status] = await once(child, 'close')
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining(`${RUNS} of ${RUNS} byte-identical, nothing left over`),
    })
    expect(stdout).toMatch(/Killed: [1-9]\d* cli/)
  },
  LONGEST_MS,
)

test('what happens in a run is drawn from the seed and its number alone', () => {
  expect(drawRun(7, 3)).toEqual(drawRun(7, 3))
  expect(drawRun(7, 3)).not.toEqual(drawRun(7, 4))
  expect(drawRun(7, 3)).not.toEqual(drawRun(8, 3))
  const victims = Array.from({ length: 200 }, (_, i) => drawRun(1, i + 1).kills).flat()
  expect(new Set(victims.map(({ victim }) => victim))).toEqual(
    new Set(['cli', 'source', 'destination', 'platform', 'container']),
  )
})
