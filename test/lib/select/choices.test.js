'use strict'

/**
 * Filters by name, size and time together, as a user gives them. What each case chooses was written down by another program:
 * Python's fnmatch, which the AWS CLI uses, and comparisons of sizes and dates.
 */

const { readSelection } = require('../../../lib/prefix/selection/selection')
const { now, objects, cases } = require('./fixtures/choices.json')

const SOURCES = objects.map(([name, bytes, modified]) => ({
  name,
  source: { key: name, bytes, etag: '"e"', lastModifiedMs: Date.parse(`${modified}Z`) },
}))

test('there are at least 60 cases, each with another choice', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
  expect(new Set(cases.map(([, , chosen]) => JSON.stringify(chosen))).size).toBe(cases.length)
})

test.each(cases)('%j with %j chooses %j', (rules, limits, chosen) => {
  const filters = rules.map(rule => ({ [rule.startsWith('+') ? 'include' : 'exclude']: rule.slice(1) }))
  const { judge } = readSelection({ filters, ...limits }, { now: () => Date.parse(now) })
  expect(SOURCES.filter(pair => judge(pair).action === 'copy').map(({ name }) => name)).toEqual(chosen)
})
