'use strict'

/**
 * What kind of value a caller gave, for messages. Never the value itself, which may be a secret.
 *
 * @param {unknown} value
 * @returns {string} such as `a number`, `an array`, `a URL object`
 */
function kindOf(value) {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  const name = Object.getPrototypeOf(value)?.constructor?.name
  if (name === undefined || name === 'Object' || name === '') return 'an object'
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}${name === 'Promise' || name === 'Date' ? '' : ' object'}`
}

module.exports = { kindOf }
