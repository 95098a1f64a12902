'use strict'

/** Empty objects that mark folders, by the conventions of different programs. */

const { XferError, asXferError } = require('../errors')

/** @typedef {import('../types').ListedObject} ListedObject */
/** @typedef {{ [side in 'source' | 'destination']: import('./selection').PrefixEnd }} MarkEnds */

/**
 * The mark of Hadoop, and of older consoles.
 * https://hadoop.apache.org/docs/r2.6.1/api/org/apache/hadoop/fs/s3native/NativeS3FileSystem.html
 */
const HADOOP = /^(.*[^/])_\$folder\$$/s

/**
 * @param {string} name
 * @param {Pick<ListedObject, 'marksFolder'>} object an empty one: no other marks a folder
 * @returns {string | undefined} the name of the folder that it marks, with a slash at the end; empty for the prefix itself;
 *   undefined: it marks none
 */
function markedFolder(name, { marksFolder }) {
  if (name === '' || name.endsWith('/')) return name
  const folder = marksFolder ? name : HADOOP.exec(name)?.[1]
  return folder && `${folder}/`
}

/**
 * Whether the object of one side marks a folder, and the other side cannot have such a mark: at the root of a bucket, in a file system,
 * and in a store that does not know marks by metadata. There the mark would be an object that stands in the way of all names below it.
 *
 * @param {import('../types').Pair} pair
 * @param {MarkEnds} ends
 */
function isOneSided({ name, source: from, destination: to }, { source, destination }) {
  const object = from ?? to
  if (!object || (from && to) || object.bytes !== 0 || markedFolder(name, object) === undefined) return false
  const other = from ? destination : source
  const foreign = object.marksFolder === true && isForeign(other)
  return other.key + name === '' || 'makeFolder' in other.store || foreign
}

/** Whether an object that marks a folder by its metadata would be an ordinary one in the store. @param {import('./selection').PrefixEnd} end */
function isForeign({ store }) {
  return !store.can.marksFolders && !store.makeFolder
}

/** Whether the destination refuses a mark because it has the folder itself. @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the mark */
async function isFolderThere({ destination: { store, key }, run }) {
  const error = await store.head(key, { signal: run.cancel }).catch(asXferError)
  return error instanceof XferError && error.facts.isFolder === true
}

module.exports = { isFolderThere, isForeign, isOneSided, markedFolder }
