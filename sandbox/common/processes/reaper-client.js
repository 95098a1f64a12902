'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

/**
 * A platform's connection to reaper.js, which starts with the first process, and the parent of the processes' directories.
 *
 * @param {string} platform a word for the name of that parent
 */
function createReaper(platform) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  /** @type {string | undefined} */
  let root

  function start() {
    root = fs.mkdtempSync(path.join(os.tmpdir(), `xfer-${platform}-`))
    child = spawn(process.execPath, [path.join(__dirname, 'reaper.js'), root], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
    })
    child.on('error', () => {})
    child.stdin?.on('error', () => {})
    child.unref()
  }

  return {
    /** @returns {string} */
    root() {
      if (!root) start()
      return /** @type {string} */ (root)
    },
    /** @param {number} pid */
    add: pid => child?.stdin?.write(`+${pid}\n`),
    /** @param {number} pid */
    remove: pid => child?.stdin?.write(`-${pid}\n`),
    /** Resolves when the directory is removed and the reaper has exited. @returns {Promise<void>} */
    async close() {
      if (!child) return
      // a process that has nothing else to do waits for it too
      child.ref()
      child.stdin?.end()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (root) fs.rmSync(root, { recursive: true, force: true })
    },
  }
}

module.exports = { createReaper }
