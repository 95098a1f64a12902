'use strict'

const { readSettings } = require('../../../lib/job/open')

test('what exists is left by the condition of each write, for somebody may be quicker', () => {
  expect(readSettings({ ignoreExisting: true }, { prefixes: true }).condition).toEqual({ ifNoneMatch: true })
  expect(readSettings({}, { prefixes: true }).condition).toEqual({})
})

test('nobody changes what was asked for', () => {
  const settings = readSettings({}, { prefixes: false })
  expect(() => {
    settings.retries = 1
  }).toThrow(TypeError)
})
