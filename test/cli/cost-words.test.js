'use strict'

/** The sentence of what a copy cost. */

const { costLines } = require('../../cli/reporters/cost-words')
const { XferError } = require('../../lib')

const line = { what: 'PUT at S3', count: 1, unit: 'request', price: 1, source: 's', date: '2026-11' }
const costOf = (amount, unknown = []) => ({
  cost: { lines: amount === undefined ? [] : [{ ...line, amount }], total: amount ?? 0, unknown, notes: [] },
})

test.each([
  [13.001, '$13.00'],
  [0.0039951234, '$0.003995'],
  [0.0000002, '$0.0000002'],
  [0, '$0.00'],
])('%d dollars', (amount, text) => {
  expect(costLines(costOf(amount))).toEqual([`Cost: about ${text} by list prices of 2026-11.`])
})

test.each([true, undefined])('where nothing has a known price it is not told as 0', dryRun => {
  const lines = costLines({ ...costOf(undefined, ['PUT at host']), dryRun })
  expect(lines).toEqual(['Cost: unknown.', 'No price known for: PUT at host.'])
})

test('a plan of less than a cent is refused with its amount', () => {
  const { message } = new XferError('TOO_EXPENSIVE', { total: 0.0000002, most: 0, unknown: [] })
  expect(message).toContain('about $0.0000002 by list prices, more than --max-cost 0.')
})
