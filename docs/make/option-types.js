'use strict'

/** lib/api/options.d.ts: the library's options as TypeScript has them. */

const { helpOf, optionsOf, sideOptions } = require('../../lib/options')

/** @typedef {import('../../lib/options/contract').OptionSpec} OptionSpec */
/** @typedef {import('../../lib/options/contract').Command} Command */
/** @typedef {import('../../lib/options/contract').SideName} SideName */
/** @typedef {Parameters<typeof optionsOf>[0]} Name of a function */
/** @typedef {{ name?: Name, command?: Command, side?: SideName }} Of command: whose words the options are described with */

/** By kind of value; texts are read as on the command line. @type {Partial<Record<import('../../lib/options/contract').Kind, string>>} */
const SHAPES = {
  switch: 'boolean',
  text: 'string',
  file: 'string',
  hosts: 'string | string[]',
  list: 'string | string[]',
  filter: 'Array<{ include: string; exclude?: never } | { exclude: string; include?: never }>',
  pairs: 'Record<string, string> | string[]',
}

const HEAD = `/** The options of the library. Made by \`npm run docs\` from the table in lib/options; do not edit. */

import type { StoreCredentials, StoreCredentialsProvider } from './client'
import type { XferError } from './errors'
import type { DownloadEvent, PrefixVerifyEvent, VerifyEvent } from './reading'
import type { AskEvent, CopyEvent, PrefixEvent } from './events'
import type { PrefixUsage } from './listings'
import type { Checked, CleanedUpload, FoundObjects, JobEvent, ProbeEvent, RemovedObject, WorkEvent } from './reports'
`

/** By option: the options of a side. */
const SIDES = /** @type {const} */ ({ source: 'SourceOptions', destination: 'DestinationOptions' })

/** @param {OptionSpec} spec @param {Of} of @returns {string} */
function shapeOf(spec, { name, command }) {
  if (spec.name in SIDES && name) return sideShapeOf(/** @type {SideName} */ (spec.name), name)
  const { kind, choices, unit, type, typeFor } = spec.takes
  const own =
    (name?.startsWith('verify') && name !== 'verify' && typeFor?.verifyPrefix) || (command && typeFor?.[command])
  // A number without a unit is refused.
  const unitless = kind === 'date' || (kind === 'duration' && unit === undefined)
  const usual = SHAPES[kind] ?? (unitless ? 'string' : 'string | number')
  return own || (type ?? choices?.map(choice => `'${choice}'`).join(' | ') ?? usual)
}

/** The type of `copy`'s side, without what the function does not take. @param {SideName} side @param {Name} name */
function sideShapeOf(side, name) {
  const own = sideOptions(name, side).map(spec => spec.name)
  const without = sideOptions('copy', side).filter(spec => !own.includes(spec.name))
  const names = without.map(spec => `'${spec.name}'`).join(' | ')
  return names ? `Omit<${SIDES[side]}, ${names}>` : SIDES[side]
}

/** The names of what the help names otherwise. @param {string} help @param {OptionSpec} spec */
function inWords(help, { flag }) {
  const words = help
    .replace(/; (?:-R is the same|with -r: .*)$/, '')
    .replace(
      /\b(?:LOCATION|SRC|DEST)\b/g,
      place => ({ LOCATION: 'the location', SRC: 'the source' })[place] ?? 'the destination',
    )
    .replace(/\bxfer (?=resume\b)/g, '')
    .replace(/--(no-)?([a-z]+(?:-[a-z]+)*)/g, (_, not, name) => {
      const option = name.replace(/-(.)/g, (/** @type {string} */ _dash, /** @type {string} */ letter) =>
        letter.toUpperCase(),
      )
      return not ? `${option}: false` : option
    })
  return flag?.startsWith('--no-') ? `false: ${words}` : words
}

/** The help in the words of the library. @param {OptionSpec} spec @param {Of} of @returns {string} */
function libraryHelpOf(spec, of) {
  const own = spec.helpFor?.library
  if (own === undefined) return inWords(helpOf(spec, of), spec)
  return typeof own === 'string' ? helpOf({ help: own }, of) : helpOf({ help: own.usual, helpFor: own }, of)
}

/**
 * What the rows of one name say, on one line. If one of them has words for the library, those stand for all.
 *
 * @param {OptionSpec[]} specs
 * @param {Of} of
 */
function textOf(specs, of) {
  const own = specs.filter(spec => spec.helpFor?.library !== undefined)
  return (own.length > 0 ? own : specs).map(spec => libraryHelpOf(spec, of)).join('; or: ')
}

/** The default as TypeScript writes it, or in words. @param {OptionSpec} spec @returns {string | undefined} */
function defaultOf(spec) {
  const { library, value, text } = spec.default
  if (library !== undefined) return library
  if (value !== undefined) return /^\d+$/.test(value) ? value : `'${value}'`
  return text ?? (spec.takes.kind === 'switch' ? 'false' : undefined)
}

/** @param {OptionSpec[]} specs of one name @param {Of} of @returns {string} a doc comment */
function docOf(specs, of) {
  const text = textOf(specs, of)
  const usual = defaultOf(specs[specs.length - 1])
  const lines = usual === undefined ? `/** ${text} */` : `/**\n   * ${text}\n   * @default ${usual}\n   */`
  if (lines.indexOf('*/') !== lines.length - 2) throw new TypeError(`A doc comment would end within: ${text}`)
  return lines
}

/** @param {OptionSpec[]} specs @param {Of} of @returns {string[]} a field of an interface for each name */
function fieldsOf(specs, of) {
  const names = [...new Set(specs.map(spec => spec.name))]
  return names.map(field => {
    const own = specs.filter(spec => spec.name === field)
    return `  ${docOf(own, of)}\n  ${field}?: ${shapeOf(own[0], of)}\n`
  })
}

/** @param {string} doc @param {string} heading @param {string[]} fields */
function interfaceOf(doc, heading, fields) {
  return `\n/** ${doc} */\nexport interface ${heading} {${fields.length > 0 ? '\n' : ''}${fields.join('')}}\n`
}

/** The options of each function, and the command that describes them. @type {Array<[heading: string, name: Name, command: Command]>} */
const FUNCTIONS = [
  ['CopyOptions', 'copy', 'copy'],
  ['PrefixOptions', 'copyPrefix', 'sync'],
  ['UploadOptions', 'upload', 'copy'],
  ['ResumeOptions', 'resume', 'resume'],
  ['VerifyOptions', 'verify', 'verify'],
  ['VerifyPrefixOptions', 'verifyPrefix', 'verify'],
  ['VerifyManifestOptions', 'verifyManifest', 'verify'],
  ['ListOptions', 'list', 'ls'],
  ['DownloadOptions', 'download', 'cat'],
  ['UsageOptions', 'usage', 'du'],
  ['HeadOptions', 'head', 'head'],
  ['PresignOptions', 'presign', 'presign'],
  ['MakeBucketOptions', 'makeBucket', 'mb'],
  ['JobsOptions', 'jobs', 'jobs'],
  ['WorkOptions', 'work', 'work'],
  ['AttachOptions', 'attach', 'attach'],
  ['StopJobOptions', 'stopJob', 'stop'],
  ['AbortOptions', 'abortJob', 'abort'],
  ['MoveOptions', 'move', 'mv'],
  ['RemoveOptions', 'remove', 'rm'],
  ['CleanOptions', 'clean', 'clean'],
  ['CleanStateOptions', 'cleanState', 'clean'],
  ['DeployOptions', 'deploy', 'deploy'],
  ['UndeployOptions', 'undeploy', 'deploy'],
  ['DoctorOptions', 'doctor', 'doctor'],
  ['ProbeOptions', 'probe', 'probe'],
  ['ProfilesOptions', 'profiles', 'profiles'],
]

/** What the command line takes for a stream with the one value that fits it: a program has no use for it. @type {Partial<Record<Name, string[]>>} */
const LEFT_OUT = { upload: ['route', 'onFailure'] }

/** What is to be said of the options of a function. @type {Partial<Record<Name, string>>} */
const ABOUT = { resume: ' What is absent is as the job began with it; the defaults are those of a new job.' }

/** What several functions have in the same words, the smaller first. @type {Array<[heading: string, doc: string, of: Name[]]>} */
const SHARED = [
  ['EnvironmentOptions', 'What every call has.', ['copy', 'jobs']],
  ['RequestOptions', 'How a store is reached, and waited for.', ['copy', 'list', 'remove', 'download']],
  ['StopOptions', 'How a call is ended.', ['list', 'verify', 'abortJob', 'deploy']],
  ['PlatformOptions', 'Which platform is meant.', ['copy', 'deploy', 'doctor']],
  ['TransferOptions', 'How bytes are moved.', ['copy', 'copyPrefix', 'resume', 'verify']],
  ['WriteOptions', 'How a copy is made.', ['copy', 'copyPrefix', 'move']],
  ['ObjectOptions', 'How one object is copied.', ['copy', 'upload', 'resume', 'move']],
  ['SelectOptions', 'Which objects below a prefix are meant.', ['copyPrefix', 'verifyPrefix', 'move', 'remove']],
  ['NamesOptions', 'Files with names of objects.', ['copyPrefix', 'resume', 'move']],
  ['AskOptions', 'How a store is asked.', ['list', 'usage', 'head', 'presign', 'makeBucket']],
]

/** @param {Name} wanted @returns {string[]} */
function fieldsOfFunction(wanted) {
  const [[, name, command]] = FUNCTIONS.filter(([, name]) => name === wanted)
  return fieldsOf(
    optionsOf(name).filter(spec => !LEFT_OUT[name]?.includes(spec.name)),
    { name, command },
  )
}

/** @typedef {{ heading: string, doc: string, fields: string[] }} Base fields: with those of the bases that it extends */

/**
 * An interface that extends the bases all of whose fields it has.
 *
 * @param {Base} of
 * @param {Base[]} bases
 */
function extending({ heading, doc, fields }, bases) {
  const has = (/** @type {Base} */ one, /** @type {Base} */ other) =>
    other.fields.every(each => one.fields.includes(each))
  const own = bases.filter(base => base.heading !== heading && base.fields.every(field => fields.includes(field)))
  const direct = own.filter(base => !own.some(other => other !== base && has(other, base)))
  const from = direct.length > 0 ? ` extends ${direct.map(base => base.heading).join(', ')}` : ''
  const left = fields.filter(field => !own.some(base => base.fields.includes(field)))
  return interfaceOf(doc, heading + from, left)
}

/** @returns {string} the file */
function optionTypes() {
  const attributes = fieldsOf(
    optionsOf('copy').filter(({ group }) => group === 'attributes'),
    {},
  )
  /** @type {Base[]} */
  const bases = SHARED.map(([heading, doc, names]) => {
    const [first, ...others] = names.map(fieldsOfFunction)
    const common = first.filter(field => others.every(fields => fields.includes(field)))
    return { heading, doc, fields: common.filter(field => !attributes.includes(field)) }
  })
  bases.unshift({ heading: 'AttributeOptions', doc: 'What a copy has in addition to its bytes.', fields: attributes })
  const sides = /** @type {SideName[]} */ (Object.keys(SIDES)).map(side =>
    interfaceOf(`How the ${side} is reached.`, SIDES[side], fieldsOf(sideOptions('copy', side), { side })),
  )
  const functions = FUNCTIONS.map(([heading, name]) =>
    extending(
      { heading, doc: `The options of \`${name}\`.${ABOUT[name] ?? ''}`, fields: fieldsOfFunction(name) },
      bases,
    ),
  )
  return [HEAD, ...sides, ...bases.map(base => extending(base, bases)), ...functions].join('')
}

module.exports = { FUNCTIONS, optionTypes }
