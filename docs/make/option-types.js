'use strict'

/** lib/types/options.d.ts: the library's options as TypeScript has them. */

const { defaultTextOf, helpOf, optionsOf, sideOptions, valueTypeOf } = require('../../lib/options')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */
/** @typedef {import('../../lib/options/contract').Command} Command */

/** By kind of value; texts are read as on the command line. @type {Partial<Record<import('../../lib/options/contract').ValueType, string>>} */
const SHAPES = {
  switch: 'boolean',
  text: 'string',
  file: 'string',
  limits: 'string',
  hosts: 'string | string[]',
  filter: 'Array<{ include: string } | { exclude: string }>',
  pairs: 'Record<string, string> | string[]',
}

/** What a number means. @type {Partial<Record<import('../../lib/options/contract').ValueType, string>>} */
const NUMBERS = { size: 'a number is MiB', rate: 'a number is MiB a second', duration: 'a number is seconds' }

const HEAD = `/** The options of the library. Made by \`npm run docs\` from the table in lib/options; do not edit. */

import type { XferError } from '../index'
import type { Checked } from './commands'
import type { CleanedUpload } from './jobs'
import type { XferEvent } from './public'
import type { VerifyEvent } from './verify'
`

/** @param {OptionSpec} spec @param {Command} [command] */
function shapeOf(spec, command) {
  const shape = (command && spec.shapeOf?.[command]) ?? spec.shape
  const choices = spec.choices?.map(choice => `'${choice}'`).join(' | ')
  const type = valueTypeOf(spec)
  // A number without a unit is refused.
  const unitless = type === 'date' || (type === 'duration' && spec.unit === undefined)
  return shape ?? choices ?? SHAPES[type] ?? (unitless ? 'string' : 'string | number')
}

/** What the rows of one name say, on one line. @param {OptionSpec[]} specs @param {Command} [command] */
function docOf(specs, command) {
  const [spec] = specs
  const texts = specs.map(one => {
    const help = helpOf(one, { command, side: /** @type {any} */ (one.sides?.join(' or ')) })
    return String(one.flag).startsWith('--no-') ? `\`false\`: ${help}` : help
  })
  const type = valueTypeOf(spec)
  const number = type === 'duration' && spec.unit === undefined ? undefined : NUMBERS[type]
  const text = defaultTextOf(specs[specs.length - 1])
  const more = [...(number ? [number] : []), ...(text ? [`default: ${text}`] : [])].join('; ')
  return `${texts.join('; or: ')}${more && ` (${more})`}`.replaceAll('*/', '*\\/')
}

/** @param {string} name @param {OptionSpec[]} specs @param {Command} [command] */
function interfaceOf(name, specs, command) {
  const names = [...new Set(specs.map(spec => spec.name))]
  const fields = names.map(field => {
    const own = specs.filter(spec => spec.name === field)
    return `  /** ${docOf(own, command)} */\n  ${field}?: ${shapeOf(own[0], command)}\n`
  })
  return `\nexport interface ${name} {\n${fields.join('')}}\n`
}

/** @returns {string} the file */
function optionTypes() {
  const copy = optionsOf('copy')
  const attributes = copy.filter(({ group }) => group === 'attributes')
  /** @param {string} name @param {string} base @param {OptionSpec[]} specs */
  const extended = (name, base, specs) =>
    interfaceOf(
      `${name} extends ${base}`,
      specs.filter(spec => !copy.includes(spec)),
    )
  return [
    HEAD,
    interfaceOf('SideOptions', sideOptions()),
    interfaceOf('AttributeOptions', attributes),
    interfaceOf(
      'CopyOptions extends AttributeOptions',
      copy.filter(spec => !attributes.includes(spec)),
    ),
    extended('PrefixOptions', 'CopyOptions', optionsOf('copyPrefix')),
    extended('ResumeOptions', 'CopyOptions', optionsOf('resume')),
    interfaceOf('VerifyOptions', optionsOf('verify'), 'verify'),
    interfaceOf('JobsOptions', optionsOf('jobs'), 'jobs'),
    interfaceOf('AbortOptions', optionsOf('abortJob'), 'abort'),
    interfaceOf('CleanOptions', optionsOf('clean'), 'clean'),
    interfaceOf('DeployOptions', optionsOf('deploy'), 'deploy'),
    interfaceOf('DoctorOptions', optionsOf('doctor'), 'doctor'),
  ].join('')
}

module.exports = { optionTypes }
