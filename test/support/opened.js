'use strict'

/**
 * What tests open, and what closes it: after its test what a test or its beforeEach opened, after the last test of the file all
 * else. The last that was opened is closed first.
 */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const azure = require('../../sandbox/azure')
const sandbox = require('../../sandbox/store')
const ends = require('./ends')
const gates = require('./gate')
const platforms = require('./platform')
const s3 = require('./s3')
const workers = require('./worker')

/** @type {Record<'file' | 'test', Array<{ close(): unknown }>>} */
const opened = { file: [], test: [] }
/** @type {keyof typeof opened} */
let scope = 'file'

/** @param {keyof typeof opened} name */
async function closeAll(name) {
  for (const one of opened[name].splice(0).reverse()) await one.close()
}
// Not in an afterEach, which would come before those of the file, and these may still look at what is open.
beforeEach(async () => {
  await closeAll('test')
  scope = 'test'
})
afterEach(() => {
  scope = 'file'
})
afterAll(async () => {
  await closeAll('test')
  await closeAll('file')
})

/** Closed once, however often it is asked for. @param {any} one that can be closed, or the promise of it */
function keep(one) {
  // Node's own promises are of another realm than a test's.
  if (typeof one.then === 'function') return one.then(keep)
  const { close } = one
  let closing
  one.close = () => {
    closing ??= { done: close.call(one) }
    return closing.done
  }
  opened[scope].push(one)
  return one
}

/** A function whose result is kept. @template {(...args: any[]) => any} F @param {F} open @returns {F} */
const keeping = open => /** @type {F} */ ((...args) => keep(open(...args)))

/** @param {Parameters<typeof ends.startKinds>[0]} kinds */
async function startKinds(kinds) {
  const servers = await ends.startKinds(kinds)
  for (const server of servers) keep({ close: () => server.stop() })
  return servers
}

/** A folder of its own. */
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-'))
  keep({ close: () => rmSync(folder, { recursive: true, force: true }) })
  return folder
}

module.exports = {
  keep,
  keeping,
  newFolder,
  openEnd: keeping(ends.openEnd),
  openStore: keeping(s3.openStore),
  openWorker: keeping(workers.openWorker),
  startAzureStore: keeping(azure.startAzureStore),
  startDeployed: keeping(platforms.startDeployed),
  startGate: keeping(gates.startGate),
  startKinds,
  startSource: keeping(workers.startSource),
  startStore: keeping(sandbox.startStore),
}
