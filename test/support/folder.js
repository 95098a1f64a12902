'use strict'

/** Folders of a test file, which are gone after its tests. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/** @type {string[]} */
const folders = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** @returns {string} a new one */
function newFolder() {
  folders.push(mkdtempSync(join(tmpdir(), 'xfer-test-')))
  return folders[folders.length - 1]
}

module.exports = { newFolder }
