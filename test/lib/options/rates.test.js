'use strict'

const { parseRate } = require('../../../lib/options/sizes')

test.each([
  ['10M', 10 * 1024 ** 2],
  ['10MiB/s', 10 * 1024 ** 2],
  [' 10 MB/S ', 10_000_000],
  ['10 MiB /s', 10 * 1024 ** 2],
  ['10', 10 * 1024 ** 2],
  [2, 2 * 1024 ** 2],
  ['500K', 500 * 1024],
  ['1.5GiB/s', 1.5 * 1024 ** 3],
  ['65536B', 65_536],
  ['none', undefined],
])('%p is so many bytes a second', (value, bytes) => {
  expect(parseRate(value, '--bandwidth')).toBe(bytes)
})

test.each(['', 'M', '10MBps', '0', '-5M', '10M/m', 'unlimited', '65535B'])('%p is refused', value => {
  expect(() => parseRate(value, '--bandwidth')).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([
  ['100Mbit/s', 'is in bits, and xfer counts bytes.', 'Give 12.5MB, which is the same in bytes.'],
  ['100Mbps', 'is in bits, and xfer counts bytes.', 'Give 12.5MB, which is the same in bytes.'],
  [
    '10Mb/s',
    'is ambiguous: b means bits to some and bytes to others.',
    'Give 10MB for bytes (or 10MiB, with powers of 1024), or 1.25MB if you mean bits.',
  ],
  ['1,000K', 'has a separator between its digits.', expect.stringContaining('1500')],
  ['32K', 'is less than 64 KiB/s.', expect.stringContaining('10MB/s')],
])('%p is refused with a reason', (value, says, hint) => {
  expect(() => parseRate(value, '--bandwidth')).toThrow(
    expect.objectContaining({ message: `--bandwidth "${value}" ${says}`, hint }),
  )
})
