'use strict'

/** The permissions of a file as user metadata, as rclone notes them: `mode`, octal, with the kind of the file (`100644`). Pure. */

const NAME = 'mode'
/** Of a file with its kind (`100644`), or permissions alone (`644`). s3fs notes a decimal number of five digits, which is not read. */
const OCTAL = /^0?(10[0-7]{4}|[0-7]{3,4})$/
/** Without the bits that make a program run as somebody else. */
const PERMISSIONS = 0o777

/** @param {bigint} mode of a file @returns {Record<string, string>} user metadata */
const modeMetadata = mode => ({ [NAME]: mode.toString(8) })

/**
 * @param {import('../../types').ObjectAttributes} attributes
 * @returns {number | undefined} permissions; undefined: they are not noted, or not so that they can be read
 */
function modeFor({ metadata: { user } }) {
  const noted = user[NAME]
  return noted !== undefined && OCTAL.test(noted) ? Number.parseInt(noted, 8) & PERMISSIONS : undefined
}

module.exports = { modeFor, modeMetadata }
