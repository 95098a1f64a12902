'use strict'

const { AzureError } = require('./errors')

/**
 * Finds the account, the container and the blob: the account is in the path, as emulators have it.
 *
 * @param {import('./types').Context} ctx
 * @throws {AzureError} InvalidUri
 */
function readPath(ctx) {
  const [account, ...segments] = ctx.rawPath.slice(1).split('/')
  ctx.account = account
  const path = decode(segments.join('/'))
  const [container, ...name] = ctx.state.options.resolvesPaths ? resolved(path) : path.split('/')
  ctx.bucketName = container || undefined
  ctx.key = name.join('/') || undefined
  if (ctx.key !== undefined && ctx.key.length > 1024) throw new AzureError('InvalidUri')
}

/** @param {string} path @throws {AzureError} InvalidUri */
function decode(path) {
  try {
    return decodeURIComponent(path)
  } catch (cause) {
    throw new AzureError('InvalidUri', { cause })
  }
}

/** As Windows resolves a path. @param {string} path @returns {string[]} segments */
function resolved(path) {
  /** @type {string[]} */
  const segments = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.') segments.push(segment.replace(/\.+$/, ''))
  }
  return segments
}

module.exports = { readPath }
