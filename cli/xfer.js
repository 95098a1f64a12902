#!/usr/bin/env node
'use strict'

/**
 * The process of the program: its arguments, its streams and its end. What it does is in main.js. Old versions of Node.js run
 * this file before they are refused, so it keeps to the syntax of Node.js 8.
 */

const { engines } = require('../package.json')

/** Packages that xfer needs then bring code that reads no files. */
const BROWSER = / (?:--conditions|-C)[= ]browser /

/** Node.js alone opens some twenty files. With 64 a prefix is copied, slowly; with 48 its threads and connections starve. */
const FEWEST_FILES = 64

/** Why xfer cannot run in this process. @returns {string | undefined} one sentence */
function nodeFault() {
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

const fault = nodeFault()
if (fault !== undefined) {
  process.stderr.write(`xfer: ${fault}\n`)
  process.exit(2)
}

keepCompiled(process.env)
const { main } = require('./main')

let outputFailed = false

/** Ends the process when all output is written: a pipe may still hold some. @param {number} status */
function end(status) {
  process.exitCode = status
  process.stdout.write('', () => {
    // The error event of a last write that failed comes after this.
    reportLost(process.stdout.errored)
    process.stderr.write('', () => process.exit(outputFailed && status === 0 ? 1 : status))
  })
}

/** @param {number} status @param {{ hangs?: boolean }} [how] hangs: a thread of Node.js may hang, and `exit` would wait for it */
function leave(status, { hangs = false } = {}) {
  // A shell calls this status 130. No listener is left.
  if (hangs) process.kill(process.pid, 'SIGINT')
  else process.exit(status)
}

/** Lost output is reported once, on standard error, except after EPIPE. @param {NodeJS.ErrnoException | null} error */
function reportLost(error) {
  if (!error || error.code === 'EPIPE' || outputFailed) return
  process.stderr.write(
    `xfer: Standard output cannot be written (${error.code || error.message}).\n      Check where it is redirected to.\n`,
  )
  outputFailed = true
  process.exitCode = process.exitCode || 1
}

/**
 * The terminal is gone. A command that listens to SIGHUP comes to its end first, any other ends now. Node.js crashes where it
 * exits without its terminal, so the signal ends it, which a shell calls status 129.
 */
function heedHangUp() {
  const endBySignal = () => {
    process.removeAllListeners('SIGHUP')
    process.kill(process.pid, 'SIGHUP')
  }
  process.on('SIGHUP', () => {
    if (process.listenerCount('SIGHUP') === 1) endBySignal()
    else process.once('exit', endBySignal)
  })
}

/**
 * Lets Node.js (22.8 and later) cache the code that it compiles: start-up takes a sixth less time. The cache is in the
 * user's own folder because it holds code, and Node's default folder is shared by all users of a machine.
 * https://nodejs.org/api/module.html#module-compile-cache,
 * https://specifications.freedesktop.org/basedir-spec/latest/
 *
 * @param {NodeJS.ProcessEnv} env Node.js itself reads NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE
 */
function keepCompiled({ XDG_CACHE_HOME, HOME }) {
  const { isAbsolute, join } = require('node:path')
  const { enableCompileCache } = /** @type {any} */ (require('node:module'))
  const base = XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : HOME && join(HOME, '.cache')
  // If the folder cannot be written, there is no cache, and everything else works.
  if (base && enableCompileCache) enableCompileCache(join(base, 'xfer', 'compiled'))
}

heedHangUp()
// The copy continues if the reader of our output stops reading, or the disk is full.
process.stdout.on('error', reportLost)
process.stderr.on('error', () => {})
main(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  end,
  leave,
  // It is opened when it is first asked for.
  input: () => process.stdin,
})
