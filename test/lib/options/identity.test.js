'use strict'

const { differingOptions } = require('../../../lib/options')

/** @param {object} [select] @param {object} [others] */
const job = (select = {}, others = {}) => ({ recursive: 'copy', select, ...others })

test.each([
  ['nothing', job(), job()],
  ['a default that is named', job(), job({ ignoreExisting: false }, { verify: 'auto' })],
  ['how to copy', job({}, { concurrency: 5, chunk: '8M' }), job({ failures: '/f' }, { retries: 1 })],
  [
    'the path of a file of names',
    job({ filesFrom: '/a', namesDigest: 'x' }),
    job({ filesFrom: '/b', namesDigest: 'x' }),
  ],
  ['jobs of one object', { verify: 'full' }, { verify: 'none' }],
])('the same job: %s', (_, begun, asked) => {
  expect(differingOptions(begun, asked)).toEqual([])
})

test.each([
  [['--verify'], job(), job({}, { verify: 'full' })],
  [['--verify'], job({}, { verify: 'full' }), job()],
  [['xfer sync', '--delete'], job({ delete: true }, { recursive: 'sync' }), job()],
  [['--include', '--exclude'], job({ filters: [{ exclude: '*' }] }), job({ filters: [{ exclude: 'a' }] })],
  [
    ['--include', '--exclude'],
    job({ filters: [{ exclude: '*' }, { include: 'a' }] }),
    job({ filters: [{ include: 'a' }, { exclude: '*' }] }),
  ],
  [['--newer-than'], job({ newerThan: '7d' }), job({ newerThan: '8d' })],
  [['--files-from'], job(), job({ filesFrom: '/a', namesDigest: 'x' })],
  [['--files-from'], job({ filesFrom: '/a', namesDigest: 'x' }), job({ filesFrom: '/a', namesDigest: 'y' })],
  // Standard input, and the journal of an older version.
  [['--files-from'], job({ filesFrom: '-' }), job({ filesFrom: '-' })],
  [['--files-from'], job({ filesFrom: '/a' }), job({ filesFrom: '/a', namesDigest: 'x' })],
  [['--ignore-existing'], job(), job({ ignoreExisting: true })],
])('another job, by %j', (differing, begun, asked) => {
  expect(differingOptions(begun, asked)).toEqual(differing)
})
