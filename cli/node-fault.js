'use strict'

/**
 * Why xfer cannot run on this Node.js. Old versions of Node.js run this file and xfer.js before they are refused, so both keep
 * to the syntax of Node.js 8.
 */

const { engines } = require('../package.json')

/** Packages that xfer needs then bring code that reads no files. */
const BROWSER = / (?:--conditions|-C)[= ]browser /

/**
 * @param {Pick<NodeJS.Process, 'versions' | 'execArgv' | 'env'>} process
 * @returns {string | undefined} one sentence
 */
function nodeFault(process) {
  const needed = engines.node.replace('>=', '')
  const found = process.versions.node
  if (isOlder(found, needed)) return `Node.js ${found} is too old for xfer, which needs ${needed} or later.`
  const options = [''].concat(process.execArgv, process.env.NODE_OPTIONS || '', '').join(' ')
  if (!BROWSER.test(options)) return undefined
  return 'Node.js was told to load code for browsers, which xfer cannot run on: take --conditions=browser (-C browser) out of NODE_OPTIONS.'
}

/** @param {string} version @param {string} other */
function isOlder(version, other) {
  const [major, minor] = version.split('.').map(Number)
  const [otherMajor, otherMinor] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

module.exports = { nodeFault }
