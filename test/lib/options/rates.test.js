'use strict'

const { parseRate } = require('../../../lib/options/rates')

test.each([
  ['10M', 10 * 1024 ** 2],
  ['10MiB/s', 10 * 1024 ** 2],
  [' 10 MB/S ', 10 * 1024 ** 2],
  ['10', 10 * 1024 ** 2],
  [2, 2 * 1024 ** 2],
  ['500K', 500 * 1024],
  ['1.5GiB/s', 1.5 * 1024 ** 3],
  ['65536B', 65_536],
  ['none', undefined],
])('%p is so many bytes a second', (value, bytes) => {
  expect(parseRate(value, '--bandwidth')).toBe(bytes)
})

test.each(['', 'M', '10Mbit/s', '10Mbps', '0', '-5M', '10M/m', 'unlimited', '65535B'])('%p is refused', value => {
  expect(() => parseRate(value, '--bandwidth')).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
