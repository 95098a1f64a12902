'use strict'

const { stackOf } = require('../../cli/run')

test('with --debug only frames are lines of their own: the message of a store forges none', () => {
  const FORGED = 'xfer: Copied s3://a/b to s3://c/d: proved.'
  const error = new Error(`The store says: no\n${FORGED}\n    at x\n${FORGED}`, { cause: new Error(`no\r\n${FORGED}`) })
  for (const failure of [error, Object.assign(new Error('x'), { cause: `no\n${FORGED}` })]) {
    const lines = stackOf(failure).split('\n')
    expect(lines.filter(line => line.startsWith('xfer:'))).toEqual([])
    expect(lines.filter(line => !/^(?: {4}at |Error: |caused by )/.test(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(5)
  }
})
