'use strict'

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { NOTICES, identityOf, notice, publicNotice } = require('../../../lib/notices')

const LIB = join(__dirname, '..', '..', '..', 'lib')
const codes = Object.keys(NOTICES)

test('every code is used', () => {
  const sources = readdirSync(LIB, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js') && !name.startsWith('notices'))
    .map(name => readFileSync(join(LIB, name), 'utf8'))
  expect(codes.filter(code => !sources.some(text => text.includes(`'${code}'`)))).toEqual([])
})

test('a notice is the same as another by its code and its facts, wherever it is', () => {
  const at = (location, bytes) => notice('READING_BACK', { location, bytes })
  expect(identityOf(at('a', 1))).toBe(identityOf(at('a', 1)))
  expect(identityOf(at('a', 1))).not.toBe(identityOf(at('b', 1)))
  expect(identityOf(at('a', 1), { anywhere: true })).toBe(identityOf(at('b', 1), { anywhere: true }))
  expect(identityOf(at('a', 1), { anywhere: true })).not.toBe(identityOf(at('a', 2), { anywhere: true }))
  expect(identityOf(notice('READING_SOURCE'))).not.toBe(identityOf(notice('READING_BACK')))
})

test('users see the code and the sentence of a notice, and no facts', () => {
  const { type, code, message, ...inner } = notice('READING_BACK', { secret: 1 })
  expect(inner).toEqual({ facts: { secret: 1 } })
  expect(publicNotice({ type, code, message, ...inner })).toEqual({ type, code, message })
})
