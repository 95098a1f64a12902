'use strict'

const { MTIME_IN_RFC_3339, MTIME_IN_SECONDS } = require('../../../lib/stores').mtime

test.each([
  ['0', '1970-01-01T00:00:00Z'],
  ['1492697123', '2017-04-20T14:05:23Z'],
  ['1354040105.123456789', '2012-11-27T18:15:05.123456789Z'],
  ['-12.5', '1969-12-31T23:59:47.5Z'],
  ['1.05', '1970-01-01T00:00:01.05Z'],
])('%s s since the epoch are %s, and the other way round', (seconds, mtime) => {
  expect(MTIME_IN_RFC_3339.write(seconds)).toEqual({ mtime })
  expect(MTIME_IN_RFC_3339.read({ mtime })).toBe(seconds)
})

test('a date of another zone is the same moment', () => {
  expect(MTIME_IN_RFC_3339.read({ mtime: '1970-01-01T02:00:01.5+02:00' })).toBe('1.5')
})

test.each([
  {},
  { mtime: '1492697123' },
  { mtime: 'yesterday' },
  { mtime: '2017-04-20' },
  { mtime: '2017-13-20T00:00:00Z' },
])('there is no date in %j', user => expect(MTIME_IN_RFC_3339.read(user)).toBeUndefined())

test('seconds of a year without four digits are no date', () => {
  expect(MTIME_IN_RFC_3339.write('-99999999999')).toEqual({})
  expect(MTIME_IN_RFC_3339.write('5e3')).toEqual({})
})

test.each([{}, { mtime: '2017-04-20T14:05:23Z' }, { mtime: '' }])('there are no seconds in %j', user => {
  expect(MTIME_IN_SECONDS.read(user)).toBeUndefined()
})
