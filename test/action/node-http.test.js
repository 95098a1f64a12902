'use strict'

/** The same suites with requests that travel over Node's own HTTP: the reference, and the way out. */

const http = require('node:http')

jest.mock('../../actions/copy-range', () => {
  const action = jest.requireActual('../../actions/copy-range')
  return { ...action, main: (params, how) => action.main({ transport: 'http', ...params }, how) }
})

const { closeConnections, main } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, someBytes } = require('./stores')

describe.each(['access', 'connections', 'copy', 'headers', 'limits', 'overlap', 'paced', 'proxy', 'read', 'write'])(
  '%s',
  suite => {
    require(`./${suite}.test.js`)
  },
)

afterEach(closeConnections)
afterEach(closeStores)

test('do travel that way', async () => {
  const request = jest.spyOn(http, 'request')
  const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
  await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10 })] })
  expect(request).toHaveBeenCalledTimes(2)
  request.mockClear()
  await main({ ...S3, transport: 'socket', tasks: [makeTask(source, sink, { bytes: 10 })] })
  expect(request).not.toHaveBeenCalled()
  expect(sink.writes).toHaveLength(2)
})
