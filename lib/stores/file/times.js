'use strict'

/** Gives a file the modification time that its source had. */

const { mtime } = require('../common')

/** The same text is the header `x-mtime` of a write. @param {import('../../types').ObjectAttributes} attributes @returns {string | undefined} seconds since the epoch */
function secondsFor({ metadata: { user } }) {
  return mtime.MTIME_IN_SECONDS.read(user)
}

/** @param {import('node:fs/promises').FileHandle} handle @param {import('../../types').ObjectAttributes} attributes */
async function setTimes(handle, attributes) {
  const seconds = secondsFor(attributes)
  if (seconds !== undefined) await utimesOf(handle, seconds)
}

/** @param {import('node:fs/promises').FileHandle} handle @param {string} seconds */
async function utimesOf(handle, seconds) {
  // As a text: Node.js takes a negative number for the present.
  await handle.utimes(Date.now() / 1000, seconds)
}

module.exports = { secondsFor, setTimes, utimesOf }
