'use strict'

/** The files of the function, which are the same on every platform. */

const { join } = require('node:path')
const { BUNDLE } = require('../../../actions/copy-range/net')
const { readCaBundle } = require('../../http')
const { readFolder, zipFiles } = require('./zip')

const FOLDER = join(__dirname, '..', '..', '..', 'actions', 'copy-range')

/**
 * @param {Uint8Array} [caBundle] certificates that the function trusts in addition to the usual ones, PEM
 * @returns {Promise<import('./zip').Files>}
 */
async function functionFiles(caBundle) {
  const files = await readFolder(FOLDER)
  return caBundle ? { ...files, [BUNDLE]: caBundle } : files
}

/**
 * @param {{ caBundle?: string }} [options] a file of certificates
 * @returns {Promise<Uint8Array>} a zip, the same for the same files
 * @throws {import('../../types').XferError} USAGE if the file holds none
 */
async function functionArchive({ caBundle } = {}) {
  const certificates = caBundle === undefined ? undefined : Buffer.from(await readCaBundle(caBundle, '--ca-bundle'))
  return zipFiles(await functionFiles(certificates))
}

module.exports = { functionArchive, functionFiles }
