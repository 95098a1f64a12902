'use strict'

/** The table of a platform's faults holds. */

const { PARTS, runRows } = require('./platform-faults/run')
const { expectEvents } = require('../support/copies')

const LONGEST_MS = 600_000
/** @type {import('./platform-faults/run').Row[]} */
const ROWS = ['openwhisk', 'workers'].flatMap(name => require(`./platform-faults/${name}`))

/** @type {Awaited<ReturnType<typeof runRows>>} */
let run
beforeAll(async () => {
  run = await runRows(ROWS)
})
afterAll(() => run?.close(), LONGEST_MS)

test.each(ROWS.map((row, i) => [row.it, row, i]))(
  '%s',
  async (_, row, i) => {
    const { run: ended, env, last, met, retries, throttles, written, uploads, sum } = await run.results[i]
    expectEvents(ended, { env })
    expect(uploads).toEqual([])
    expect({ status: ended.status, code: last.code }).toEqual({ status: row.exit, code: row.code })
    if (row.says) expect(last.message).toMatch(row.says)
    if (row.advises) expect(last.hint).toContain(row.advises)
    if (row.exit === 0) expect(last.proof).toContain('store-crc32')
    if (row.met) expect(met).toEqual(row.met)
    if (row.retries !== undefined) expect(retries).toBe(row.retries)
    expect(throttles).toBeGreaterThanOrEqual(row.throttles ?? 0)
    // What is stopped has left nothing, and what is copied is right.
    expect(sum).toBe(row.exit === 0 ? run.sum : undefined)
    if (row.again !== undefined) expect(written).toBe(PARTS + row.again)
  },
  LONGEST_MS,
)
