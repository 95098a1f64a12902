'use strict'

const { constants } = require('node:fs')
const { openHandle } = require('./handle')
const { withPath } = require('./place')

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants

/**
 * Opens a file that is there, to write a part of it. What makes the whole durable is done once, when all parts are there.
 *
 * @param {import('../../../../../actions/copy-range/task').LocalTarget} local
 * @param {{ start: number, bytes: number }} part
 * @returns {Promise<import('./write').Target>}
 */
async function openInPlace(local, { start, bytes }) {
  const handle = await withPath(local, path => openHandle(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK))
  return {
    handle,
    start,
    finish: async () => ({ etag: `"${start}-${start + bytes - 1}"` }),
    drop: handle.close,
  }
}

module.exports = { openInPlace }
