'use strict'

/** Checks one page of a list before it is used: an object in the wrong place would seem to be missing. */

const { XferError } = require('../errors')
const { compareNames } = require('./order')

/** @typedef {import('../types').ListedObject} ListedObject */

/**
 * @typedef {object} Page
 * @property {string[]} names in order, only those of the range
 * @property {ListedObject[]} objects the objects of these names
 * @property {string | undefined} last the last name on the page, even if it is outside the range
 * @property {boolean} beyond whether the page has names above the range, so that the range has ended
 * @property {ListedObject[]} odd objects whose keys cannot be read, so that their order is unknown
 * @property {boolean} early whether the page has names below the range: the store ignored `after`
 */

/**
 * @param {readonly ListedObject[]} objects as the store listed them
 * @param {object} bounds
 * @param {string} bounds.prefix the part of the keys before the names
 * @param {string} [bounds.after] start of the range, exclusive
 * @param {string} [bounds.until] end of the range, inclusive
 * @param {string} [bounds.last] the last name of the page before
 * @param {Record<string, any>} bounds.facts the store's facts for errors
 * @returns {Page}
 * @throws {XferError} LISTING_DISORDERED
 */
function readPage(objects, { prefix, after, until, last, facts }) {
  /** @type {Page} */
  const page = { names: [], objects: [], odd: [], last, beyond: false, early: false }
  for (const object of objects) {
    const { key } = object
    if (!key.startsWith(prefix)) throw disordered(facts, `it lists ${shown(key)} below ${shown(prefix)}`)
    if (object.doubtful) {
      page.odd.push(object)
      continue
    }
    const name = key.slice(prefix.length)
    if (page.last !== undefined && compareNames(page.last, name) >= 0) {
      throw disordered(facts, `it lists ${shown(key)} behind ${shown(prefix + page.last)}`)
    }
    page.last = name
    if (after !== undefined && page.names.length === 0) {
      const order = compareNames(name, after)
      if (order < 0) page.early = true
      if (order <= 0) continue
    }
    if (until !== undefined && compareNames(name, until) > 0) {
      page.beyond = true
      break
    }
    page.names.push(name)
    page.objects.push(object)
  }
  return page
}

/**
 * Cuts a page when its range has been shortened.
 *
 * @param {Page} page
 * @param {string} until
 */
function cutPage(page, until) {
  const { names, objects, last } = page
  page.beyond ||= last !== undefined && compareNames(last, until) > 0
  const end = names.findIndex(name => compareNames(name, until) > 0)
  if (end < 0) return
  names.length = end
  objects.length = end
}

/** @param {string} key */
function shown(key) {
  return JSON.stringify(key.length > 200 ? `${key.slice(0, 200)}…` : key)
}

/** @param {Record<string, any>} facts @param {string} reason */
function disordered(facts, reason) {
  return new XferError('LISTING_DISORDERED', { ...facts, reason })
}

module.exports = { cutPage, disordered, readPage }
