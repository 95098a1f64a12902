'use strict'

const { realpathSync } = require('node:fs')
const { lstat, stat } = require('node:fs/promises')
const { basename, dirname, join } = require('node:path')

/** @param {string} path absolute @returns {string} without symbolic links, as far as it is there */
function realPath(path) {
  try {
    return realpathSync(path)
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path))
  }
}

/**
 * @param {string} path absolute
 * @returns {Promise<boolean>} whether it, or the nearest above it that is there, is a symbolic link to what is not there
 */
async function leadsNowhere(path) {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return path !== dirname(path) && (await leadsNowhere(dirname(path)))
  if (!found.isSymbolicLink()) return false
  return await stat(path).then(
    () => false,
    error => error.code === 'ENOENT',
  )
}

module.exports = { leadsNowhere, realPath }
