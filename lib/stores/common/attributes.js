'use strict'

/** What several stores do alike: attributes of objects in headers, what their lists have besides objects, and deletions one by one. */

const { eachAtOnce } = require('../../async')
const { XferError, asXferError } = require('../../errors')
const { quoted, readTime } = require('./words')

/** What describes the content in every store. Some keep `expires` too. */
const CONTENT_HEADERS = ['content-type', 'cache-control', 'content-encoding', 'content-language', 'content-disposition']

const KEPT_HEADERS = [...CONTENT_HEADERS, 'expires']

/**
 * @param {Record<string, string>} described headers that describe an object, names in lower case
 * @param {string} prefix of the names of user metadata
 * @returns {import('../contract').ObjectMetadata}
 */
function metadataIn(described, prefix) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const name of KEPT_HEADERS) if (described[name] !== undefined) headers[name] = described[name]
  const user = Object.keys(described).filter(name => name.startsWith(prefix))
  // A name may be `__proto__`, which an assignment would lose.
  return { headers, user: Object.fromEntries(user.map(name => [name.slice(prefix.length), described[name]])) }
}

/** @param {Record<string, string>} user @param {string} prefix @param {(value: string) => string} [write] @returns {Record<string, string>} headers */
function userHeaders(user, prefix, write = value => value) {
  return Object.fromEntries(Object.entries(user).map(([name, value]) => [prefix + name, write(value)]))
}

/** @param {Array<[key: string, value: string]>} tags @returns {string} as a query */
function tagQuery(tags) {
  return tags.map(pair => pair.map(encodeURIComponent).join('=')).join('&')
}

/**
 * One page of a list of containers.
 *
 * @param {Array<[name: string | undefined, created: string | undefined]>} entries
 * @param {{ next: string | undefined, marker: string | undefined }} at next: of the answer, may be empty; marker: of the request
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function containersOf(entries, { next, marker }, facts) {
  const { container } = facts.terms
  /** @param {string} reason */
  const wrong = reason => new XferError('BAD_ANSWER', { ...facts, reason })
  if (next && next === marker) throw wrong(`it continues a list of ${container}s where it began`)
  const containers = entries.map(([name, created]) => {
    if (!name) throw wrong(`it lists a ${container} without its name`)
    return { name, createdMs: readTime(created) }
  })
  return { containers, ...(next && { next }) }
}

/**
 * The folders of a list that was asked for one level.
 *
 * @param {string[]} folders
 * @param {{ prefix: string, delimiter?: string }} asked
 * @param {(reason: string) => import('../../types').XferError} wrong
 * @returns {{ prefixes?: string[] }} of a page
 */
function foldersOf(folders, { prefix, delimiter }, wrong) {
  if (folders.length === 0) return {}
  if (delimiter === undefined) throw wrong('it lists folders, and was asked for all that is in them')
  const strange = folders.find(
    folder => folder.length <= prefix.length || !folder.startsWith(prefix) || !folder.endsWith(delimiter),
  )
  if (strange !== undefined) throw wrong(`it lists the folder ${quoted(strange)} below ${quoted(prefix)}`)
  return { prefixes: folders }
}

/** How many requests run at the same time. */
const AT_ONCE = 16

/**
 * Deletes objects one by one, a few at a time.
 *
 * @param {string[]} keys
 * @param {(key: string) => Promise<void>} remove
 * @param {AbortSignal} [signal]
 * @returns {ReturnType<import('../contract').Store['removeAll']>} rejects with a failure that is worth another attempt
 */
async function removeEach(keys, remove, signal) {
  /** @type {Awaited<ReturnType<import('../contract').Store['removeAll']>>} */
  const refused = []
  await eachAtOnce(keys, AT_ONCE, async key => {
    signal?.throwIfAborted()
    await remove(key).catch(cause => {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      refused.push({ key, code, message })
    })
  })
  return refused
}

module.exports = { CONTENT_HEADERS, containersOf, foldersOf, metadataIn, removeEach, tagQuery, userHeaders }
