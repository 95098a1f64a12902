'use strict'

/** Whether a copy can be left to the store: both sides are in one, and nothing is asked for that only an engine does. Pure. */

const { XferError } = require('../errors')
const { isLoopback } = require('../http')

/** @typedef {import('../types').SideSettings} SideSettings */
/** @typedef {'auto' | 'server' | 'engine'} Route */

const AWS_HOST = /(^|\.)amazonaws\.com(\.cn)?$/i
/** Regions of AWS that are a world of their own: https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html */
const PARTITION = /^(?:cn|us-gov|us-iso[a-z]?|eu-isoe|eusc)-/i

/**
 * @param {Route} route as it was asked for
 * @param {{ source: SideSettings, destination: SideSettings, bytesPerSecond?: number, readsAll?: boolean }} job readsAll: every
 *   object, once it is copied
 * @returns {boolean} whether the store is to be asked first
 * @throws {XferError} USAGE where that was asked for, and cannot be
 */
function asksServer(route, { source, destination, bytesPerSecond, readsAll = false }) {
  if (route === 'engine') return false
  const [from, to] = [storeOf(source), storeOf(destination)]
  if (from === to && bytesPerSecond === undefined && !readsAll) return true
  if (route === 'auto') return false
  if (from !== to) {
    const where = (/** @type {SideSettings} */ { endpoint }) => endpoint ?? 'AWS'
    throw usage(
      `source and destination are not in one store (${where(source)} and ${where(destination)})`,
      'Leave it out, and the bytes go through the engine.',
    )
  }
  if (readsAll) throw usage('--verify full reads all that lies below a prefix', 'Give one of them only.')
  throw usage('no store holds a --bandwidth', 'Give one of them only.')
}

/** Equal for two sides that are one server's, or AWS's of one partition. @param {SideSettings} settings */
function storeOf({ endpoint, region }) {
  const url = endpoint === undefined ? undefined : new URL(endpoint)
  if (!url || AWS_HOST.test(url.hostname)) return `aws:${PARTITION.exec(region)?.[0].toLowerCase() ?? ''}`
  const host = isLoopback(url.hostname) ? 'loopback' : url.hostname
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return `${host}:${port}${url.pathname}`
}

/** @param {string} why @param {string} advice */
function usage(why, advice) {
  return new XferError('USAGE', { text: `--route server leaves the copy to the store, and ${why}.`, advice })
}

module.exports = { asksServer, storeOf }
