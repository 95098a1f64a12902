'use strict'

const { renameSync, rmSync, writeFileSync } = require('node:fs')

/**
 * Replaces a file as a whole: who reads it meanwhile finds the old one or the new one. Nothing else is left if it fails.
 *
 * @param {string} path
 * @param {string} text
 * @param {{ mode?: number }} [how] mode: of the new file
 * @throws {NodeJS.ErrnoException}
 */
function replaceFile(path, text, { mode } = {}) {
  const next = `${path}.${process.pid}`
  try {
    writeFileSync(next, text, { mode })
    renameSync(next, path)
  } catch (cause) {
    rmSync(next, { force: true })
    throw cause
  }
}

module.exports = { replaceFile }
