'use strict'

/** A folder of this machine, as an end of copies: there is no server, and nothing between it and xfer. */

const { mkdirSync, mkdtempSync } = require('node:fs')
const { mkdir, readFile, readdir, rm, stat, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { basename, dirname, join, relative } = require('node:path')
const { fileEtag } = require('../../../lib/files')

/** @typedef {import('./s3-objects').Kept} Kept */

/** What xfer calls a file that is not complete. */
const PARTIAL = /^\.xfer-[0-9a-f]+\.partial$/

/** @param {string} path @returns {Promise<Kept | undefined>} undefined: there is no such file */
async function readKept(path) {
  const bytes = await readFile(path).catch(error => {
    if (!['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code)) throw error
  })
  if (bytes === undefined) return undefined
  // What xfer calls this version of the file: nobody else gives files an ETag.
  return { bytes, etag: fileEtag(await stat(path, { bigint: true })), headers: {}, user: {}, tags: [] }
}

/** Whether the error says that names of a file and of a folder clash. @param {any} error */
const isClash = error => ['EEXIST', 'ENOTDIR', 'EISDIR'].includes(error.code)

/** @returns {import('./index').Server} */
function fileServer() {
  const root = mkdtempSync(join(tmpdir(), 'xfer-files-'))
  const pathOf = (/** @type {string} */ container, /** @type {string} */ key) => `${root}/${container}/${key}`
  return {
    local: true,
    checks: false,
    md5OfParts: false,
    endpoint: root,
    create: async container => void mkdirSync(join(root, container), { recursive: true }),
    text: pathOf,
    env: () => ({}),
    async write(container, key, { bytes }) {
      const path = pathOf(container, key)
      try {
        await mkdir(key.endsWith('/') ? path : dirname(path), { recursive: true })
        if (!key.endsWith('/')) await writeFile(path, bytes)
        return true
      } catch (error) {
        if (isClash(error)) return false
        throw error
      }
    },
    read: (container, key) => readKept(pathOf(container, key)),
    async look(container) {
      const folder = join(root, container)
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      /** @type {Map<string, Kept>} */
      const objects = new Map()
      const uploads = []
      for (const entry of entries.filter(each => each.isFile())) {
        const path = join(entry.parentPath, entry.name)
        const key = relative(folder, path)
        if (PARTIAL.test(basename(path))) uploads.push({ id: key, key })
        else objects.set(key, /** @type {Kept} */ (await readKept(path)))
      }
      return { objects, uploads }
    },
    remove: (container, key) => rm(pathOf(container, key), { force: true }),
    drop: container => rm(join(root, container), { recursive: true, force: true }),
    stop: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

module.exports = { fileServer }
