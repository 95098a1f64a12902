'use strict'

/** lib/options/values.d.ts: what the library's own code gets when it reads an option. */

const { OPTIONS, commandsOf, valueTypeOf } = require('../../lib/options')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */

/** By kind of value, of those that are read: lib/options/read.js. @type {Partial<Record<import('../../lib/options/contract').ValueType, string>>} */
const SHAPES = {
  count: 'number',
  size: 'number',
  rate: 'number',
  duration: 'number',
  date: 'number',
  share: '{ count: number } | { percent: number }',
  hosts: 'string[]',
  limits: 'Partial<EngineLimits>',
}

const HEAD = `/** The values of options, once read. Made by \`npm run docs\` from the table in lib/options; do not edit. */

import type { EngineLimits } from '../types'

/** By command, and by name. Sizes are bytes, durations milliseconds, dates milliseconds since the epoch. */
export interface OptionValues {
`

/** @param {OptionSpec} spec @returns {string | undefined} undefined: it is not read, but taken as it is */
function shapeOf(spec) {
  const type = valueTypeOf(spec)
  const shape = type === 'choice' ? wordsOf(spec.choices) : SHAPES[type]
  if (shape === undefined) return undefined
  // Without a limit a rate is undefined, too.
  const absent = spec.default === undefined || type === 'rate' ? ['undefined'] : []
  return [shape, ...(spec.words ? [wordsOf(spec.words)] : []), ...absent].join(' | ')
}

/** @param {readonly string[]} [words] */
function wordsOf(words = []) {
  return words.map(word => `'${word}'`).join(' | ')
}

/** @returns {string} the file */
function optionValues() {
  const commands = [...new Set(OPTIONS.flatMap(spec => commandsOf(spec)))]
  const sections = commands.flatMap(command => {
    const fields = OPTIONS.filter(spec => commandsOf(spec).includes(command)).flatMap(spec => {
      const shape = shapeOf(spec)
      return shape ? [`    ${spec.name}: ${shape}\n`] : []
    })
    return fields.length > 0 ? [`  ${command}: {\n${fields.join('')}  }\n`] : []
  })
  return `${HEAD}${sections.join('')}}\n`
}

module.exports = { optionValues }
