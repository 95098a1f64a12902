'use strict'

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { postToContainer } = require('./container-post')
const { createLogCollector } = require('./log-lines')
const { watchMemory } = require('./memory')

/** @import { Container, Settings } from './types' */

const RUNTIME = path.join(__dirname, 'runtime', 'main.js')

/**
 * Creates containers that are processes, each with its own process group and directory, and an environment that inherits
 * nothing of the platform's but PATH. Upstream: core/invoker DockerContainer.scala, DockerContainerFactory.scala.
 *
 * @param {object} options
 * @param {Settings} options.settings
 * @param {() => string} options.root the parent directory of the containers' directories
 * @param {() => string} options.apihost
 * @param {{ add(pid: number): void, remove(pid: number): void }} options.reaper gets the id of each process
 * @returns {import('./types').ContainerFactory}
 */
function createProcessContainers({ settings, root, apihost, reaper }) {
  /** @param {string} directory @returns {NodeJS.ProcessEnv} */
  const environment = directory => ({
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    LANG: 'C.UTF-8',
    __OW_API_HOST: apihost(),
    ...settings.env,
  })

  return action => {
    const directory = fs.mkdtempSync(path.join(root(), 'container-'))
    const memory = action.limits.memory
    const child = spawn(settings.node, ['--expose-gc', `--max-old-space-size=${memory}`, RUNTIME], {
      cwd: directory,
      env: environment(directory),
      // a signal to the group reaches the action's child processes, and Ctrl-C in a terminal reaches only the platform
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const stdout = /** @type {import('node:stream').Readable} */ (child.stdout)
    const stderr = /** @type {import('node:stream').Readable} */ (child.stderr)
    const lifeline = /** @type {import('node:net').Socket} */ (child.stdio[3])
    lifeline.on('error', () => {})
    const logs = createLogCollector({ stdout, stderr, waitMs: settings.logWaitMs })
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

    const memoryWatch = watchMemory({
      pid: child.pid,
      maxBytes: memory * 1024 * 1024,
      everyMs: settings.memoryCheckMs,
      onExceeded: () => signalGroup('SIGKILL'),
    })

    /** @type {Container['exited']} */
    const exited = new Promise(resolve => {
      /** @param {NodeJS.Signals | null} [signal] */
      const ended = signal => {
        memoryWatch.stop()
        // ends the action's child processes too
        signalGroup('SIGKILL')
        if (child.pid !== undefined) reaper.remove(child.pid)
        removeDirectory(directory)
        // V8 aborts when its heap is full
        resolve({ outOfMemory: memoryWatch.exceeded || signal === 'SIGABRT' })
      }
      child.once('error', () => child.pid === undefined && ended())
      child.once('exit', (_code, signal) => ended(signal))
    })

    let port = 0
    const started = new Promise((resolve, reject) => {
      lifeline.once('data', line => {
        port = Number(line.toString())
        resolve(undefined)
      })
      exited.then(() => reject(new Error('the container process ended before it was ready')))
    })
    // callers handle the rejection; unhandled, it must not end the platform
    started.catch(() => {})

    return {
      pid: child.pid,
      initialised: false,
      started: /** @type {Promise<void>} */ (started),
      exited,
      async post(route, body, options) {
        memoryWatch.active = route === '/run'
        const answer = await postToContainer({ port, path: route, body, ...options })
        memoryWatch.active = false
        return answer
      },
      takeLogs: maxBytes => logs.take(maxBytes),
      pause: () => signalGroup('SIGSTOP'),
      resume: () => signalGroup('SIGCONT'),
      kill: () => signalGroup('SIGKILL'),
    }
  }
}

/** @param {string} directory */
function removeDirectory(directory) {
  try {
    fs.rmSync(directory, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
  } catch {
    // a file in it is still being written; the reaper removes the parent directory at the end
  }
}

module.exports = { createProcessContainers }
