'use strict'

/** Writes the missing tags of an object by a request of their own, as many as the store accepts. */

const { asXferError } = require('../../errors')
const { notice } = require('../../notices')

/** @typedef {import('./refused-tags').Tag} Tag */
/** @typedef {import('../../types').Tags} Tags */
/** @typedef {import('../../types').XferError} XferError */

/** Stores allow ten or so; of an object from elsewhere that has more the rest is not tried one by one. */
const MOST_TRIES = 20
/** Of an upload that an earlier run began. */
const UNKNOWN_WHY = 'its store refused a write with them'

/**
 * @param {{ calls: Tags, key: string }} object
 * @param {Tag[]} wanted
 * @param {{ refused: ReturnType<typeof import('./refused-tags').createRefusedTags>, signal?: AbortSignal }} how
 * @returns {Promise<{ kept: Tag[] | undefined, error?: XferError }>} kept: what the object has now of them; undefined: what
 *   it had; error: why not all
 */
async function restoreTags({ calls, key }, wanted, { refused, signal }) {
  const tags = refused.taken(wanted)
  if (tags.length === 0) return { kept: undefined }
  const write = async (/** @type {Tag[]} */ some) => {
    try {
      await calls.write({ key, tags: some }, { signal })
      return undefined
    } catch (cause) {
      return asXferError(cause)
    }
  }
  const first = await write(tags)
  if (!first) return { kept: await keptOf({ calls, key }, tags, signal) }
  if (tags.length === 1 || !mayBeOne(first)) return { kept: undefined, error: first }
  /** @type {Tag[]} */
  let kept = []
  /** @type {Array<{ tag: Tag, error: XferError }>} */
  const failed = []
  for (const tag of tags.slice(0, MOST_TRIES)) {
    const error = await write([...kept, tag])
    if (!error) kept = [...kept, tag]
    else failed.push({ tag, error })
    if (error && !mayBeOne(error)) break
  }
  if (kept.length === 0) return { kept: undefined, error: first }
  // Where others were taken it is this one that is not.
  for (const { tag, error } of failed) if (error.code === 'STORE_REFUSED') refused.note(tag, whyNoTags(error))
  return { kept: await keptOf({ calls, key }, kept, signal), error: failed.at(-1)?.error ?? first }
}

/** What there is of them, as far as it may be read. @param {{ calls: Tags, key: string }} object @param {Tag[]} tags @param {AbortSignal} [signal] */
async function keptOf({ calls, key }, tags, signal) {
  const found = await calls.read(key, { signal }).catch(() => undefined)
  return found ? commonTags(tags, found) : tags
}

/** Whether one tag alone may be why all were refused: by the store's rules, or by those of a policy. @param {XferError} error */
function mayBeOne({ code, facts }) {
  return code === 'ACCESS_DENIED' || (code === 'STORE_REFUSED' && facts.status === 400)
}

/** @param {Tag[]} [wanted] @param {Tag[]} [there] @returns {Tag[]} those of the first that the second has not */
function missingTags(wanted = [], there = []) {
  return there === wanted ? [] : wanted.filter(tag => !includesTag(there, tag))
}

/** @param {Tag[]} wanted @param {Tag[]} [there] @returns {Tag[]} those of the first that the second has */
function commonTags(wanted, there = []) {
  return there === wanted ? wanted : wanted.filter(tag => includesTag(there, tag))
}

/** @param {Tag[]} tags @param {Tag} tag */
function includesTag(tags, [key, value]) {
  return tags.some(tag => tag[0] === key && tag[1] === value)
}

/**
 * @param {Tag[]} lost
 * @param {Tag[]} all
 * @param {{ text: string, why: string }} what text: the destination, for people; why: a clause
 * @returns {import('../../types').Notice}
 */
function tellTags(lost, all, { text, why }) {
  // Where all are lost their names do not matter, and other objects are alike.
  const which = lost.length === all.length ? { all: all.length } : { names: lost.map(([key]) => key) }
  return notice('TAGS_NOT_WRITTEN', { location: text, ...which, reason: why })
}

/** @param {XferError} error @returns {string} a clause */
function whyNoTags({ code, facts }) {
  const said = facts.storeCode ?? (facts.status === undefined ? code : `HTTP ${facts.status}`)
  const why = code === 'ACCESS_DENIED' ? `${facts.needsForTags} is missing` : 'its store does not take them'
  return `${why} (${said})`
}

module.exports = { UNKNOWN_WHY, commonTags, missingTags, restoreTags, tellTags, whyNoTags }
