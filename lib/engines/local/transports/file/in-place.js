'use strict'

const fs = require('node:fs')
const { basename } = require('node:path')
const { fileURLToPath } = require('node:url')
const { fileEtag } = require('../../../../files')
const { openHandle } = require('./handle')
const { withPath } = require('./place')
const { codeOf, withCode } = require('./refusals')
const { create, modeOfNew, mtimeFor, setDescription } = require('./whole')

const { O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = fs.constants

/**
 * Opens a file that is there, to write a part of it. What makes the whole durable is done once, when all parts are there.
 *
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local
 * @param {{ start: number, bytes: number, inode?: string }} part inode: in decimal, the file must have this one
 * @returns {Promise<import('./write').Target>}
 * @throws {NodeJS.ErrnoException} with the code NOT_A_FILE, or REPLACED if another file has the name by now
 */
async function openInPlace(local, { start, bytes, inode }) {
  const handle = await withPath(local, path => openHandle(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)).catch(notAFile)
  try {
    if (inode !== undefined && String((await handle.stat()).ino) !== inode) throw withCode('REPLACED')
  } catch (error) {
    handle.close()
    throw error
  }
  return {
    handle,
    start,
    finish: async () => ({ etag: `"${start}-${start + bytes - 1}"` }),
    drop: handle.close,
  }
}

/**
 * Writes a whole file into what is there. What it has behind the new end is cut off last, so a file that is copied onto itself by
 * another of its names stays what it is.
 *
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local with a root, missing folders below it are made
 * @param {import('../../../../../actions/copy-range/task').WireRequest['headers']} headers
 * @returns {Promise<import('./write').Target>}
 */
async function openWholeInPlace({ url, root, source }, headers) {
  const path = fileURLToPath(url)
  const flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK
  const mode = modeOfNew(headers)
  const { folder, handle } = await create(path, { name: basename(path), root, flags, mode }).catch(notAFile)
  let dropped = false
  /** @type {Promise<unknown>} */
  let finishing = Promise.resolve()
  const drop = () => {
    if (dropped) return
    dropped = true
    handle.close()
    void finishing.then(folder.release)
  }
  const complete = async () => {
    const mtime = mtimeFor(headers, source)
    await handle.wait((fd, done) => fs.ftruncate(fd, Number(headers['content-length']), done))
    await setDescription(handle, { mode: headers['x-mode'], mtime })
    await handle.wait(fs.fsync)
    const etag = fileEtag(await handle.stat())
    await folder.sync()
    return { etag, ...(mtime !== undefined && { 'x-mtime': mtime }) }
  }
  const stats = await handle.stat().catch(error => {
    drop()
    throw error
  })
  if (!stats.isFile()) {
    drop()
    throw withCode('NOT_A_FILE')
  }
  return {
    handle,
    start: 0,
    finish() {
      const completed = complete()
      finishing = completed.catch(() => {})
      return completed
    },
    drop,
  }
}

/** A socket, or a named pipe that nobody reads. @param {unknown} error @returns {never} */
function notAFile(error) {
  throw codeOf(error) === 'ENXIO' ? withCode('NOT_A_FILE') : error
}

module.exports = { openInPlace, openWholeInPlace }
