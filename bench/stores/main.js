#!/usr/bin/env node
'use strict'

/**
 * Runs a synthetic store: this process has the catalog, its workers (the same program) serve the connections. stores/index.js
 * starts it, and it ends when that process does.
 */

const nodeCluster = require('node:cluster')
const { readFileSync } = require('node:fs')
const net = require('node:net')
const { join } = require('node:path')
const tls = require('node:tls')
const { openCalls } = require('./calls')
const { createCatalog } = require('./catalog')
const { serveConnection } = require('./connection')
const { createOperations, newCounters } = require('./operations')

// Its types describe the ES module.
const cluster = /** @type {import('node:cluster').Cluster} */ (/** @type {unknown} */ (nodeCluster))

/** @typedef {{ made: Record<string, number>, workers: number, certificate?: string }} StoreOptions certificate: its folder */

function keepCatalog() {
  /** @type {Record<string, (...args: any[]) => any>} */
  let catalog = {}
  /** @type {ReturnType<typeof openCalls>[]} */
  let calls = []
  /** @param {string} method @param {...any} args */
  const all = (method, ...args) => Promise.all(calls.map(call => call(method, ...args)))
  openCalls(process, {
    /** @param {StoreOptions} options too long for the command line, if there are many objects */
    async start({ made, workers, certificate }) {
      catalog = /** @type {any} */ (createCatalog(made))
      cluster.setupPrimary({ exec: __filename, args: certificate ? [certificate] : [] })
      calls = Array.from({ length: workers }, () => openCalls(/** @type {any} */ (cluster.fork()), catalog))
      const [port] = await all('listen')
      return { port, pids: [process.pid, ...Object.values(cluster.workers ?? {}).map(worker => worker?.process.pid)] }
    },
    counters: async () => (await all('counters')).reduce(added, newCounters()),
    reset: () => all('reset'),
    check: on => all('check', on),
    find: name => catalog.find(name),
    remove: name => catalog.remove(name),
  })
  process.on('disconnect', () => process.exit())
}

/**
 * @param {import('./operations').Counters} a
 * @param {import('./operations').Counters} b
 * @returns {import('./operations').Counters}
 */
function added(a, b) {
  const sum = { ...a, requests: { ...a.requests }, firstMs: { ...a.firstMs } }
  for (const [operation, times] of Object.entries(b.requests)) {
    sum.requests[operation] = (sum.requests[operation] ?? 0) + times
    sum.firstMs[operation] = Math.min(sum.firstMs[operation] ?? Number.POSITIVE_INFINITY, b.firstMs[operation])
  }
  return { ...sum, bytesIn: a.bytesIn + b.bytesIn, bytesOut: a.bytesOut + b.bytesOut }
}

/** @param {string | undefined} certificate its folder */
function serveStore(certificate) {
  /** @type {import('./operations').Catalog} */
  const catalog = (method, ...args) => call(method, ...args)
  const { begin, counters, reset, check } = createOperations(catalog)
  /** @param {net.Socket} socket */
  const serve = socket => serveConnection(socket, begin)
  const server = certificate
    ? tls.createServer(
        { cert: readFileSync(join(certificate, 'public.crt')), key: readFileSync(join(certificate, 'private.key')) },
        serve,
      )
    : net.createServer({ pauseOnConnect: true, noDelay: true }, serve)
  server.on('tlsClientError', () => {})
  const call = openCalls(process, {
    listen: () =>
      new Promise((resolve, reject) => {
        server.on('error', reject)
        server.listen(0, '127.0.0.1', () => resolve(/** @type {net.AddressInfo} */ (server.address()).port))
      }),
    counters,
    reset,
    check,
  })
}

// Ctrl-C goes to the terminal's whole process group. It is ignored here: the parent ends this process by closing the channel.
process.on('SIGINT', () => {})
if (cluster.isWorker) serveStore(process.argv[2])
else keepCatalog()
