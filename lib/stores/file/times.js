'use strict'

/** Gives a file the modification time that its source had. */

const fs = require('node:fs')
const { promisify } = require('node:util')
const { mtime } = require('../common')
const { fileEtag } = require('../../files')

// Of all objects of a prefix; the handles of node:fs/promises cost more.
const [close, fstat, futimes, open] = [fs.close, fs.fstat, fs.futimes, fs.open].map(
  call => /** @type {(...args: any[]) => Promise<any>} */ (promisify(call)),
)
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants

/** The same text is the header `x-mtime` of a write. @param {import('../../types').ObjectAttributes} attributes @returns {string | undefined} seconds since the epoch */
function secondsFor({ metadata: { user } }) {
  return mtime.MTIME_IN_SECONDS.read(user)
}

/** @param {import('node:fs/promises').FileHandle} handle @param {import('../../types').ObjectAttributes} attributes */
async function setTimes(handle, attributes) {
  const seconds = secondsFor(attributes)
  // As a text: Node.js takes a negative number for the present.
  if (seconds !== undefined) await handle.utimes(Date.now() / 1000, seconds)
}

/**
 * Gives a file another time, unless somebody has written it since it had that ETag.
 *
 * @param {string} path
 * @param {{ etag: string, seconds: string }} to
 * @returns {Promise<string>} its ETag now; that of before if it was left as it is
 */
async function correctTime(path, { etag, seconds }) {
  // To set its time, its owner need not be able to write it. Who put a named pipe there is not waited for.
  const fd = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (fileEtag(await fstat(fd, { bigint: true })) !== etag) return etag
    await futimes(fd, Date.now() / 1000, seconds)
    return fileEtag(await fstat(fd, { bigint: true }))
  } finally {
    // Nobody waits for it.
    close(fd).catch(() => {})
  }
}

module.exports = { correctTime, secondsFor, setTimes }
