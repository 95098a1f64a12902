'use strict'

const { readSelection } = require('../../../../lib/prefix/selection/selection')

test.each([['--if-match', { ifMatch: '"9b2cf535f27731c974343645a3985328"' }]])('%s is of one object', (_, options) => {
  expect(() => readSelection({ recursive: 'copy', ...options })).toThrow(
    expect.objectContaining({ code: 'USAGE', exitCode: 2 }),
  )
  expect(() => readSelection({ recursive: 'copy', clobber: true })).not.toThrow()
})
