'use strict'

/** The entries of one folder, in the order in which lists have them. */

const { readdir, stat } = require('node:fs/promises')
const { partialIdOf } = require('../../files')
const { compareNames } = require('../../listing')
const { codeOf } = require('./explain')

/** In it JavaScript's own order differs from that of UTF-8. */
const HIGH = /[\ud800-\uffff]/
/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'
/** What a link that leads nowhere is answered with. */
const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP']

/**
 * @typedef {object} Entries
 * @property {string[]} names of files, and of folders with a slash at the end, in order
 * @property {string[]} unreadable names that are no UTF-8, as far as they can be shown
 * @property {number} links those that are not followed
 * @property {number} special devices, pipes and sockets
 */

/**
 * @param {string} path
 * @param {{ follow: boolean }} how
 * @returns {Promise<Entries>}
 */
async function readFolder(path, { follow }) {
  const entries = await readdir(path, { withFileTypes: true })
  const unreadable = entries.some(({ name }) => name.includes(REPLACEMENT)) ? await notUtf8(path) : new Set()
  /** @type {Entries} */
  const found = { names: [], unreadable: [], links: 0, special: 0 }
  for (const entry of entries) {
    const { name } = entry
    if (unreadable.has(name)) found.unreadable.push(name)
    else if (partialIdOf(name) !== undefined) continue
    else if (entry.isFile()) found.names.push(name)
    else if (entry.isDirectory()) found.names.push(`${name}/`)
    else if (entry.isSymbolicLink() && follow) await addTarget(found, path, name)
    else if (entry.isSymbolicLink()) found.links++
    else found.special++
  }
  found.names.some(name => HIGH.test(name)) ? found.names.sort(compareNames) : found.names.sort()
  return found
}

/** @param {Entries} found @param {string} path @param {string} name of a link */
async function addTarget(found, path, name) {
  const target = await stat(`${path}/${name}`).catch(cause => {
    // What cannot be looked at may be there.
    if (!NOWHERE.includes(codeOf(cause))) throw cause
  })
  if (target?.isFile()) found.names.push(name)
  else if (target?.isDirectory()) found.names.push(`${name}/`)
  else if (target) found.special++
  // It leads nowhere, or to itself.
  else found.links++
}

/** @param {string} path @returns {Promise<Set<string>>} */
async function notUtf8(path) {
  const names = await readdir(path, { encoding: 'buffer' })
  return new Set(names.filter(name => !Buffer.from(name.toString()).equals(name)).map(name => name.toString()))
}

module.exports = { readFolder }
