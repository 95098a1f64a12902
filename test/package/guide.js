'use strict'

/** The code blocks of docs/guides/library.md as programs: each is whole. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'guides', 'library.md'), 'utf8')

/** @returns {Array<{ heading: string, code: string }>} in the order of the guide */
function blocksOf() {
  const found = [...TEXT.matchAll(/^## (.*)$|^```(?:js|ts)\n([\s\S]*?)^```$/gm)]
  let heading = ''
  return found.flatMap(([, title, code]) => {
    if (title !== undefined) heading = title
    return code === undefined ? [] : [{ heading, code }]
  })
}

module.exports = { blocksOf }
