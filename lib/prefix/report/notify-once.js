'use strict'

/** What is true of many objects is told of the first one, and not a million times. */

const { identityOf } = require('../../notices')

/** @typedef {import('../../types').Notice} Notice */

/** Notices that are otherwise of each object, for what else they hold: they have to end somewhere. */
const MOST_TOLD = 1_000

/**
 * @param {(event: Notice) => void} emit
 * @returns {(notice: Notice) => void} emits it, but where another object was told of likewise
 */
function createToldOnce(emit) {
  /** @type {Set<string>} */
  const told = new Set()
  return notice => {
    const identity = identityOf(notice, { anywhere: true })
    if (told.has(identity) || told.size === MOST_TOLD) return
    told.add(identity)
    emit(notice)
  }
}

module.exports = { createToldOnce }
