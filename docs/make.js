#!/usr/bin/env node
'use strict'

/**
 * `npm run docs`: writes the pages of docs/reference/ that have a table in the code, and the types of the library's options and codes, from the tables
 * in the code. A page is a function in a file of docs/make/ that returns its text; test/docs.test.js holds that the files
 * are what the functions return.
 */

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

/** By file below docs/reference/. @type {Record<string, () => string>} */
const PAGES = {
  'api.md': require('./make/api').apiPage,
  'errors.md': require('./make/errors').errorsPage,
  'notices.md': require('./make/notices').noticesPage,
  'options.md': require('./make/options').optionsPage,
}

/** By file from the root. @type {Record<string, () => string>} */
const TYPES = {
  'lib/api/codes.d.ts': require('./make/code-types').codeTypes,
  'lib/api/options.d.ts': require('./make/option-types').optionTypes,
  'lib/options/values.d.ts': require('./make/option-values').optionValues,
}

if (require.main === module) {
  // The types first: a page is made from them.
  for (const [name, types] of Object.entries(TYPES)) writeFileSync(join(__dirname, '..', name), types())
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(__dirname, 'reference', name), page())
}

module.exports = { PAGES, TYPES }
