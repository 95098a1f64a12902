'use strict'

/** docs/reference/api.md: the functions and types of the library, as its declarations have them. */

const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { declarationsOf, faceOf } = require('./declarations')

/** @typedef {import('./declarations').Declaration} Declaration */

const HEAD = `# Library

<!-- Made by \`npm run docs\` from lib/index.d.ts and lib/api; do not edit. -->

An ES module imports what it uses by name, as the examples do; CommonJS requires \`xfer\`. The types come with the package
and need no other package. Sizes are bytes, durations are milliseconds, points in time are milliseconds since the epoch,
unless a name says otherwise. [In Node.js](../guides/library.md) is the guide.
`

/** The headings of the types, and their files in lib/api. @type {Array<[heading: string, ...files: string[]]>} */
const SECTIONS = [
  ['Options', 'options.d.ts', 'client.d.ts'],
  ['Results', 'summaries.d.ts', 'reports.d.ts', 'listings.d.ts'],
  ['Events', 'events.d.ts', 'reading.d.ts'],
  ['Errors', 'errors.d.ts'],
  ['Codes and names', 'codes.d.ts'],
]

/** Of a section: what is said before its types. @type {Record<string, string>} */
const ABOUT = {
  Options: '[Options](options.md) has the same options by subject, with the defaults and the flags of the command.',
  Events: '[Events](events.md) tells when each is sent.',
  Errors: '[Errors](errors.md) has the sentences of each code.',
}

/** Unions of codes are listed on pages of their own. */
const IS_CODES = /Code$/

/** @param {string} text with names of other pages */
const linked = text => text.replace(/docs\/(?:reference\/)?([\w-]+\.md)/g, (path, name) => `[${name}](${pathOf(path)})`)
/** @param {string} path from the root */
const pathOf = path => (path.startsWith('docs/reference/') ? path.slice(15) : `../${path.slice(5)}`)

/** @param {string} code */
const fence = code => `\`\`\`ts\n${code}\n\`\`\`\n`

/** @param {string} text of `@returns` */
const resolves = text => (text.startsWith('resolves ') ? `- R${text.slice(1)}` : `- Resolves to ${text}`)

/** @param {Declaration & { doc: { example: string } }} declaration @param {Set<string>} types */
function functionOf({ name, doc, code }, types) {
  const signature = code.replace(/^function /, '')
  const used = [...new Set(signature.match(/\b[A-Z]\w+/g))].filter(type => types.has(type))
  const rows = [
    ...doc.params.map(({ name, text }) => `- \`${name}\`: ${linked(text)}`),
    ...(doc.returns ? [resolves(linked(doc.returns))] : []),
    ...(doc.throws ? [`- Rejects with an [XferError](#xfererror): ${linked(doc.throws)}`] : []),
    ...(used.length > 0 ? [`- Types: ${used.map(type => `[${type}](#${type.toLowerCase()})`).join(', ')}`] : []),
  ]
  const example = `\`\`\`js\n${doc.example}\`\`\`\n`
  return [`### ${name}\n`, `${linked(doc.text)}\n`, fence(signature), `${rows.join('\n')}\n`, example].join('\n')
}

/** @param {Declaration} declaration */
function typeOf({ name, doc, code }) {
  const shown = IS_CODES.test(name) ? [] : [fence(code)]
  return [`### ${name}\n`, `${linked(doc.text)}\n`, ...shown].join('\n')
}

/** @returns {string} the page */
function apiPage() {
  const files = readdirSync(join(__dirname, '..', '..', 'lib', 'api')).filter(
    file => !SECTIONS.some(([, ...names]) => names.includes(file)),
  )
  if (files.length > 0) throw new TypeError(`No section has ${files.join(', ')}.`)
  const sections = SECTIONS.map(([heading, ...names]) => {
    const declarations = names.flatMap(name => declarationsOf(`api/${name}`))
    const about = ABOUT[heading] ? [`${ABOUT[heading]}\n`] : []
    return { declarations, text: [`## ${heading}\n`, ...about, ...declarations.map(typeOf)].join('\n') }
  })
  const types = new Set(sections.flatMap(({ declarations }) => declarations.map(({ name }) => name)))
  const functions = faceOf().functions.map(declaration => functionOf(declaration, types))
  return [HEAD, '## Functions\n', ...functions, ...sections.map(({ text }) => text)].join('\n')
}

module.exports = { apiPage }
