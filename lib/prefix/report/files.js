'use strict'

/** Checks the files that a job over a prefix reads and writes before the job starts. */

const { constants } = require('node:fs')
const { access, stat } = require('node:fs/promises')
const { dirname } = require('node:path')
const { XferError } = require('../../errors')

/**
 * @param {{ filesFrom?: string, failures?: string }} files
 * @throws {XferError} USAGE
 */
async function checkFiles({ filesFrom, failures }) {
  if (filesFrom !== undefined && filesFrom !== '-') {
    await checkFile(filesFrom, constants.R_OK).catch(cause => {
      throw new XferError(
        'USAGE',
        { text: `The names in ${filesFrom} cannot be read (${cause.code}).`, advice: 'Check the path of the file.' },
        { cause },
      )
    })
  }
  if (failures !== undefined) {
    await checkFile(failures, constants.W_OK)
      .catch(async cause => {
        if (cause.code !== 'ENOENT') throw cause
        await access(dirname(failures), constants.W_OK)
      })
      .catch(cause => {
        throw unwritable(failures, cause)
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

/** @param {string} path @param {NodeJS.ErrnoException} cause */
function unwritable(path, cause) {
  return new XferError(
    'USAGE',
    {
      text: `The file ${path} cannot be written (${cause.code ?? cause.message}).`,
      advice: 'Give --failures another file, or correct its permissions.',
    },
    { cause },
  )
}

module.exports = { checkFiles, unwritable }
