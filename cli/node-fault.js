'use strict'

/**
 * Why xfer cannot run in this process. Old versions of Node.js run this file and xfer.js before they are refused, so both keep
 * to the syntax of Node.js 8.
 */

const { engines } = require('../package.json')

/** Packages that xfer needs then bring code that reads no files. */
const BROWSER = / (?:--conditions|-C)[= ]browser /

/** Node.js alone opens some twenty files. With 64 a prefix is copied, slowly; with 48 its threads and connections starve. */
const FEWEST_FILES = 64

/**
 * @param {Pick<NodeJS.Process, 'versions' | 'execArgv' | 'env'>} process
 * @returns {string | undefined} one sentence
 */
function nodeFault(process) {
  const needed = engines.node.replace('>=', '')
  const found = process.versions.node
  if (isOlder(found, needed)) return `Node.js ${found} is too old for xfer, which needs ${needed} or later.`
  const options = [''].concat(process.execArgv, process.env.NODE_OPTIONS || '', '').join(' ')
  if (BROWSER.test(options))
    return 'Node.js was told to load code for browsers, which xfer cannot run on: take --conditions=browser (-C browser) out of NODE_OPTIONS.'
  const files = openFilesAllowed()
  if (files >= FEWEST_FILES) return undefined
  return `This process may open only ${files} files and connections, and xfer needs ${FEWEST_FILES} or more: raise the limit (ulimit -n 1024).`
}

/** Node.js has raised the soft limit to the hard one. @returns {number} Infinity where the system does not tell (Linux does) */
function openFilesAllowed() {
  // Not at the top: Node.js before 14.18 knows no `node:`.
  const { readFileSync } = require('node:fs')
  try {
    const told = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))
    return told ? Number(told[1]) : Number.POSITIVE_INFINITY
  } catch (_error) {
    return Number.POSITIVE_INFINITY
  }
}

/** `localeCompare` would do, but loads the rules of all languages first, which takes 5 ms. @param {string} version @param {string} other */
function isOlder(version, other) {
  const [major, minor] = version.split('.').map(Number)
  const [otherMajor, otherMinor] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

module.exports = { nodeFault }
