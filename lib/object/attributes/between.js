'use strict'

/**
 * What a copy keeps of its source's attributes between stores that are not alike: where the modification time is noted, the
 * storage class, the names of user metadata. Pure.
 */

const { notice } = require('../../notices')
const { MTIME_IN_SECONDS } = require('../../stores').mtime

/** @typedef {import('../../types').Notice} Notice */
/** @typedef {import('../../types').ObjectMetadata} ObjectMetadata */
/** @typedef {Pick<import('../../types').Store, 'mtime' | 'contentHeaders' | 'metadataFault' | 'can' | 'facts' | 'tags'>} Store */
/** @typedef {{ source: Store, destination: Store }} Stores */

/** @param {Store} store */
function conventionOf({ mtime = MTIME_IN_SECONDS }) {
  return mtime
}

/**
 * The source's user metadata, as the destination's programs read it.
 *
 * @param {Record<string, string>} user
 * @param {Stores} stores
 * @returns {Record<string, string>}
 */
function translateMtime(user, { source, destination }) {
  const [from, to] = [conventionOf(source), conventionOf(destination)]
  const seconds = from === to ? undefined : from.read(user)
  if (seconds === undefined) return user
  const rest = Object.entries(user).filter(([name]) => !from.names.includes(name))
  return { ...Object.fromEntries(rest), ...to.write(seconds) }
}

/**
 * @param {Record<string, string>} headers
 * @param {Stores} stores
 * @returns {{ headers: Record<string, string>, left: string[] }} left: what the copy is without, for people
 */
function fitHeaders(headers, { destination: { contentHeaders } }) {
  const left = Object.keys(headers).filter(name => contentHeaders && !contentHeaders.includes(name))
  if (left.length === 0) return { headers, left }
  const rest = Object.entries(headers).filter(([name]) => !left.includes(name))
  return { headers: Object.fromEntries(rest), left: left.map(name => `its header ${name}`) }
}

/**
 * @param {Record<string, string>} user
 * @param {Stores} stores
 * @param {string} text the source, for people
 * @returns {{ user: Record<string, string>, notices: Notice[] }} without what the destination cannot have
 */
function fitUser(user, { destination }, text) {
  const faults = Object.entries(user).flatMap(([name, value]) => {
    const fault = destination.metadataFault?.(name, value)
    return fault === undefined ? [] : { name, fault }
  })
  if (faults.length === 0) return { user, notices: [] }
  const names = faults.map(({ name }) => name)
  const { protocol } = destination.facts
  return {
    user: Object.fromEntries(Object.entries(user).filter(([name]) => !names.includes(name))),
    notices: [notice('METADATA_NOT_FITTING', { location: text, names, first: faults[0], protocol })],
  }
}

/**
 * @param {string | undefined} storageClass of the source
 * @param {Stores} stores
 * @param {string} text the source, for people
 * @returns {{ storageClass?: string, notices: Notice[] }} without a class of other stores than the destination's
 */
function fitStorageClass(storageClass, { source, destination }, text) {
  if (storageClass === undefined) return { notices: [] }
  const { classes } = source.can
  if (classes !== undefined && classes === destination.can.classes) return { storageClass, notices: [] }
  const facts = { location: text, storageClass, from: source.facts.protocol, to: destination.facts.protocol }
  return { notices: [notice('STORAGE_CLASS_NOT_CARRIED', facts)] }
}

module.exports = { conventionOf, fitHeaders, fitStorageClass, fitUser, translateMtime }
