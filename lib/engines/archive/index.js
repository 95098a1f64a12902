'use strict'

/** The archives of the functions: the same for every platform. */

const { join } = require('node:path')
const { BUNDLE } = require('../../../actions/copy-range/net')
const { readCaBundle } = require('../../http')
const { readFolder, zipFiles, unzipFiles } = require('./files')
const { runnerFiles } = require('./runner')

/** @typedef {import('./files').ArchivedFiles} ArchivedFiles */

const FOLDER = join(__dirname, '..', '..', '..', 'actions', 'copy-range')

/**
 * @param {Uint8Array} [caBundle] certificates that the function trusts in addition to the usual ones, PEM
 * @returns {Promise<ArchivedFiles>}
 */
async function functionFiles(caBundle) {
  const files = await readFolder(FOLDER)
  return caBundle ? { ...files, [BUNDLE]: caBundle } : files
}

/**
 * @param {{ caBundle?: string, runner?: boolean }} [options] caBundle: a file of certificates; runner: that of the runner
 * @returns {Promise<Uint8Array>} a zip, the same for the same files
 * @throws {import('../../types').XferError} USAGE if the file holds none
 */
async function functionArchive({ caBundle, runner } = {}) {
  return zipFiles(await (runner ? runnerFiles() : functionFiles(await readBundle(caBundle))))
}

/** The certificates of `--ca-bundle`. @param {string} [path] @throws {import('../../types').XferError} USAGE if the file holds none */
async function readBundle(path) {
  return path === undefined ? undefined : Buffer.from(await readCaBundle(path, '--ca-bundle'))
}

module.exports = { readFolder, zipFiles, unzipFiles, functionArchive, functionFiles, readBundle, runnerFiles }
