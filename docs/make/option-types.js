'use strict'

/** lib/api/options.d.ts: the library's options as TypeScript has them. */

const { defaultTextOf, helpOf, optionsOf, sideOptions, valueTypeOf } = require('../../lib/options')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */
/** @typedef {import('../../lib/options/contract').Command} Command */
/** @typedef {import('../../lib/options/contract').SideName} SideName */
/** @typedef {Parameters<typeof optionsOf>[0]} Name of a function */
/** @typedef {{ name?: Name, command?: Command, side?: SideName }} Of command: whose words the options are described with */

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

import type { StoreCredentials, StoreCredentialsProvider } from './credentials'
import type { XferError } from './errors'
import type { CopyEvent, PrefixEvent, VerifyEvent } from './events'
import type { Checked, CleanedUpload } from './reports'
`

/** By option: the options of a side. */
const SIDES = /** @type {const} */ ({ source: 'SourceOptions', destination: 'DestinationOptions' })

/** @param {OptionSpec} spec @param {Of} of @returns {string} */
function shapeOf(spec, { name, command }) {
  if (spec.name in SIDES && name) return sideShapeOf(/** @type {SideName} */ (spec.name), name)
  const shape = (command && spec.shapeOf?.[command]) ?? spec.shape
  const choices = spec.choices?.map(choice => `'${choice}'`).join(' | ')
  const type = valueTypeOf(spec)
  // A number without a unit is refused.
  const unitless = type === 'date' || (type === 'duration' && spec.unit === undefined)
  return shape ?? choices ?? SHAPES[type] ?? (unitless ? 'string' : 'string | number')
}

/** The type of `copy`'s side, without what the function does not take. @param {SideName} side @param {Name} name */
function sideShapeOf(side, name) {
  const own = sideOptions(name, side).map(spec => spec.name)
  const without = sideOptions('copy', side).filter(spec => !own.includes(spec.name))
  const names = without.map(spec => `'${spec.name}'`).join(' | ')
  return names ? `Omit<${SIDES[side]}, ${names}>` : SIDES[side]
}

/** What the rows of one name say, on one line. @param {OptionSpec[]} specs @param {Of} of */
function docOf(specs, { command, side }) {
  const [spec] = specs
  const texts = specs.map(one => {
    const help = helpOf(one, { command, side })
    return String(one.flag).startsWith('--no-') ? `\`false\`: ${help}` : help
  })
  const type = valueTypeOf(spec)
  const number = type === 'duration' && spec.unit === undefined ? undefined : NUMBERS[type]
  const text = defaultTextOf(specs[specs.length - 1])
  const more = [...(number ? [number] : []), ...(text ? [`default: ${text}`] : [])].join('; ')
  return `${texts.join('; or: ')}${more && ` (${more})`}`.replaceAll('*/', '*\\/')
}

/** @param {OptionSpec[]} specs @param {Of} of @returns {string[]} a field of an interface for each name */
function fieldsOf(specs, of) {
  const names = [...new Set(specs.map(spec => spec.name))]
  return names.map(field => {
    const own = specs.filter(spec => spec.name === field)
    return `  /** ${docOf(own, of)} */\n  ${field}?: ${shapeOf(own[0], of)}\n`
  })
}

/** @param {string} doc @param {string} heading @param {string[]} fields */
function interfaceOf(doc, heading, fields) {
  return `\n/** ${doc} */\nexport interface ${heading} {\n${fields.join('')}}\n`
}

/** The options of each function, and the command that describes them. @type {Array<[heading: string, name: Name, command: Command]>} */
const FUNCTIONS = [
  ['CopyOptions', 'copy', 'copy'],
  ['PrefixOptions', 'copyPrefix', 'sync'],
  ['ResumeOptions', 'resume', 'resume'],
  ['VerifyOptions', 'verify', 'verify'],
  ['JobsOptions', 'jobs', 'jobs'],
  ['AbortOptions', 'abortJob', 'abort'],
  ['CleanOptions', 'clean', 'clean'],
  ['DeployOptions', 'deploy', 'deploy'],
  ['UndeployOptions', 'undeploy', 'deploy'],
  ['DoctorOptions', 'doctor', 'doctor'],
]

/** What all functions have that move bytes, in the same words. @returns {string[]} */
function fieldsOfTransfers() {
  const [first, ...others] = FUNCTIONS.filter(([, name]) =>
    ['copy', 'copyPrefix', 'resume', 'verify'].includes(name),
  ).map(([, name, command]) => fieldsOf(optionsOf(name), { name, command }))
  return first.filter(field => others.every(fields => fields.includes(field)))
}

/** @returns {string} the file */
function optionTypes() {
  const attributes = fieldsOf(
    optionsOf('copy').filter(({ group }) => group === 'attributes'),
    {},
  )
  const transfers = fieldsOfTransfers()
  const sides = /** @type {SideName[]} */ (Object.keys(SIDES)).map(side =>
    interfaceOf(`How the ${side} is reached.`, SIDES[side], fieldsOf(sideOptions('copy', side), { side })),
  )
  const functions = FUNCTIONS.map(([heading, name, command]) => {
    const fields = fieldsOf(optionsOf(name), { name, command })
    const bases = Object.entries({ AttributeOptions: attributes, TransferOptions: transfers }).filter(([, base]) =>
      base.every(field => fields.includes(field)),
    )
    const own = fields.filter(field => !bases.some(([, base]) => base.includes(field)))
    const from = bases.length > 0 ? ` extends ${bases.map(([base]) => base).join(', ')}` : ''
    return interfaceOf(`The options of \`${name}\`.`, `${heading}${from}`, own)
  })
  return [
    HEAD,
    ...sides,
    interfaceOf('What a copy has in addition to its bytes.', 'AttributeOptions', attributes),
    interfaceOf('How bytes are moved.', 'TransferOptions', transfers),
    ...functions,
  ].join('')
}

module.exports = { FUNCTIONS, optionTypes }
