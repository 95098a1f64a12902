'use strict'

/** One page of a list, looked at before anything is believed of it: what it misplaces would seem to be missing. */

const { XferError } = require('../errors')
const { compareNames, countUpTo } = require('./order')

/** @typedef {import('../types').ListedObject} ListedObject */

/**
 * @typedef {object} Page
 * @property {string[]} names in order, of the range alone
 * @property {ListedObject[]} objects theirs
 * @property {string | undefined} last the last name that was told, also where it is none of the range
 * @property {boolean} beyond names above the range were told: there is nothing more of it
 * @property {ListedObject[]} odd objects whose keys the store cannot write, so that nobody knows where they stand
 * @property {boolean} early names below the range were told: `after` was not heeded
 */

/**
 * @param {readonly ListedObject[]} objects as the store told them
 * @param {object} bounds
 * @param {string} bounds.prefix what keys have before their names
 * @param {string} bounds.within what the names begin with
 * @param {string} [bounds.after] names of the range are above it
 * @param {string} [bounds.until] and not above this
 * @param {string} [bounds.last] the last name of the page before
 * @param {Record<string, any>} bounds.facts of the store
 * @returns {Page}
 * @throws {XferError} LISTING_DISORDERED
 */
function readPage(objects, { prefix, within, after, until, last, facts }) {
  /** @type {Page} */
  const page = { names: [], objects: [], odd: [], last, beyond: false, early: false }
  const beginning = prefix + within
  for (const object of objects) {
    const { key } = object
    if (!key.startsWith(beginning)) throw disordered(facts, `it lists ${shown(key)} below ${shown(beginning)}`)
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
 * The range ends sooner.
 *
 * @param {Page} page
 * @param {string} until
 */
function cutPage(page, until) {
  const { names, objects, last } = page
  page.beyond ||= last !== undefined && compareNames(last, until) > 0
  names.length = countUpTo(names, until)
  objects.length = names.length
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
