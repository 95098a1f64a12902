'use strict'

/** How often a container's memory is checked. */
const MEMORY_CHECK_MS = 100

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, outOfMemory: boolean }} End both null: it did not start */

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const { once } = require('node:events')
const os = require('node:os')
const path = require('node:path')

/**
 * Starts a program that plays a container: it leads a process group of its own, and its directory is removed when it has ended.
 *
 * @param {object} options
 * @param {string} options.command
 * @param {string[]} options.args
 * @param {string} options.directory its own
 * @param {string} [options.cwd] its working directory, if that is another one
 * @param {NodeJS.ProcessEnv} options.env
 * @param {import('node:child_process').StdioOptions} options.stdio
 * @param {number} options.maxBytes of memory
 * @param {{ add(pid: number): void, remove(pid: number): void }} options.reaper gets the id of the process
 */
function startGroup({ command, args, directory, cwd = directory, env, stdio, maxBytes, reaper }) {
  // a signal to the group reaches the program's child processes, and Ctrl-C in a terminal does not reach it
  const child = spawn(command, args, { cwd, env, detached: true, stdio })
  if (child.pid !== undefined) reaper.add(child.pid)

  /** @param {NodeJS.Signals} signal */
  function signalGroup(signal) {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // it has exited already
    }
  }

  const memoryWatch = watchMemory({ pid: child.pid, maxBytes, onExceeded: () => signalGroup('SIGKILL') })

  /** @type {Promise<End>} */
  const exited = new Promise(resolve => {
    /** @param {number | null} code @param {NodeJS.Signals | null} signal */
    const ended = (code, signal) => {
      memoryWatch.stop()
      // ends its child processes too
      signalGroup('SIGKILL')
      if (child.pid !== undefined) reaper.remove(child.pid)
      try {
        fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
      } catch {
        // a file in it is still being written; the reaper removes the parent directory at the end
      }
      // V8 aborts when its heap is full
      resolve({ code, signal, outOfMemory: memoryWatch.exceeded || signal === 'SIGABRT' })
    }
    child.once('error', () => child.pid === undefined && ended(null, null))
    child.once('exit', ended)
  })

  return {
    child,
    exited,
    /** Memory is checked only while that is on. @param {boolean} on */
    watchMemory(on) {
      memoryWatch.active = on
    },
    pause: () => signalGroup('SIGSTOP'),
    resume: () => signalGroup('SIGCONT'),
    kill: () => signalGroup('SIGKILL'),
  }
}

/**
 * Imitates the hard memory limit of a Docker container: checks the process's anonymous memory (which the kernel cannot
 * reclaim) at intervals, and reports when it is above the limit. Without /proc only V8's own heap limit holds.
 *
 * @param {object} options
 * @param {number | undefined} options.pid
 * @param {number} options.maxBytes
 * @param {() => void} options.onExceeded
 */
function watchMemory({ pid, maxBytes, onExceeded }) {
  const status = `/proc/${pid}/status`
  const watch = {
    /** Checks only while a request runs: unpacking a large archive may need memory that a real platform does not count. */
    active: false,
    exceeded: false,
    stop: () => clearInterval(timer),
  }
  const timer = setInterval(() => {
    if (!watch.active || watch.exceeded || anonymousBytes(status) <= maxBytes) return
    watch.exceeded = true
    onExceeded()
  }, MEMORY_CHECK_MS).unref()
  return watch
}

/** @param {string} file */
function anonymousBytes(file) {
  try {
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(fs.readFileSync(file, 'utf8'))
    return found ? Number(found[1]) * 1024 : 0
  } catch {
    return 0
  }
}

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

module.exports = { startGroup, createReaper }
