'use strict'

/** Refuses to write a function that xfer has not deployed, or whose access rules a deployment would lose. */

const { accessTextOf, accessOf, isOurs } = require('./compare')
const { XferError } = require('./errors')

/** @typedef {import('./compare').Found} Found */

/**
 * @param {Found} found
 * @param {Uint8Array} bare our archive without certificates
 * @param {import('../service/settings').LambdaSettings} settings
 * @throws {XferError} LAMBDA_FOREIGN, LAMBDA_SEALED
 */
function checkOurs(found, bare, { fn, where }) {
  if (isOurs(found, bare)) return
  if (found.Environment?.Error) throw sealed(found, fn.name)
  throw new XferError('LAMBDA_FOREIGN', { action: fn.name, where })
}

/**
 * @param {Found} found
 * @param {{ asked: Partial<import('./compare').Settings>, reset: boolean | undefined }} how
 * @param {string} action
 * @throws {XferError} LAMBDA_SEALED, LAMBDA_ACCESS_UNREAD
 */
function checkAccess(found, { asked: { hosts, metadata, caBundle }, reset }, action) {
  if (found.Environment?.Error) {
    // What these options set is in variables.
    if (reset || hosts !== undefined || metadata !== undefined || caBundle !== undefined) throw sealed(found, action)
    return
  }
  // The function refuses everything then. The usual rules would allow everything.
  const unread = accessTextOf(found) !== undefined && accessOf(found) === undefined
  if (unread && !reset && hosts === undefined) throw new XferError('LAMBDA_ACCESS_UNREAD', { action })
}

/** @param {Found} found @param {string} action */
function sealed({ Environment }, action) {
  const reason = Environment?.Error?.ErrorCode ?? 'Lambda gives no reason'
  return new XferError('LAMBDA_SEALED', { action, reason })
}

module.exports = { checkAccess, checkOurs }
