'use strict'

/** Journals in a folder: a file each. */

const { readdir, realpath } = require('node:fs/promises')
const { devNull } = require('node:os')
const { dirname, isAbsolute, join, sep } = require('node:path')
const { XferError } = require('../errors')
const { homeOf, inHome } = require('../files')
const { fileLog, openFile, putFile, readAll, readFileAt } = require('./file')
const { holdBeginning } = require('./lock')

const SUFFIX = '.journal'
/** Far more than the first line of a journal needs, which says what job it is of. */
const HEAD_BYTES = 1024 ** 2

/**
 * @param {{ folder: string, homeless?: boolean }} where homeless: there is no such folder, and none can be made
 * @returns {import('../types').JournalPlace}
 */
function folderPlace({ folder, homeless = false }) {
  /** @param {string} id */
  const pathOf = id => join(folder, `${id}${SUFFIX}`)
  return {
    text: folder,
    pathOf,
    isPath: name => name.includes('/') || name.includes(sep) || name.endsWith(SUFFIX),
    ids: () => idsIn(folder),
    idsBetween: () => idsIn(folder),
    async read(id, { beginning } = {}) {
      const decoded = await readFileAt(pathOf(id), beginning ? HEAD_BYTES : undefined)
      return { ...decoded, cut: beginning && decoded.bytes === HEAD_BYTES }
    },

    async keep(id) {
      const path = pathOf(id)
      const handle = await openFile(path, 'read')
      return { read: () => readAll(handle, path), close: () => handle.close() }
    },

    reserve: async (_ends, id) => id,

    async create(id, lines, compactBytes) {
      if (homeless) throw withoutHome()
      const path = pathOf(id)
      return fileLog(await putFile(path, lines), path, { bytes: Buffer.byteLength(lines), compactBytes })
    },

    async open(name, { compactBytes, isPath }) {
      const path = isPath ? name : pathOf(name)
      const handle = await openFile(path, 'append')
      try {
        const outside = !(await isIn(path, folder))
        const brought = outside || !(await isOwn(handle))
        const read = await readAll(handle, path)
        const log = fileLog(handle, path, { ...read, compactBytes, alone: !brought })
        return { log, read, outside, brought }
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async hold(ends, how) {
      if (homeless) throw withoutHome()
      return await holdBeginning(folder, ends, how)
    },
  }
}

/**
 * https://specifications.freedesktop.org/basedir-spec/latest/ : a relative path is ignored.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ folder: string, homeless: boolean }} homeless: there is no such folder, and none can be made
 */
function journalFolder(env) {
  const state = env.XDG_STATE_HOME
  const given = state && isAbsolute(state)
  const base = given ? state : inHome(env, '.local', 'state')
  return { folder: join(base, 'xfer', 'jobs'), homeless: !given && homeOf(env) === undefined }
}

function withoutHome() {
  return new XferError('BAD_JOURNAL', { reason: 'there is no home folder, and XDG_STATE_HOME names no other' })
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} ids, newest first; empty when there is no folder
 * @throws {import('../types').XferError} BAD_JOURNAL when it cannot be read
 */
async function idsIn(folder) {
  try {
    const names = await readdir(folder)
    return names
      .filter(name => name.endsWith(SUFFIX) && name.length > SUFFIX.length)
      .map(name => name.slice(0, -SUFFIX.length))
      .sort()
      .reverse()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || (code === 'ENOTDIR' && folder.startsWith(devNull))) return []
    const advice = 'Check what it is, and its permissions.'
    const reason = `the folder cannot be read (${code})`
    throw new XferError('BAD_JOURNAL', { path: folder, reason, advice }, { cause: error })
  }
}

/** @param {string} path @param {string} folder @returns {Promise<boolean>} whether it is a file in that folder */
async function isIn(path, folder) {
  const places = [dirname(path), folder].map(place => realpath(place).catch(() => place))
  const [one, other] = await Promise.all(places)
  return one === other
}

/** Whether the file is this user's, and nobody else may write it. Windows tells neither. @param {import('node:fs/promises').FileHandle} handle */
async function isOwn(handle) {
  const { uid, mode } = await handle.stat()
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

module.exports = { folderPlace, journalFolder }
