'use strict'

/**
 * Finds partial files: those of a target, or all below a prefix. And what a killed process leaves of files that it was writing in one
 * piece: their ids have a mark of their job. A partial file of an upload in parts has none: the journal knows it.
 */

const { lstat, readdir } = require('node:fs/promises')
const { beginningOf, codeOf, inFolder, ownerMark, ownerOf, partialIdOf } = require('../../files')
const { explainCall } = require('./explain')
const { folderOf, nameOf } = require('./paths')

/** @typedef {import('../contract').Store} Store */
/** @typedef {import('../../types').StoredUpload} StoredUpload */

/**
 * @param {object} of
 * @param {import('./paths').Paths} of.paths
 * @param {Record<string, any>} of.facts of the store
 * @returns {import('../../types').Store['upload']['pending']}
 */
function createPending({ paths, facts }) {
  /**
   * @param {string} folder its key, with a slash at the end
   * @param {string} prefix
   * @param {AbortSignal} [signal]
   * @returns {Promise<StoredUpload[]>}
   */
  async function below(folder, prefix, signal) {
    signal?.throwIfAborted()
    /** @type {string[]} */
    const folders = []
    /** @type {StoredUpload[]} */
    const uploads = []
    const own = await inFolder(paths.folder(folder), { root: paths.root }, async ({ at }) => {
      const path = at('.')
      const entries = await readdir(path, { withFileTypes: true })
      for (const entry of entries) if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`)
      const targets = targetsOf(entries, folder === folderOf(prefix) ? nameOf(prefix) : '')
      /** @type {StoredUpload[]} */
      const found = []
      for (const { name } of entries) {
        const id = partialIdOf(name)
        if (id === undefined) continue
        const stats = await lstat(`${path}/${name}`).catch(() => undefined)
        // A partial file whose target is not there yet tells no name.
        const key = folder + (targets.get(id.slice(0, 8)) ?? name)
        if (stats?.isFile() && key.startsWith(prefix))
          found.push({ key, id: `${id}.${stats.size}`, initiatedMs: stats.birthtimeMs || stats.mtimeMs })
      }
      return found
    }).catch(cause => {
      if (['ENOENT', 'ENOTDIR', 'LINK'].includes(codeOf(cause))) return []
      throw explainCall(cause, { key: folder, of: 'read' }, facts)
    })
    uploads.push(...own)
    for (const inner of folders) {
      if (inner.startsWith(prefix) || prefix.startsWith(inner)) uploads.push(...(await below(inner, prefix, signal)))
    }
    return uploads
  }

  return async ({ prefix }, { signal } = {}) => {
    const folder = folderOf(prefix)
    return { uploads: folder.startsWith(paths.base) ? await below(folder, prefix, signal) : [] }
  }
}

/**
 * The names of files by the beginning of their partial files' ids.
 *
 * @param {import('node:fs').Dirent[]} entries
 * @param {string} wanted a name that may not be there yet; '' for none
 * @returns {Map<string, string>}
 */
function targetsOf(entries, wanted) {
  if (!entries.some(({ name }) => partialIdOf(name) !== undefined)) return new Map()
  const names = entries.filter(entry => entry.isFile() && partialIdOf(entry.name) === undefined).map(({ name }) => name)
  return new Map([...names, ...(wanted === '' ? [] : [wanted])].map(name => [beginningOf(name), name]))
}

/**
 * @param {Pick<Store['upload'], 'pending' | 'abort'>} uploads
 * @returns {NonNullable<Store['leftovers']> & { header: () => Record<string, string> }} header: of the requests that write whole files
 */
function createLeftovers({ pending, abort }) {
  /** @type {string | undefined} */
  let mark
  return {
    header: () => /** @type {Record<string, string>} */ (mark === undefined ? {} : { 'x-owner': mark }),
    note(job) {
      mark = ownerMark(job)
    },
    async sweep(prefix, options) {
      const { uploads } = await pending({ prefix }, options)
      for (const { key, id } of uploads.filter(upload => ownerOf(upload.id) === mark)) {
        await abort?.({ key, uploadId: id }, options).catch(error => {
          if (error.code !== 'UPLOAD_GONE') throw error
        })
      }
    },
  }
}

module.exports = { createLeftovers, createPending }
