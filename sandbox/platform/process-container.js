'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { startGroup } = require('../common/processes/group')
const { postToContainer } = require('./container-post')
const { createLogCollector } = require('./log-lines')

/** @import { Settings } from './types' */

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
    const group = startGroup({
      command: settings.node,
      args: ['--expose-gc', `--max-old-space-size=${memory}`, RUNTIME],
      directory,
      env: environment(directory),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      memory: { maxBytes: memory * 1024 * 1024, everyMs: settings.memoryCheckMs },
      reaper,
    })
    const { child, exited } = group
    const stdout = /** @type {import('node:stream').Readable} */ (child.stdout)
    const stderr = /** @type {import('node:stream').Readable} */ (child.stderr)
    const lifeline = /** @type {import('node:net').Socket} */ (child.stdio[3])
    lifeline.on('error', () => {})
    const logs = createLogCollector({ stdout, stderr, waitMs: settings.logWaitMs })

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
        group.watchMemory(route === '/run')
        const answer = await postToContainer({ port, path: route, body, ...options })
        group.watchMemory(false)
        return answer
      },
      takeLogs: maxBytes => logs.take(maxBytes),
      pause: group.pause,
      resume: group.resume,
      kill: group.kill,
    }
  }
}

module.exports = { createProcessContainers }
