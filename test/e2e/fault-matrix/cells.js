'use strict'

/** From a row to its copies: with which engine, how often, and when. */

const { randomOf } = require('../../../sandbox/store/faults')
const { seededRandom } = require('../../../sandbox/common/call-faults')

/** @typedef {import('../fault-matrix').Row} Row */
/** @typedef {import('../fault-matrix').Cell} Cell */

const PARTS = 5
const SHARES = [0.05, 0.3]
/** The ways a copy goes. @type {Pick<Cell, 'engine' | 'route'>[]} */
const WAYS = [
  { engine: 'local', route: 'multipart' },
  { engine: 'openwhisk', route: 'multipart' },
  { engine: 'local', route: 'put' },
]

/** The store's requests that a copy must not fail at, by route; the first that the row means something to is taken. */
const STORE_MOMENTS = {
  multipart: [
    ['first request', [{}]],
    ['the creation', [{ operation: 'CreateMultipartUpload' }]],
    [
      'last part',
      [
        { operation: 'UploadPart', partNumber: PARTS },
        { operation: 'GetObject', key: 'source', nth: PARTS },
      ],
    ],
    ['completion', [{ operation: 'CompleteMultipartUpload' }]],
  ],
  put: [
    ['first request', [{}]],
    ['the write', [{ operation: 'PutObject' }]],
    ['the read', [{ operation: 'GetObject', key: 'source' }]],
  ],
}

/** @param {number} share @param {string} text */
const percent = share => `${share * 100} %`

/**
 * A seed, after the given one, whose dice strike within the first throws: of a fault that strikes nothing a share says nothing.
 *
 * @param {(seed: number) => () => number} dice
 * @param {{ share: number, from: number, within: number }} how within: so many requests every copy makes
 */
function strikingSeed(dice, { share, from, within }) {
  for (let seed = from; ; seed++) {
    const random = dice(seed)
    if (Array.from({ length: within }, random).some(value => value < share)) return seed
  }
}

/** @param {string} text @returns {number} the same every time */
function numberOf(text) {
  return [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7)
}

/** @param {Row} row @returns {Cell[]} */
function cellsOf(row) {
  return row.of === 'store' ? WAYS.flatMap(way => storeCells(row, way)) : platformCells(row, WAYS[1])
}

/** @param {Row} row @param {Pick<Cell, 'engine' | 'route'>} way @returns {Cell[]} */
function storeCells(row, way) {
  const { meets } = row
  // The other route's operations never come.
  const own = meets?.filter(name => (way.route === 'put' ? isOfPut(name) : name !== 'PutObject'))
  if (own?.length === 0) return []
  const shares = (row.onlyOnce ? [] : SHARES).map(share => {
    const from = numberOf(row.it + way.engine + way.route)
    const seed = strikingSeed(randomOf, { share, from, within: certainOf(row, way, own) })
    return cellOf(row, way, percent(share), [{ operation: own, probability: share, seed, ...row.rule }])
  })
  if (row.reads !== undefined) {
    const last = { operation: 'GetObject', key: 'source', nth: way.route === 'put' ? 1 : row.reads }
    return [...shares, cellOf(row, way, 'last read', [{ ...last, ...row.rule }])]
  }
  const moments = STORE_MOMENTS[way.route].flatMap(([moment, targets]) => {
    const target = targets.find(({ operation }) => !own || (operation && own.includes(operation)))
    return target ? [cellOf(row, way, moment, [{ nth: 1, ...target, ...row.rule }])] : []
  })
  return [...shares, ...moments]
}

/**
 * How many requests that are meant every copy makes.
 *
 * @param {Row} row
 * @param {Pick<Cell, 'engine' | 'route'>} way
 * @param {string[] | undefined} own
 */
function certainOf({ reads = PARTS }, { route }, own) {
  if (route === 'put') return own ? 1 : 3
  if (!own) return PARTS
  return own.some(name => name === 'GetObject' || name === 'UploadPart')
    ? reads
    : own.includes('CompleteMultipartUpload') && own.length > 1
      ? 2
      : 1
}

/** @param {string} operation */
function isOfPut(operation) {
  return operation === 'PutObject' || operation === 'GetObject'
}

/** @param {Row} row @param {Pick<Cell, 'engine' | 'route'>} way @returns {Cell[]} */
function platformCells(row, way) {
  const targets = row.meets ?? ['invoke']
  const shares = SHARES.map(share => {
    const rules = targets.map((on, i) => {
      const seed = strikingSeed(seededRandom, {
        share,
        from: numberOf(row.it) + i,
        within: on === 'invoke' ? PARTS : 1,
      })
      return { on, probability: share, seed, ...row.rule }
    })
    return cellOf(row, way, percent(share), rules)
  })
  const first = targets.includes('actions') ? [['first request', { on: 'actions', nth: 1 }]] : []
  const invocations = targets.includes('invoke')
    ? [
        ['first invocation', { on: 'invoke', nth: 1 }],
        ['last part', { on: 'invoke', nth: PARTS }],
      ]
    : []
  const moments = [...first, ...invocations].map(([moment, when]) =>
    cellOf(row, way, moment, [{ ...when, ...row.rule }]),
  )
  return [...shares, ...moments]
}

/**
 * @param {Row} row
 * @param {Pick<Cell, 'engine' | 'route'>} way
 * @param {string} moment
 * @param {Record<string, unknown>[]} rules
 * @returns {Cell}
 */
function cellOf(row, way, moment, rules) {
  const name = `${row.of}: ${row.it} · ${moment} · ${way.route === 'put' ? 'one PUT' : way.engine}`
  const cell = { row, ...way, moment, rules: rules.map(defined), stops: {}, mayCopy: true, name }
  const often = moment.endsWith('%')
  const once = typeof row.once === 'function' ? row.once(cell) : (row.once ?? {})
  const stops = row.always ?? (often ? { ...once, ...row.many } : once)
  return { ...cell, stops, mayCopy: !row.always && (often || Object.keys(stops).length === 0) }
}

/** @param {Record<string, unknown>} rule what is undefined in it stands for nothing */
function defined(rule) {
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))
}

/**
 * One copy of each row, another way and another moment from row to row.
 *
 * @param {Row[]} rows
 * @param {Cell[]} cells
 */
function sliceOf(rows, cells) {
  return rows
    .filter(row => !row.slow)
    .map((row, i) => {
      const own = cells.filter(cell => cell.row === row)
      return own[(i * 4 + 2) % own.length]
    })
}

module.exports = { cellsOf, sliceOf, PARTS }
