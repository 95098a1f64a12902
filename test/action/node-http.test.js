'use strict'

/** The same suites with requests that travel over Node's own HTTP: the reference, and the way out. */

jest.mock('../../actions/copy-range', () => {
  const action = jest.requireActual('../../actions/copy-range')
  return { ...action, main: (params, how) => action.main({ transport: 'http', ...params }, how) }
})

describe.each(['access', 'connections', 'copy', 'limits', 'overlap', 'paced', 'proxy', 'read', 'write'])(
  '%s',
  suite => {
    require(`./${suite}.test.js`)
  },
)
