'use strict'

/** Many objects below a prefix of a store: makes, lists and removes them. */

const { open, putRandom } = require('../../sandbox/objects')

const BUCKET = 'bench'
const FROM = 'many/'
const WRITERS = 8

/** @typedef {import('../../sandbox/sandbox').StoreAccess} StoreAccess */
/** @typedef {Array<{ count: number, bytes: number }>} Tree objects of one size each */

/** As rclone writes objects, each with a time of its own. @param {StoreAccess} access @param {Tree} tree */
async function putTree(access, tree) {
  for (const { count, bytes } of tree) {
    let next = 0
    const writer = async () => {
      while (next < count) {
        const key = `${FROM}${bytes}/${next++}`
        await putRandom(access, { bucket: BUCKET, key, bytes, user: { mtime: `${1.7e9 + next}.${123456789 + next}` } })
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, writer))
  }
}

/** @param {StoreAccess} access @param {string} prefix @returns {Promise<Map<string, { key: string, etag: string }>>} by the name below the prefix */
async function listAll(access, prefix) {
  const store = open(access, BUCKET)
  const list = /** @type {import('../../lib/types').ListObjects} */ (store.list)
  try {
    const found = new Map()
    /** @type {string | undefined} */
    let marker
    do {
      const { objects, next } = await list({ prefix, marker })
      for (const { key, etag } of objects) found.set(key.slice(prefix.length), { key, etag })
      marker = next
    } while (marker !== undefined)
    return found
  } finally {
    store.close()
  }
}

/** @param {StoreAccess} access @param {string} prefix */
async function removeAll(access, prefix) {
  const found = await listAll(access, prefix)
  const store = open(access, BUCKET)
  try {
    const keys = [...found.values()].map(({ key }) => key)
    for (let at = 0; at < keys.length; at += 1_000) await store.removeAll(keys.slice(at, at + 1_000))
  } finally {
    store.close()
  }
}

module.exports = { BUCKET, FROM, listAll, putTree, removeAll }
