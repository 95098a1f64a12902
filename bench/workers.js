#!/usr/bin/env node
'use strict'

/**
 * Three workers, each a process behind a network of its own speed, of which one is stopped (SIGSTOP), one killed, one slow: how
 * long a copy takes against the ideal, in which every byte goes through the networks that are left, at their full speed. The
 * network is a proxy for each worker. The copy is compared with its source by SHA-256.
 *
 *     node bench/workers.js [--size 256MiB] [--rate 8MiB]      the size of the object; bytes a second of each worker
 */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const { networkInterfaces } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { pipeline } = require('node:stream/promises')
const { setTimeout: delay } = require('node:timers/promises')
const { parseArgs } = require('node:util')
const { parseSize } = require('../lib/options')
const { createPace } = require('../sandbox/common/pace')
const { putRandom, sha256Of } = require('../sandbox/objects')
const { BUCKET, environmentOf, startSandbox } = require('../sandbox/sandbox')

const XFER = join(__dirname, '..', 'cli', 'xfer.js')
const XFER_TOKEN = 'a-token-of-the-bench'
const PART = 4 * 1024 ** 2
/** What strikes once this share of the parts is copied. */
const SHARE = 0.25
/** The share of the usual rate that the slow worker has. */
const SLOW = 0.25

/** Signals to the workers, and how fast each is, from the start and after that. */
const CASES = [
  { name: 'all well', speeds: [1, 1, 1], left: [1, 1, 1], signals: [] },
  { name: 'one slow', speeds: [1, 1, SLOW], left: [1, 1, SLOW], signals: [] },
  { name: 'one killed', speeds: [1, 1, 1], left: [0, 1, 1], signals: ['SIGKILL'] },
  { name: 'one stopped', speeds: [1, 1, 1], left: [0, 1, 1], signals: ['SIGSTOP'] },
  {
    name: 'one stopped, one killed, one slow',
    speeds: [1, 1, SLOW],
    left: [0, 0, SLOW],
    signals: ['SIGSTOP', 'SIGKILL'],
  },
]

/** Stores on loopback are never asked through a proxy. @returns {string} */
function ownAddress() {
  const all = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  const found = all.find(({ family, internal }) => family === 'IPv4' && !internal)
  if (!found) throw new Error('This machine has no address but loopback.')
  return found.address
}

/** @param {number} bytesPerSecond in each direction */
async function startProxy(bytesPerSecond) {
  const [inward, outward] = [createPace(bytesPerSecond), createPace(bytesPerSecond)]
  const agent = new http.Agent({ keepAlive: true })
  const server = http.createServer((request, response) => {
    const { method, headers } = request
    const upstream = http.request(request.url ?? '', { method, headers, agent }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, paced(inward), response).catch(() => response.destroy())
    })
    upstream.on('error', () => response.destroy())
    pipeline(request, paced(outward), upstream).catch(() => upstream.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const close = () => {
    server.close()
    server.closeAllConnections()
    agent.destroy()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** @param {import('../sandbox/common/pace').Pace} pace */
function paced(pace) {
  return async function* (/** @type {AsyncIterable<Buffer>} */ body) {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += pace.pieceBytes) {
        const piece = chunk.subarray(at, at + pace.pieceBytes)
        yield piece
        await delay(pace.take(piece.length))
      }
    }
  }
}

/** @param {string} proxy */
async function startWorker(proxy) {
  const args = ['serve', '--port', '0', '--host', '127.0.0.1', '--heartbeat', '1s', '--places', '2']
  const env = { ...process.env, XFER_TOKEN, HTTP_PROXY: proxy, NO_PROXY: '' }
  const child = spawn(process.execPath, [XFER, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stderr }), 'line')
  const end = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { url: JSON.parse(line).url, child, end }
}

/**
 * @param {import('../sandbox/sandbox').Sandbox} sandbox
 * @param {{ speeds: number[], signals: string[], bytes: number, rate: number, to: string }} how
 * @returns {Promise<{ seconds: number, retries: number }>}
 */
async function copyOnce(sandbox, { speeds, signals, bytes, rate, to }) {
  const proxies = await Promise.all(speeds.map(speed => startProxy(speed * rate)))
  const workers = await Promise.all(proxies.map(({ url }) => startWorker(url)))
  const named = workers.flatMap(({ url }) => ['--worker', url])
  const places = [`s3://${BUCKET}/big`, `s3://${BUCKET}/${to}`]
  const flags = ['--exact-key', '--engine', 'http', '--chunk', '4MiB', '--json', ...named]
  try {
    const startedMs = performance.now()
    const env = { ...process.env, ...environmentOf(sandbox), XFER_TOKEN }
    const child = spawn(process.execPath, [XFER, 'copy', ...places, ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    let [parts, retries] = [0, 0]
    for await (const line of createInterface({ input: child.stdout })) {
      const { type } = JSON.parse(line)
      if (type === 'retry') retries++
      if (type === 'part' && ++parts === Math.ceil((SHARE * bytes) / PART)) {
        for (const [i, signal] of signals.entries()) workers[i].child.kill(/** @type {NodeJS.Signals} */ (signal))
      }
    }
    const [status] = await exited
    if (status !== 0) throw new Error(`xfer ended with status ${status}`)
    return { seconds: (performance.now() - startedMs) / 1000, retries }
  } finally {
    await Promise.all(workers.map(worker => worker.end()))
    for (const proxy of proxies) proxy.close()
  }
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((all, one) => all + one, 0)

async function main() {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '256MiB' }, rate: { type: 'string', default: '8MiB' } },
  })
  const [bytes, rate] = [parseSize(values.size, '--size'), parseSize(values.rate, '--rate')]
  const host = ownAddress()
  const sandbox = await startSandbox({ stores: [{ host }, { host }] })
  const [source, destination] = sandbox.stores
  try {
    await putRandom(source, { bucket: BUCKET, key: 'big', bytes })
    const expected = await sha256Of(source, { bucket: BUCKET, key: 'big' })
    console.log(
      '| workers | ideal s | took s | ideal of that | parts again | SHA-256 |\n| --- | --- | --- | --- | --- | --- |',
    )
    for (const [i, { name, speeds, left, signals }] of CASES.entries()) {
      const { seconds, retries } = await copyOnce(sandbox, { speeds, signals, bytes, rate, to: `copy-${i}` })
      const ideal = (SHARE * bytes) / (rate * sum(speeds)) + ((1 - SHARE) * bytes) / (rate * sum(left))
      const equal = (await sha256Of(destination, { bucket: BUCKET, key: `copy-${i}` })) === expected
      const cells = [name, ideal.toFixed(1), seconds.toFixed(1), `${Math.round((100 * ideal) / seconds)} %`, retries]
      console.log(`| ${cells.join(' | ')} | ${equal ? 'equal' : 'DIFFERS'} |`)
      if (!equal) process.exitCode = 1
    }
  } finally {
    await sandbox.close()
  }
}

main().catch(error => {
  process.stderr.write(`bench: ${error.message}\n`)
  process.exitCode = 1
})
