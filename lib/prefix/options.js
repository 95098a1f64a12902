'use strict'

/** The options of a job over a prefix, and the files that they name. */

const { createHash } = require('node:crypto')
const { constants, createReadStream } = require('node:fs')
const { access, stat } = require('node:fs/promises')
const { dirname } = require('node:path')
const { asPrefixOptions } = require('../options')
const { XferError } = require('../errors')
const { unreadableNames } = require('../select')
const { readSelection } = require('./selection')

/** @typedef {import('../types').JobWish} JobWish */

/**
 * The options of a copy of a prefix, once the files that they name have been checked.
 *
 * @param {JobWish} given
 * @returns {Promise<JobWish & { recursive: NonNullable<JobWish['recursive']> }>} recursive: the journal tells by it that the job is of a
 *   prefix
 * @throws {import('../types').XferError} USAGE
 */
async function prepareOptions(given) {
  const options = { ...asPrefixOptions(given), recursive: given.recursive ?? 'copy' }
  await checkFiles(readSelection(options))
  return { ...options, namesDigest: await digestNames(options.filesFrom) }
}

/**
 * The digest of a file of names, by which a job knows them again.
 *
 * @param {string} [file] of `--files-from`
 * @returns {Promise<string | undefined>} SHA-256 in hex; undefined without a file, and of standard input or a pipe, which can
 *   be read only once
 * @throws {XferError} USAGE
 */
async function digestNames(file) {
  if (file === undefined || file === '-') return undefined
  try {
    if (!(await stat(file)).isFile()) return undefined
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    return hash.digest('hex')
  } catch (cause) {
    throw unreadableNames(file, cause)
  }
}

/**
 * @param {{ filesFrom?: string, failures?: string }} files
 * @throws {XferError} USAGE
 */
async function checkFiles({ filesFrom, failures }) {
  if (filesFrom !== undefined && filesFrom !== '-') {
    await checkFile(filesFrom, constants.R_OK).catch(cause => {
      throw unreadableNames(filesFrom, cause)
    })
  }
  if (failures !== undefined) {
    await checkFile(failures, constants.W_OK)
      .catch(async cause => {
        if (cause.code !== 'ENOENT') throw cause
        await access(dirname(failures), constants.W_OK)
      })
      .catch(cause => {
        const text = `The file ${failures} cannot be written (${cause.code ?? cause.message}).`
        const advice = 'Give --failures another file, or correct its permissions.'
        throw new XferError('USAGE', { text, advice }, { cause })
      })
  }
  if (filesFrom !== undefined && failures !== undefined && (await isSameFile(filesFrom, failures))) {
    throw new XferError('USAGE', {
      text: `--files-from and --failures name the same file (${failures}), which would be emptied before it is read.`,
      advice: 'Give --failures another file.',
    })
  }
}

/** Whether two paths lead to the same file. @param {string} one @param {string} other */
async function isSameFile(one, other) {
  const [a, b] = await Promise.all([one, other].map(path => stat(path, { bigint: true }).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino && a.isFile()
}

/** @param {string} path @param {number} mode */
async function checkFile(path, mode) {
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error('it is a directory'), { code: 'EISDIR' })
  await access(path, mode)
}

module.exports = { checkFiles, digestNames, prepareOptions }
