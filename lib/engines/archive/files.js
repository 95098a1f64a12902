'use strict'

/** Folders as they are archived, and zips that are the same for the same files. */

const { readFile, readdir } = require('node:fs/promises')
const { join, posix } = require('node:path')

/** Contents by path within the folder, with slashes. @typedef {Record<string, Uint8Array>} ArchivedFiles */

/** The earliest time that a zip can hold. With a fixed time the same files always give the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)
/** 9 takes five times as long for the runner, and saves one per cent. */
const LEVEL = 6

/**
 * @param {string} folder absolute
 * @returns {Promise<ArchivedFiles>} every file below it, sorted by name
 * @throws {NodeJS.ErrnoException} if it cannot be read
 */
async function readFolder(folder) {
  /** @type {ArchivedFiles} */
  const files = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter(entry => entry.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1).replaceAll('\\', '/')
    files[posix.normalize(name)] = await readFile(path)
  }
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** @param {ArchivedFiles} files @returns {Uint8Array} a zip of them */
function zipFiles(files) {
  // No copy needs it.
  const { zipSync } = require('fflate')
  return zipSync(files, { mtime: ZIP_TIME, level: LEVEL })
}

/**
 * @param {Uint8Array} archive
 * @returns {ArchivedFiles | undefined} undefined if it is not a zip
 */
function unzipFiles(archive) {
  try {
    const entries = Object.entries(require('fflate').unzipSync(archive))
    // Some zip programs also write an entry for each folder.
    return Object.fromEntries(entries.filter(([name]) => !name.endsWith('/')))
  } catch {
    return undefined
  }
}

module.exports = { readFolder, zipFiles, unzipFiles }
