'use strict'

/** The same suites with requests that travel over Node's own HTTP: the oracle. */

const http = require('node:http')

jest.mock('../../actions/copy-range/transport/socket', () => require('./http-transport'))

const { closeConnections, main } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, someBytes } = require('./stores')

describe.each([
  'access',
  'connections',
  'copy',
  'headers',
  'least-pace',
  'limits',
  'overlap',
  'paced',
  'proxy',
  'read',
  'write',
])('%s', suite => {
  require(`./${suite}.test.js`)
})

afterEach(closeConnections)
afterEach(closeStores)

test('do travel that way', async () => {
  const request = jest.spyOn(http, 'request')
  const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
  await main({ ...S3, tasks: [makeTask(source, sink, { bytes: 10 })] })
  expect(request).toHaveBeenCalledTimes(2)
  expect(sink.writes).toHaveLength(1)
})
