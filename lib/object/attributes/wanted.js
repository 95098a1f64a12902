'use strict'

/**
 * What a copy has beside its bytes: from what the source is described by and what was asked for to what is written. Pure.
 */

const { notice } = require('../../notices')

/** @typedef {import('../../types').AttributeWish} AttributeWish */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */

const MTIME = 'mtime'
/** Where s3cmd keeps what it knows of a file: `…/mode:33188/mtime:1492697123/uid:0/…` */
const S3CMD = 's3cmd-attrs'
/** Seconds since the epoch, as rclone reads and writes them. */
const SECONDS = /^-?\d{1,11}(?:\.\d+)?$/

/**
 * @param {Pick<ObjectDescription, 'metadata' | 'storageClass' | 'encryption' | 'redirect' | 'unkept'> & { lastModifiedMs?: number }} object
 *   the source
 * @param {AttributeWish} wish
 * @param {{ tags?: ObjectAttributes['tags'], text: string }} facts tags: of the source, in its order; text: the source, for people
 * @returns {{ attributes: ObjectAttributes, notices: import('../../types').Notice[] }}
 */
function attributesFor(object, wish, { tags = [], text }) {
  const { headers, user } = wish.metadata === 'copy' ? object.metadata : { headers: {}, user: {} }
  const mtime = wish.mtime ? mtimeOf(object) : undefined
  const { given, encryption } = wish
  const storageClass = 'name' in wish.storageClass ? wish.storageClass.name : object.storageClass
  return {
    attributes: {
      metadata: {
        headers: { ...headers, ...given.headers },
        user: { ...user, ...(mtime !== undefined && { [MTIME]: mtime }), ...given.user },
      },
      ...(wish.tags === 'copy' && tags.length > 0 && { tags }),
      ...(storageClass !== undefined && { storageClass }),
      ...(encryption && { encryption }),
    },
    notices: noticesOf(object, wish, text),
  }
}

/**
 * @param {Pick<ObjectDescription, 'encryption' | 'redirect' | 'unkept'>} object
 * @param {AttributeWish} wish
 * @param {string} text
 */
function noticesOf({ encryption, redirect, unkept = [] }, wish, text) {
  const notices = []
  if (encryption?.ownKey !== undefined && !wish.encryption) {
    const { ownKey, keyId } = encryption
    notices.push(notice('ENCRYPTION_KEY_NOT_COPIED', { location: text, ownKey, keyId }))
  }
  const left = [...(redirect === undefined ? [] : ['its website redirect location']), ...unkept]
  if (left.length > 0) notices.push(notice('ATTRIBUTES_NOT_COPIED', { location: text, names: left }))
  return notices
}

/**
 * When what was copied into the source was last modified, as far as anything tells.
 *
 * - rclone: "X-Amz-Meta-Mtime as floating point since the epoch, accurate to 1 ns", https://rclone.org/s3/#modification-times-and-hashes
 * - s3cmd: `mtime` among the user metadata `s3cmd-attrs`, https://s3tools.org/usage (`--preserve`)
 *
 * @param {Pick<ObjectDescription, 'metadata'> & { lastModifiedMs?: number }} object
 * @returns {string | undefined} as rclone writes it
 */
function mtimeOf({ metadata: { user }, lastModifiedMs }) {
  const own = Object.hasOwn(user, MTIME) ? user[MTIME] : undefined
  if (own !== undefined && SECONDS.test(own)) return own
  const [, attribute] = /(?:^|\/)mtime:([^/]*)/.exec(user[S3CMD] ?? '') ?? []
  if (attribute !== undefined && SECONDS.test(attribute)) return attribute
  return lastModifiedMs === undefined ? undefined : secondsOf(lastModifiedMs)
}

/** Whole milliseconds in seconds, without a zero too many. @param {number} ms */
function secondsOf(ms) {
  return (ms / 1000).toFixed(3).replace(/\.?0+$/, '')
}

/**
 * Whether the source's tags have to be asked for. Who is not told how many there are may be one who may not read them.
 *
 * @param {Pick<ObjectDescription, 'tags'>} object
 * @param {AttributeWish} wish
 */
function wantsTags({ tags }, wish) {
  return wish.tags === 'copy' && tags !== 0
}

/** @param {ObjectAttributes} attributes @param {Pick<AttributeWish, 'mtime'>} wish @returns {import('../../types').AttributeSummary} */
function tellAttributes({ metadata, tags = [], storageClass, encryption }, { mtime }) {
  const { headers, user } = metadata
  return {
    headers,
    user: Object.keys(user).length,
    tags: tags.length,
    ...(storageClass !== undefined && { storageClass }),
    ...(encryption && { encryption: encryption.kind }),
    ...(mtime && user[MTIME] !== undefined && { mtime: user[MTIME] }),
  }
}

module.exports = { attributesFor, mtimeOf, tellAttributes, wantsTags }
