'use strict'

/** Words of which the sentences of error-table/ are made. */

/** @typedef {Record<string, any>} Facts */

/** The beginning of a side's options. @param {Facts} f */
function optionOf(f) {
  return f.side === 'destination' ? 'dest' : 'source'
}

/** The middle of a side's variables. @param {Facts} f */
function prefixOf(f) {
  return optionOf(f).toUpperCase()
}

/** @param {Facts} f */
function storeCode(f) {
  return f.storeCode ? ` (${f.storeCode})` : ''
}

/** A code, and what it means. @param {Facts} f */
function why(f) {
  return f.words ? `${f.reason}: ${f.words}` : f.reason
}

/** @param {Facts} f */
function answer(f) {
  return `HTTP ${f.status}${f.storeCode ? `, ${f.storeCode}` : ''}`
}

/** How a job that ended early is gone on with. @param {Facts} f */
function goOn(f) {
  return `What was copied is kept; go on with: xfer resume ${f.job}`
}

/** A sentence as the end of another one. @param {string} sentence */
function inner(sentence) {
  return /^[A-Z]{2}/.test(sentence) ? sentence : sentence[0].toLowerCase() + sentence.slice(1)
}

/** How long something lasts, for people. @param {number} ms */
function lasting(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} minutes`
}

module.exports = {
  answer,
  goOn,
  inner,
  lasting,
  optionOf,
  prefixOf,
  storeCode,
  why,
}
