'use strict'

/** The name of the action on a platform. The user may choose the package. */

const { XferError } = require('../../../errors')

const PACKAGE = 'xfer'
const ACTION = 'copy-range'

/** Valid names of packages: core/entity EntityPath.scala. */
const NAME = /^\w(?:[\w@ .&-]{0,254}[\w@.&-])?$/

/**
 * @param {string} [name] of a package, from `--package`
 * @returns {string} the name; default the manifest's
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
