'use strict'

/** What the sentences of the table share. */

/** @typedef {import('./index').ErrorFacts} ErrorFacts */

/**
 * The words of a store for what every store has. Facts carry them as `terms`: see `StoreTerms` of lib/stores/contract.d.ts.
 *
 * @typedef {object} Terms
 * @property {string} container
 * @property {string} endpoint
 * @property {string} endpointInUse
 * @property {string} address
 * @property {string} credentials
 * @property {string} [credentialsAdvice]
 * @property {string} [accessAdvice] instead of the permissions that are needed
 * @property {string} [storageClass]
 * @property {string[]} [storageClasses]
 */

/** Words for a store that brings none. @type {Terms} */
const TERMS = {
  container: 'container',
  endpoint: 'the configuration',
  endpointInUse: 'the configuration',
  address: 'the configuration',
  credentials: 'the credentials',
}

/** The words of the store that the error is about. @param {ErrorFacts} f @returns {Terms} */
function termsOf({ terms }) {
  return { ...TERMS, ...terms }
}

/** The store that the error is about; `alone`: that of a command with one location. @param {ErrorFacts} f */
function sideOf({ alone, side = 'source' }) {
  return alone ? 'store' : side
}

/** Whose something is, before its noun; nothing where there is one store. @param {ErrorFacts} f */
function ofSide({ alone, side }) {
  return alone ? '' : `${side} `
}

/** The store's code and words, in parentheses; of an error without a status, the reason is another one. @param {ErrorFacts} f */
function storeCode(f) {
  const { storeCode: code, status } = f
  const said = [code, status === undefined ? undefined : words(f)].filter(Boolean).join(': ')
  return said ? ` (${said})` : ''
}

/** The store's words, unless its code says the same. @param {ErrorFacts} f @returns {string | undefined} */
function words({ reason, storeCode: code = '' }) {
  const letters = (/** @type {string} */ text) => text.toLowerCase().replace(/[^a-z]/g, '')
  return reason && letters(reason) !== letters(code) ? reason : undefined
}

/** A reason's code, and its explanation if there is one. @param {ErrorFacts} f */
function why(f) {
  return f.words ? `${f.reason}: ${f.words}` : f.reason
}

/** @param {ErrorFacts} f */
function answer(f) {
  const known = [f.status === undefined ? '' : `HTTP ${f.status}`, f.storeCode].filter(Boolean).join(', ')
  return [known, words(f)].filter(Boolean).join(': ')
}

/** How to resume a job that ended early. @param {ErrorFacts} f */
function resumeHint({ nothing, unproved = 0, job, state }) {
  const kept = nothing ? 'Nothing was copied yet' : 'What was copied is kept'
  const copies = `${count(unproved)} object${unproved === 1 ? '' : 's'}`
  const but = unproved > 0 ? `, but of ${copies} it is not proved that the copy is right` : ''
  return `${kept}${but}; go on with: xfer resume ${job}${state === undefined ? '' : ` --state ${state}`}`
}

/** A sentence to put at the end of another one: its first letter in lower case. @param {string} sentence */
function inner(sentence) {
  return /^[A-Z]{2}/.test(sentence) ? sentence : sentence[0].toLowerCase() + sentence.slice(1)
}

/** A duration in seconds or minutes, for people. @param {number} ms */
function lasting(ms) {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} minutes`
}

/** @param {number} many */
function count(many) {
  return many.toLocaleString('en-US')
}

/** A write with tags was refused. @param {Record<string, any>} facts @returns {string} a sentence that follows another, or nothing */
function tagged({ tagged, needsForTags }) {
  if (!tagged) return ''
  return ` The object has tags, which need ${needsForTags ?? 'a permission of their own'}; --tags none copies none.`
}

module.exports = {
  tagged,
  answer,
  count,
  inner,
  lasting,
  ofSide,
  resumeHint,
  sideOf,
  storeCode,
  termsOf,
  why,
}
