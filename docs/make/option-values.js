'use strict'

/** lib/options/values.d.ts: what the library's own code gets when it reads an option. */

const { OPTIONS, commandsOf } = require('../../lib/options')
const { UNFORMATTED, inLines } = require('./note')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */

/** By kind of value, of those that are read: lib/options/read.js. @type {Partial<Record<import('../../lib/options/contract').Kind, string>>} */
const SHAPES = {
  count: 'number',
  size: 'number',
  rate: 'number',
  duration: 'number',
  date: 'number',
  share: '{ count: number } | { percent: number }',
  hosts: 'string[]',
}

const HEAD = `/** The values of options, once read. Made by \`npm run docs\` from the table in lib/options; do not edit. */
${UNFORMATTED}
/** What has the same values with each command. Sizes are bytes, durations milliseconds, dates milliseconds since the epoch. */
interface SharedValues {
`

/** @param {OptionSpec} spec @returns {string | undefined} undefined: it is not read, but taken as it is */
function shapeOf(spec) {
  const { kind, choices, words } = spec.takes
  const shape = kind === 'choice' ? wordsOf(choices) : SHAPES[kind]
  if (shape === undefined) return undefined
  // Without a limit a rate is undefined, too.
  const absent = spec.default.value === undefined || kind === 'rate' ? ['undefined'] : []
  return [shape, ...(words ? [wordsOf(words)] : []), ...absent].join(' | ')
}

/** @param {readonly string[]} [words] */
function wordsOf(words = []) {
  return words.map(word => `'${word}'`).join(' | ')
}

/** @returns {string} the file */
function optionValues() {
  const commands = [...new Set(OPTIONS.flatMap(spec => commandsOf(spec)))]
  const read = commands.flatMap(command =>
    OPTIONS.filter(spec => commandsOf(spec).includes(command)).flatMap(spec => {
      const shape = shapeOf(spec)
      return shape ? [{ command, name: spec.name, field: `${spec.name}: ${shape};` }] : []
    }),
  )
  const shared = [...new Set(read.map(({ field }) => field))].filter(field =>
    read.every(one => one.field === field || one.name !== field.slice(0, field.indexOf(':'))),
  )
  const sections = commands.map(command => {
    const own = read.filter(one => one.command === command && !shared.includes(one.field))
    return inLines([
      `${command}: SharedValues`,
      ...(own.length > 0 ? ['& {', ...own.map(({ field }) => field), '}'] : []),
    ])
  })
  const types = `}\n\n/** By command, and by name. */\nexport interface OptionValues {\n${sections.join('')}}\n`
  return HEAD + inLines(shared) + types
}

module.exports = { optionValues }
