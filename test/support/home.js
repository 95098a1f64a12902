'use strict'

const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')

const root = mkdtempSync(join(tmpdir(), 'xfer-test-settings-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0

/**
 * A home folder of its own: what was read from another one is kept by the SDK.
 *
 * @param {Record<string, string>} files by path inside it
 * @returns {string}
 */
function makeHome(files) {
  const home = join(root, String(++count))
  mkdirSync(home)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  return home
}

module.exports = { makeHome }
