'use strict'

/**
 * Places of files. A place has no container; its key is the absolute path without the slash in front. A `file://` address is
 * taken as it stands, as the keys of other stores are: nothing in it is percent-decoded.
 */

const { existsSync, statSync } = require('node:fs')
const { resolve } = require('node:path')
const { XferError } = require('../../errors')
const { brief } = require('../common')
const { FORMS } = require('./options')

/** https://man7.org/linux/man-pages/man7/path_resolution.7.html */
const MOST_NAME_BYTES = 255
const MOST_PATH_BYTES = 4095

/**
 * @param {string} text a path, relative to the current folder, or `file:///path`
 * @param {'source' | 'destination'} side
 * @returns {import('../contract').Place} its key ends in a slash where the text does, and for a folder that is there
 * @throws {XferError} BAD_LOCATION
 */
function parse(text, side) {
  const [, address] = /^file:\/\/(.*)$/is.exec(text) ?? []
  /** @param {string} reason */
  const bad = reason => new XferError('BAD_LOCATION', { side, location: brief(text), reason, forms: FORMS })
  if (address !== undefined && !address.startsWith('/')) throw bad('a file:// address has three slashes, and no host')
  const given = address ?? text
  if (given.includes('\0')) throw bad('it has a NUL character')
  const path = resolve(given)
  if (side === 'destination' && address === undefined) checkFolder(given, bad)
  const folder = /(?:^|\/)\.{0,2}$/.test(given) || isFolder(path)
  return { scheme: 'file', container: '', key: path === '/' ? '' : `${path.slice(1)}${folder ? '/' : ''}` }
}

/**
 * A bucket's name without its scheme looks like a path too. So the first folder of a bare `name/…` must be there.
 *
 * @param {string} path as it was typed
 * @param {(reason: string) => import('../../types').XferError} bad
 */
function checkFolder(path, bad) {
  const [, first] = /^([^./][^/]*)\/[^/]/.exec(path) ?? []
  if (first === undefined || existsSync(first)) return
  throw bad(`it was read as a path, and there is no folder ${JSON.stringify(brief(first))} here`)
}

/** @param {import('../contract').Place} place @returns {import('../contract').Place} */
function asFolder(place) {
  const { key } = place
  return key !== '' && !key.endsWith('/') && isFolder(`/${key}`) ? { ...place, key: `${key}/` } : place
}

/** @param {string} path */
function isFolder(path) {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** @param {Pick<import('../contract').Place, 'key'>} place @returns {string} the absolute path */
function text({ key }) {
  return `/${key}`
}

/**
 * Why no file can have this path, to follow "the key". A slash at the end, of a prefix, is none of the reasons.
 *
 * @param {string} key
 * @returns {string | undefined}
 */
function keyFault(key) {
  const segments = key.replace(/\/$/, '').split('/')
  if (key === '') return undefined
  if (key.includes('\0')) return 'has a NUL character, which no file name can have'
  if (!key.isWellFormed()) return 'is no valid Unicode'
  if (segments.includes('')) return 'has an empty folder name, which no path can have'
  if (segments.includes('.') || segments.includes('..')) return 'has a segment "." or "..", which a path does not keep'
  const long = segments.find(segment => Buffer.byteLength(segment) > MOST_NAME_BYTES)
  if (long !== undefined)
    return `has a name of ${Buffer.byteLength(long)} bytes, and a file may have ${MOST_NAME_BYTES}`
  const bytes = Buffer.byteLength(key) + 1
  return bytes > MOST_PATH_BYTES ? `makes a path of ${bytes} bytes, and one may have ${MOST_PATH_BYTES}` : undefined
}

module.exports = { asFolder, keyFault, parse, text }
