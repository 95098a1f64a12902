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

/** Seconds since the epoch, as programs note them. */
const SECONDS = /^-?\d{1,11}(\.\d+)?$/

/** @typedef {import('../../../../../actions/copy-range/task').WireRequest} WireRequest */

/**
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local with a root, missing folders below it are made
 * @param {WireRequest['headers']} headers
 * @returns {Promise<import('./write').Target>}
 */
async function openWhole({ url, root, source }, headers) {
  const path = fileURLToPath(url)
  const name = basename(path)
  const partial = partialName(newPartialId(name, headers['x-owner']))
  const { folder, handle } = await create(path, {
    name: partial,
    root,
    flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  })
  let renamed = false
  let dropped = false
  /** @type {Promise<unknown>} */
  let finishing = Promise.resolve()

  async function complete() {
    const mtime = mtimeFor(headers, source)
    if (mtime !== undefined) await handle.wait((fd, done) => fs.futimes(fd, Date.now() / 1000, mtime, done))
    await handle.wait(fs.fsync)
    const etag = fileEtag(await handle.stat())
    if (dropped) throw withCode('ECANCELED')
    await publish(folder.at(partial), folder.at(name), conditionOf(headers))
    renamed = true
    await folder.sync()
    return { etag, ...(mtime !== undefined && { 'x-mtime': mtime }) }
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
 * @param {string} path of the target
 * @param {{ name: string, root?: string, flags: number }} file name: of what is opened in its folder
 */
async function create(path, { name, root, flags }) {
  for (let again = root !== undefined; ; again = false) {
    const folder = await useFolder(dirname(path), { root, make: root !== undefined })
    try {
      const handle = await openHandle(folder.at(name), flags, 0o666)
      return { folder, handle }
    } catch (error) {
      folder.forget()
      folder.release()
      if (!again || codeOf(error) !== 'ENOENT') throw error
    }
  }
}

/**
 * The time that the file is to have: that of the read's answer, if the request names a header of it.
 * @param {WireRequest['headers']} headers
 * @param {import('../../../../../actions/copy-range/task').LocalTarget['source']} [source] headers of the read's answer
 * @returns {string | undefined} seconds since the epoch
 */
function mtimeFor({ 'x-mtime': mtime, 'x-mtime-from': name = '' }, source = {}) {
  const noted = source[name]
  return typeof noted === 'string' && SECONDS.test(noted) ? noted : mtime
}

/** @param {WireRequest['headers']} headers */
function conditionOf({ 'if-match': ifMatch, 'if-none-match': none }) {
  return { ifNoneMatch: none !== undefined, ifMatch }
}

module.exports = { openWhole }
