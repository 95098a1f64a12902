'use strict'

/** The files of the function, which are the same on every platform. */

const { join } = require('node:path')
const { BUNDLE } = require('../../../actions/copy-range/net')
const { readFolder } = require('./zip')

const FOLDER = join(__dirname, '..', '..', '..', 'actions', 'copy-range')

/**
 * @param {Uint8Array} [caBundle] certificates that the function trusts in addition to the usual ones, PEM
 * @returns {Promise<import('./zip').Files>}
 */
async function functionFiles(caBundle) {
  const files = await readFolder(FOLDER)
  return caBundle ? { ...files, [BUNDLE]: caBundle } : files
}

module.exports = { functionFiles }
