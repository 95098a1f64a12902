'use strict'

/** A whole file: written under another name, made durable, and only then given its own. */

const fs = require('node:fs')
const { basename, dirname } = require('node:path')
const { fileURLToPath } = require('node:url')
const { promisify } = require('node:util')
const { fileEtag, newPartialId, partialName, publish, useFolder } = require('../../../../files')
const { openHandle } = require('./handle')
const { codeOf, withCode } = require('./refusals')

const unlink = promisify(fs.unlink)
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = fs.constants

/** @typedef {import('../../../../../actions/copy-range/task').WireRequest} WireRequest */

/**
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local with a root, missing folders below it are made
 * @param {WireRequest['headers']} headers
 * @returns {Promise<import('./write').Target>}
 */
async function openWhole({ url, root }, headers) {
  const path = fileURLToPath(url)
  const name = basename(path)
  const partial = partialName(newPartialId(name, headers['x-owner']))
  const { folder, handle } = await create(path, partial, root)
  let renamed = false
  let dropped = false
  /** @type {Promise<unknown>} */
  let finishing = Promise.resolve()

  async function complete() {
    await setDescription(handle, headers)
    await handle.wait(fs.fsync)
    const etag = fileEtag(await handle.stat())
    if (dropped) throw withCode('ECANCELED')
    await publish(folder.at(partial), folder.at(name), conditionOf(headers))
    renamed = true
    await folder.sync()
    return etag
  }

  return {
    handle,
    start: 0,
    finish() {
      const completed = complete()
      finishing = completed.catch(() => {})
      return completed
    },
    drop() {
      if (dropped) return
      dropped = true
      handle.close()
      void finishing.then(clear)
    },
  }

  async function clear() {
    if (!renamed) await unlink(folder.at(partial)).catch(() => {})
    folder.release()
  }
}

/**
 * A folder that was removed while it was kept open is opened, or made, once more.
 * @param {string} path
 * @param {string} partial
 * @param {string} [root]
 */
async function create(path, partial, root) {
  for (let again = root !== undefined; ; again = false) {
    const folder = await useFolder(dirname(path), { root, make: root !== undefined })
    try {
      const handle = await openHandle(folder.at(partial), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
      return { folder, handle }
    } catch (error) {
      folder.forget()
      folder.release()
      if (!again || codeOf(error) !== 'ENOENT') throw error
    }
  }
}

/** The time and the permissions that the file is to have. @param {import('./handle').Handle} handle @param {WireRequest['headers']} headers */
async function setDescription(handle, headers) {
  const { 'x-mode': mode, 'x-mtime': mtime } = headers
  // Never the bits that make a program run as somebody else.
  if (mode !== undefined) await handle.wait((fd, done) => fs.fchmod(fd, Number.parseInt(mode, 8) & 0o777, done))
  if (mtime !== undefined) await handle.wait((fd, done) => fs.futimes(fd, Date.now() / 1000, mtime, done))
}

/** @param {WireRequest['headers']} headers */
function conditionOf({ 'if-match': ifMatch, 'if-none-match': none }) {
  return { ifNoneMatch: none !== undefined, ifMatch }
}

module.exports = { openWhole }
