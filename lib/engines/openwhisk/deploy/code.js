'use strict'

/** The code of an action, as the platform stores it: a zip in base64. */

const { unzipFiles, zipFiles } = require('../../common')

/** @typedef {import('../../common/zip').Files} Files */

/** @param {Files} files @returns {string} a zip of them, base64 */
function toCode(files) {
  return Buffer.from(zipFiles(files)).toString('base64')
}

/**
 * @param {unknown} code of an action, as the platform stores it
 * @returns {Files | undefined} undefined if it is not a zip: an action may be a plain source file
 */
function fromCode(code) {
  return typeof code === 'string' ? unzipFiles(Buffer.from(code, 'base64')) : undefined
}

module.exports = { toCode, fromCode }
