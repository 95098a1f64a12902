'use strict'

/** Under which name the function is on a platform: its package is the user's to choose. */

const { XferError } = require('../../../errors')

const PACKAGE = 'xfer'
const ACTION = 'copy-range'

/** What a platform takes for the name of a package: core/entity EntityPath.scala. */
const NAME = /^\w(?:[\w@ .&-]{0,254}[\w@.&-])?$/

/**
 * @param {string} [name] of a package, as it was given by `--package`
 * @returns {string} the same, or where none was given the manifest's
 * @throws {XferError} USAGE
 */
function parsePackageName(name = PACKAGE) {
  if (NAME.test(name)) return name
  throw new XferError('USAGE', {
    text: `--package "${name}" cannot be the name of a package.`,
    advice: 'Give it a name of letters, digits, "_", "-", "." and blanks, without a slash.',
  })
}

/** @param {string} [packageName] @returns {string} `package/action` @throws {XferError} USAGE */
function actionName(packageName) {
  return `${parsePackageName(packageName)}/${ACTION}`
}

module.exports = { actionName, parsePackageName }
