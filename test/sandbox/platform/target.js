'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const path = require('node:path')
const readline = require('node:readline')
const consumers = require('node:stream/consumers')
const { strToU8, zipSync } = require('fflate')
const openwhisk = require('openwhisk')
const { startPlatform } = require('../../../sandbox/platform')

/**
 * The platform that the contract cases speak to: the one that XFER_TEST_APIHOST (with its protocol) and XFER_TEST_AUTH name, or
 * one of our own.
 *
 * @param {import('../../../sandbox/platform/types').PlatformOptions} [options] of our own
 */
async function startTarget(options) {
  const apihost = process.env.XFER_TEST_APIHOST
  const auth = process.env.XFER_TEST_AUTH
  if (apihost && auth) {
    const target = { real: true, apihost, auth, close: async () => {} }
    const { body } = await rawCall(target, 'GET', '/api/v1/namespaces')
    return { ...target, namespace: body[0] }
  }
  return { real: false, ...(await startPlatform({ limits: { perMinute: 100_000 }, ...options })) }
}

/** @param {{ apihost: string, auth: string }} target */
const client = ({ apihost, auth }) => openwhisk({ apihost, api_key: auth })

/**
 * One HTTP call as it is on the wire.
 *
 * @param {{ apihost: string, auth: string }} target
 * @param {string} method
 * @param {string} path
 * @param {{ json?: unknown, auth?: string, headers?: Record<string, string> }} [options]
 */
async function rawCall(target, method, path, { json, auth = target.auth, headers = {} } = {}) {
  const payload = json && JSON.stringify(json)
  const length = payload && Buffer.byteLength(payload)
  const content = payload && { 'content-type': 'application/json', 'content-length': String(length) }
  const { request: open } = target.apihost.startsWith('https:') ? https : http
  const request = open(target.apihost + path, {
    method,
    agent: false,
    headers: { authorization: `Basic ${Buffer.from(auth).toString('base64')}`, ...content, ...headers },
  })
  request.end(payload)
  const [response] = await once(request, 'response')
  const raw = await consumers.text(response)
  return { status: response.statusCode, headers: response.headers, raw, body: raw ? parse(raw) : undefined }
}

const MAIN = path.join(__dirname, '../../../sandbox/main.js')

/** A process, and what its first line says. @param {import('node:child_process').ChildProcess} child */
async function heard(child) {
  const lines = readline.createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  return { child, lines, ...JSON.parse(line) }
}

/** The sandbox as a process of its own. @param {...string} args */
const startProcess = (...args) =>
  heard(spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }))

/** Ends a process: by SIGKILL it ends at once, by another signal well. @param {NodeJS.Signals} signal @param {import('node:child_process').ChildProcess} child */
async function endBy(signal, child) {
  const exit = once(child, 'exit')
  child.kill(signal)
  expect(await exit).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null])
}

/** @param {string} raw */
function parse(raw) {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** @param {Record<string, string | Uint8Array>} files @param {0 | 6} [level] of compression @returns {Buffer} */
function zip(files, level = 6) {
  const entries = Object.entries(files).map(([k, v]) => [k, typeof v === 'string' ? strToU8(v) : v])
  return Buffer.from(zipSync(Object.fromEntries(entries), { level }))
}

/** A rejection as a value. @param {Promise<unknown>} promise @returns {Promise<any>} */
async function rejection(promise) {
  const [value, error] = await promise.then(
    value => [value],
    error => [undefined, error],
  )
  if (error === undefined) throw new Error(`resolved with ${JSON.stringify(value)}`)
  return error
}

/** Whether there is such a process. @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Waits for what has no event: looks until it is so, within a bound.
 *
 * @param {() => unknown | Promise<unknown>} condition
 * @param {number} [withinMs]
 */
async function until(condition, withinMs = 10_000) {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (Date.now() > end) throw new Error(`not so within ${withinMs} ms: ${condition}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

module.exports = { client, endBy, heard, isAlive, MAIN, rawCall, rejection, startProcess, startTarget, until, zip }
