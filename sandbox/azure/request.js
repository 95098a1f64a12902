'use strict'

const { randomUUID } = require('node:crypto')
const { receive } = require('../common/request')
const { AzureError } = require('./errors')

/**
 * Parses a request: its account in the path, as emulators have it, or in the host, as Azure has it.
 *
 * @typedef {import('./types').Context} Context
 */

/**
 * @param {import('./types').State} state
 * @param {import('node:http').IncomingMessage} req
 * @param {import('node:http').ServerResponse} res
 * @returns {Context} without its `operation`
 */
function createContext(state, req, res) {
  const received = receive(req, res)
  /** @type {Context} */
  const ctx = {
    ...received,
    state,
    requestId: randomUUID(),
    version: received.headers.get('x-ms-version')?.[0] ?? '',
    account: '',
    query: new Map(received.queryList.map(([name, value]) => [name.toLowerCase(), value])),
    container() {
      const container = state.catalog.containers.get(ctx.bucketName ?? '')
      if (!container) throw new AzureError('ContainerNotFound')
      return container
    },
  }
  return ctx
}

/**
 * Finds the account, the container and the blob in the path.
 *
 * @param {Context} ctx
 * @throws {AzureError} InvalidUri
 */
function readPath(ctx) {
  const host = (ctx.header('host') ?? '').toLowerCase()
  const ofHost = /^([a-z0-9]+)\.(?:blob\.|localhost(?::|$))/.exec(host)?.[1]
  const segments = ctx.rawPath.slice(1).split('/')
  ctx.account = ofHost ?? segments.shift() ?? ''
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

module.exports = { createContext, readPath }
