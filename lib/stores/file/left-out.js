'use strict'

/** What lists leave out: links that are not followed or lead nowhere, what lies behind them, and what is no file. */

const { lstat, stat } = require('node:fs/promises')
const { codeOf, explainCall } = require('./explain')
const { keyFault } = require('./place')

/** Nothing is there, or a link that leads nowhere or to itself. */
const NOTHING = ['ENOENT', 'ENOTDIR', 'ELOOP']

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @param {boolean} of.followLinks
 * @returns {NonNullable<import('../contract').Store['leavesOut']>}
 */
function createLeftOut({ paths, facts, followLinks }) {
  /** @param {string} path @returns {Promise<import('node:fs').Stats | undefined>} undefined: nothing is there */
  async function look(path) {
    const kinds = followLinks ? [stat, lstat] : [lstat]
    for (const kind of kinds) {
      try {
        return await kind(path)
      } catch (cause) {
        if (!NOTHING.includes(codeOf(cause))) throw cause
      }
    }
  }

  return async key => {
    if (keyFault(key) !== undefined) return false
    const names = key.slice(paths.base.length).replace(/\/$/, '').split('/')
    let path = paths.root === '/' ? '' : paths.root
    try {
      for (const [index, name] of names.entries()) {
        path += `/${name}`
        const found = await look(path)
        if (!found) return false
        if (found.isFile()) return index === names.length - 1 && !key.endsWith('/')
        if (!found.isDirectory()) return true
      }
    } catch (cause) {
      throw explainCall(cause, { key, of: 'read' }, facts)
    }
    return false
  }
}

module.exports = { createLeftOut }
