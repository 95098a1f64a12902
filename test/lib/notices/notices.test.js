'use strict'

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { NOTICES, notice, publicNotice } = require('../../../lib/notices')

const LIB = join(__dirname, '..', '..', '..', 'lib')
const codes = Object.keys(NOTICES)

test('every code is used', () => {
  const sources = readdirSync(LIB, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js') && !name.startsWith('notices'))
    .map(name => readFileSync(join(LIB, name), 'utf8'))
  expect(codes.filter(code => !sources.some(text => text.includes(`'${code}'`)))).toEqual([])
})

test('users see the code and the sentence of a notice, and no facts', () => {
  const { type, code, message, ...inner } = notice('READING_BACK', { secret: 1 })
  expect(inner).toEqual({ facts: { secret: 1 } })
  expect(publicNotice({ type, code, message, ...inner })).toEqual({ type, code, message })
})

test.each(['1 container', '16 containers'])('a platform that runs %s', words => {
  const facts = { containers: Number.parseInt(words, 10), memoryBytes: 256 * 1024 ** 2 }
  expect(notice('PLATFORM_POOL', facts).message).toContain(`about ${words} at a time`)
})
