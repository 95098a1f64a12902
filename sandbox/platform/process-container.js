'use strict'

const fs = require('node:fs')
const http = require('node:http')
const path = require('node:path')
const { startGroup } = require('../common/processes/group')

/** @import { Action, Container, ContainerAnswer } from './types' */

const RUNTIME = path.join(__dirname, 'runtime', 'main.js')

/**
 * Creates containers that are processes, each with its own process group and directory, and an environment that inherits
 * nothing of the platform's but PATH. Upstream: core/invoker DockerContainer.scala, DockerContainerFactory.scala.
 *
 * @param {object} options
 * @param {() => string} options.root the parent directory of the containers' directories
 * @param {() => string} options.apihost
 * @param {{ add(pid: number): void, remove(pid: number): void }} options.reaper gets the id of each process
 * @param {(text: string) => void} options.onOutput what the actions write
 * @returns {(action: Action) => Container}
 */
function createProcessContainers({ root, apihost, reaper, onOutput }) {
  /** @param {string} directory @returns {NodeJS.ProcessEnv} */
  const environment = directory => ({
    PATH: process.env.PATH,
    HOME: directory,
    TMPDIR: directory,
    LANG: 'C.UTF-8',
    __OW_API_HOST: apihost(),
  })

  return action => {
    const directory = fs.mkdtempSync(path.join(root(), 'container-'))
    const memory = action.limits.memory
    const group = startGroup({
      command: process.execPath,
      args: ['--expose-gc', `--max-old-space-size=${memory}`, RUNTIME],
      directory,
      env: environment(directory),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      maxBytes: memory * 1024 * 1024,
      reaper,
    })
    const { child, exited } = group
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
    const lifeline = /** @type {import('node:net').Socket} */ (child.stdio[3])
    lifeline.on('error', () => {})

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
      pause: group.pause,
      resume: group.resume,
      kill: group.kill,
    }
  }
}

/**
 * Sends one POST to a container. Never rejects: a failure is an answer too. Upstream: ApacheBlockingContainerClient.scala.
 * Each POST has a connection of its own, because a reused one to a frozen or killed container fails for unclear reasons.
 *
 * @param {object} call
 * @param {number} call.port
 * @param {'/init' | '/run'} call.path
 * @param {unknown} call.body
 * @param {number} call.timeoutMs from the connection to the end of the answer
 * @param {number} call.maxBytes how much of the answer is kept; the rest is only counted
 * @param {() => void} [call.onSent] when the request is written
 * @returns {Promise<ContainerAnswer>}
 */
function postToContainer({ port, path, body, timeoutMs, maxBytes, onSent }) {
  return new Promise(resolve => {
    const bytes = Buffer.from(JSON.stringify(body))
    const request = http.request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json', 'Content-Length': bytes.length },
    })
    /** @param {ContainerAnswer} answer */
    const settle = answer => {
      clearTimeout(timer)
      resolve(answer)
      request.destroy()
    }
    const timer = setTimeout(() => settle({ kind: 'timeout' }), timeoutMs)
    request.on('error', error => {
      settle({ kind: 'gone', refused: /** @type {NodeJS.ErrnoException} */ (error).code === 'ECONNREFUSED' })
    })
    request.on('response', response => {
      if (response.headers['content-length'] === undefined) return settle({ kind: 'gone', refused: false })
      /** @type {Buffer[]} */
      const kept = []
      let count = 0
      response.on('data', chunk => {
        if (count < maxBytes) kept.push(chunk.subarray(0, maxBytes - count))
        count += chunk.length
      })
      response.on('error', () => settle({ kind: 'gone', refused: false }))
      response.on('end', () => {
        const text = Buffer.concat(kept).toString()
        const status = /** @type {number} */ (response.statusCode)
        settle({ kind: 'answer', status, text, bytes: count, truncated: count > maxBytes })
      })
    })
    request.end(bytes, onSent)
  })
}

module.exports = { createProcessContainers }
