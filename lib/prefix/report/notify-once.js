'use strict'

/** A notice that applies to many objects is emitted for the first one, and not a million times. */

const { identityOf } = require('../../notices')

/** @typedef {import('../../types').Notice} Notice */

/** Limit for notices whose other facts differ from object to object. */
const MOST_TOLD = 1_000

/**
 * @param {(event: Notice) => void} emit
 * @returns {(notice: Notice) => void} emits the notice unless the same was emitted for another object
 */
function createNotifyOnce(emit) {
  /** @type {Set<string>} */
  const told = new Set()
  return notice => {
    const identity = identityOf(notice, { anywhere: true })
    if (told.has(identity) || told.size === MOST_TOLD) return
    told.add(identity)
    emit(notice)
  }
}

module.exports = { createNotifyOnce }
