'use strict'

/** A short walk through the zoo; `npm run zoo` has the long one. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { MODES } = require('../../sandbox/store/modes')
const { PEERS } = require('../../sandbox/peers')
const { drawRun } = require('../zoo/draw')

const LONGEST_MS = 600_000
/** Which pair a run is between depends on all of them. */
const OTHERS = Object.values(PEERS).every(start => start !== undefined)

/** @param {string[]} args @returns {Promise<{ status: number, stdout: string }>} */
async function walk(args) {
  const zoo = [join(__dirname, '..', 'zoo', 'index.js'), ...args]
  const child = spawn(process.execPath, zoo, { stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  const [status] = await once(child, 'close')
  return { status, stdout }
}

test.each([
  { what: 'stores of all modes', args: [], runs: 12, seed: 12 },
  ...(OTHERS ? [{ what: 'servers of other make', args: ['--servers'], runs: 5, seed: 34 }] : []),
])(
  '$runs commands between $what (seed $seed) end right, or say what is there',
  async ({ args, runs, seed }) => {
    expect(await walk([...args, '--runs', String(runs), '--seed', String(seed)])).toEqual({
      status: 0,
      stdout: expect.stringContaining(`${runs} of ${runs} right`),
    })
  },
  LONGEST_MS,
)

test('what happens in a run is drawn from the seed and its number alone', () => {
  expect(drawRun(7, 3)).toEqual(drawRun(7, 3))
  expect(drawRun(7, 3)).not.toEqual(drawRun(7, 4))
  expect(drawRun(7, 3)).not.toEqual(drawRun(8, 3))
})

test('five hundred runs have all commands, all modes on each side, and a flip in every fifth', () => {
  const scripts = Array.from({ length: 500 }, (_, i) => drawRun(1, i + 1))
  const all = of => new Set(scripts.map(of))
  expect(all(({ command, deletes }) => `${command} ${deletes}`)).toEqual(
    new Set(['copy false', 'copy -r false', 'sync false', 'sync true', 'verify false']),
  )
  expect(all(({ verify }) => verify)).toEqual(new Set(['auto', 'full', 'size', 'none']))
  for (const side of ['source', 'destination']) {
    const fitting = MODES.filter(mode => mode.side === side || mode.side === 'both').map(({ name }) => name)
    expect(new Set(scripts.flatMap(script => script[side].modes))).toEqual(new Set(fitting))
  }
  const flips = scripts.filter(({ source, destination }) =>
    [...source.rules, ...destination.rules].some(({ flipByteAt }) => flipByteAt !== undefined),
  )
  expect(flips.length).toBeGreaterThan(scripts.length / 5)
})
