'use strict'

/** Each fault of the sandbox comes to what the matrix says of it: a slice, or all of it with XFER_FAULTS=all. */

const store = require('../../sandbox/store/faults')
const platform = require('../../sandbox/platform/faults')
const { expectEvents } = require('../support/copies')
const { CELLS, ROWS, SLICE } = require('./fault-matrix')
const { complaintOf } = require('./fault-matrix/judge')
const { runCells } = require('./fault-matrix/run')

const WHOLE = process.env.XFER_FAULTS === 'all'
/** The whole waits for a completion that is not answered for a quarter of an hour. */
const LONGEST_MS = WHOLE ? 3_600_000 : 300_000

/** @param {Record<string, string>} fields @param {string} kind */
const namesOf = (fields, kind) => Object.keys(fields).filter(name => fields[name] === kind)

describe('the matrix', () => {
  it.each([
    ['store', store.FIELDS],
    ['platform', platform.FIELDS],
  ])('has a row for every fault of the %s, and uses all that a fault can be told', (of, fields) => {
    const rows = ROWS.filter(row => row.of === of)
    expect(rows.map(({ fault }) => fault).filter(fault => fields[fault] !== 'what')).toEqual([])
    const shown = new Set(rows.map(({ fault }) => fault))
    expect(namesOf(fields, 'what').filter(name => !shown.has(name))).toEqual([])
    for (const { fault, rule } of rows) expect(Object.keys(rule)).toContain(fault)
    const told = new Set(rows.flatMap(({ rule }) => Object.keys(rule)))
    expect(namesOf(fields, 'how').filter(name => !told.has(name))).toEqual([])
  })

  it('has both shares of every row, and a moment', () => {
    for (const row of ROWS) {
      const moments = CELLS.filter(cell => cell.row === row).map(({ moment }) => moment)
      expect(moments).toEqual(expect.arrayContaining(row.onlyOnce ? [] : ['5 %', '30 %']))
      expect(moments.filter(moment => !moment.endsWith('%'))).not.toEqual([])
    }
    expect(new Set(CELLS.map(({ name }) => name)).size).toBe(CELLS.length)
  })

  it('shows every row that is not slow in its slice', () => {
    expect(new Set(SLICE.map(({ row }) => row))).toEqual(new Set(ROWS.filter(row => !row.slow)))
  })
})

describe('a copy that meets', () => {
  const cells = WHOLE ? CELLS : SLICE
  /** @type {Awaited<ReturnType<typeof runCells>>} */
  let run
  beforeAll(async () => {
    run = await runCells(cells)
  }, LONGEST_MS)
  afterAll(() => run?.close(), LONGEST_MS)

  it.each(cells.map((cell, i) => [cell.name, i]))(
    '%s',
    async (_, i) => {
      const result = await run.results[i]
      expect(complaintOf(result)).toBeUndefined()
      expectEvents(result.run, { env: result.env })
    },
    LONGEST_MS,
  )
})
