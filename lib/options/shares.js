'use strict'

const { parseCount } = require('./sizes')

const BOUNDS = { least: 0, most: 1e12, or: 'a percentage from 0% to 100%' }
const PERCENTAGE = /^(\d+(?:\.\d+)?)\s*%$/

/**
 * @param {string | number} value `1000` or `10%`
 * @param {string} name the option, for the message
 * @returns {{ count: number } | { percent: number }}
 * @throws {import('../errors').XferError} USAGE
 */
function parseShare(value, name) {
  const [, percent] = PERCENTAGE.exec(String(value).trim()) ?? []
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) }
  return { count: parseCount(value, name, BOUNDS) }
}

module.exports = { parseShare }
