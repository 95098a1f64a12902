'use strict'

const { readSettings } = require('../../../lib/job/open')

test('existing objects are protected by a condition on each write, because another writer may be faster', () => {
  expect(readSettings({ ignoreExisting: true }, { prefixes: true }).condition).toEqual({ ifNoneMatch: true })
  expect(readSettings({}, { prefixes: true }).condition).toEqual({})
})

test('the given options are never changed', () => {
  const settings = readSettings({}, { prefixes: false })
  expect(() => {
    settings.retries = 1
  }).toThrow(TypeError)
})
