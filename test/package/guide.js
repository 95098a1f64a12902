'use strict'

/** The code blocks of docs/guides/library.md as programs: each with what the guide leaves out. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const library = require('../../lib')

const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'guides', 'library.md'), 'utf8')

/** What the reader has already. Compiled only. */
const GIVEN = `
import { readFileSync } from 'node:fs'
declare const signal: AbortSignal
declare const [job, role, accessKeyId, secretAccessKey, sessionToken]: string[]
declare const credentials: import('xfer').StoreCredentials
declare const error: import('xfer').XferError
`

/** @returns {Array<{ heading: string, code: string }>} in the order of the guide */
function blocksOf() {
  const found = [...TEXT.matchAll(/^## (.*)$|^```(?:js|ts)\n([\s\S]*?)^```$/gm)]
  let heading = ''
  return found.flatMap(([, title, code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ heading, code }]
  })
}

/** @param {string} code @returns {string} a module that the compiler takes; nothing runs it */
function moduleOf(code) {
  const imports = code.match(/^import .*$/gm) ?? []
  const body = code.replace(/^import .*\n/gm, '')
  const missing = `import { ${Object.keys(library).join(', ')} } from 'xfer'`
  const own = imports.some(line => line.includes("'xfer'")) ? imports : [...imports, missing]
  return `${own.join('\n')}${GIVEN}\nexport async function block() {\n${body}}\n`
}

module.exports = { blocksOf, moduleOf }
