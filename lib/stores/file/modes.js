'use strict'

/** The permissions of a file as user metadata, as rclone notes them: `mode`, octal, with the kind of the file (`100644`). Pure. */

const NAME = 'mode'
/** Permissions, the bits above them, and the kind of the file. */
const OCTAL = /^0?[0-7]{1,6}$/
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
