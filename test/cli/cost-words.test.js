'use strict'

/** The sentence of what a copy cost. */

const { costLines } = require('../../cli/reporters/cost-words')
const { XferError } = require('../../lib')

const line = { what: 'PUT at S3', count: 1, unit: 'request', price: 1, source: 's', date: '2026-11' }
const costOf = (amount, unknown = []) => ({
  cost: { lines: amount === undefined ? [] : [{ ...line, amount }], total: amount ?? 0, unknown, notes: [] },
})

test.each([
  [13.001, 'about $13.00'],
  [0.01, 'about $0.01'],
  [0.0099, 'under a cent'],
  [0.0000002, 'under a cent'],
  [0, 'about $0.00'],
])('%d dollars', (amount, text) => {
  expect(costLines(costOf(amount))).toEqual([`Cost: ${text} by list prices of 2026-11.`])
})

test.each([
  [0.00003, 'million requests', '30 requests     at $1 a million'],
  [0.001, 'thousand requests', '1 request       at $1 a thousand'],
  [9987, 'request', '9,987 requests  at $1 each'],
  [0.00003, 'GB', '0.00003 GB      at $1 a GB'],
  [1099.51, 'GB', '1,099.5 GB      at $1 a GB'],
])('a plan counts %d %s plainly', (count, unit, text) => {
  const other = { ...line, count: 9987, amount: 0 }
  const lines = [{ ...line, count, unit, amount: 0.001 }, other]
  const rows = costLines({ cost: { ...costOf(0.001).cost, lines }, dryRun: true })
  expect(rows[1].replace(/ +=/, ' =')).toBe(`  PUT at S3  ${text} = under a cent`)
  expect(rows[3]).toBe('  Total: under a cent')
})

test.each([true, undefined])('where nothing has a known price it is not told as 0', dryRun => {
  const lines = ['Cost: unknown.', 'No price known for: PUT at host.']
  expect(costLines({ ...costOf(undefined, ['PUT at host']), dryRun })).toEqual(lines)
})

test('a plan of less than a cent is refused with its amount', () => {
  const { message } = new XferError('TOO_EXPENSIVE', { total: 0.0000002, most: 0, unknown: [] })
  expect(message).toContain('about $0.0000002 by list prices, more than --max-cost 0.')
})
