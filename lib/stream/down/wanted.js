'use strict'

/** The bytes that are wanted of an object: `--range`. Pure. */

const { XferError } = require('../../errors')

/**
 * The first and the last byte, from 0; without the last one: to the end; without the first one: so many at the end.
 *
 * @typedef {{ first?: number, last?: number }} Wanted
 */

const ADVICE = 'Give the first and the last byte, from 0: 0-999; 1000- for all from there; -500 for the last 500.'

/** @param {string} text @returns {Wanted} @throws {XferError} USAGE */
function parseRange(text) {
  const [, from, to] = /^(\d*)-(\d*)$/.exec(text) ?? []
  const [first, last] = [from, to].map(digits => (digits ? Number(digits) : undefined))
  const isWhole = [first, last].every(each => each === undefined || Number.isSafeInteger(each))
  const backwards = first !== undefined && last !== undefined && last < first
  if ((first === undefined && last === undefined) || !isWhole || backwards) {
    throw new XferError('USAGE', { text: `--range "${text}" is no range of bytes.`, advice: ADVICE })
  }
  return { first, last }
}

/**
 * @param {Wanted | undefined} wanted undefined: all
 * @param {number} total of the object
 * @returns {{ start: number, bytes: number }} as far as the object has them
 * @throws {XferError} USAGE if it has none of them
 */
function chosenOf(wanted, total) {
  if (!wanted) return { start: 0, bytes: total }
  const { first, last } = wanted
  const start = first ?? Math.max(0, total - /** @type {number} */ (last))
  const end = first === undefined ? total : Math.min(total, (last ?? total) + 1)
  if (start < end) return { start, bytes: end - start }
  const has = `${total.toLocaleString('en-US')} bytes`
  throw new XferError('USAGE', { text: `--range lies outside the object, which has ${has}.`, advice: ADVICE })
}

module.exports = { chosenOf, parseRange }
