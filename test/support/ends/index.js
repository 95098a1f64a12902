'use strict'

/**
 * Every kind of store that a copy can begin or end at: one row each. An end is a server with a container behind a relay that tells of
 * its requests and misbehaves on demand. Objects are put there and read by requests that are not xfer's.
 */

const { startAzureStore } = require('../../../sandbox/azure')
const { PEERS, startAzurite } = require('../../../sandbox/peers')
const { startStore } = require('../../../sandbox/store')
const { startFaultyRelay } = require('../faulty-relay')
const { insistOn } = require('../servers')
const { azureServer } = require('./azure')
const { fileServer } = require('./file')
const { googleServer, s3Server } = require('./s3')

/**
 * @typedef {import('./s3-objects').Kept} Kept
 * @typedef {import('./s3-objects').Look} Look
 * @typedef {import('./s3-objects').Written} Written
 *
 * @typedef {object} Server
 * @property {string} endpoint
 * @property {import('../faulty-relay').Dialect} [dialect] absent: there are no requests
 * @property {boolean} [local] only this machine's engine reaches it, and nothing is between the two
 * @property {(container: string) => Promise<void>} create
 * @property {(container: string, key: string) => string} text what a command calls it
 * @property {(side: 'SOURCE' | 'DEST', endpoint: string) => Record<string, string>} env
 * @property {(container: string, key: string, written: Written) => Promise<boolean>} write whether the server took all attributes
 * @property {(container: string, key: string) => Promise<Kept | undefined>} read
 * @property {(container: string) => Promise<Look>} look
 * @property {(container: string, key: string) => Promise<void>} remove
 * @property {(container: string) => Promise<void>} drop with all that is in it
 * @property {() => Promise<void>} stop
 * @property {boolean} [checks] false: it does not check the bytes that it receives
 * @property {boolean} [md5OfParts] false: of an object of parts it keeps nothing that tells other bytes
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {() => Promise<Server>} [start] absent: it cannot be started here
 * @property {string} [missing] why not
 * @property {boolean} [files] keys are paths of a file system: none is both a file and a folder, or a folder with bytes
 *
 * @typedef {Server & { name: string, files: boolean }} Started
 * @typedef {Awaited<ReturnType<typeof openEnd>>} End
 */

/** @param {'versitygw' | 'minio' | 'rclone' | 'moto' | 'gofakes3'} name @returns {Kind} */
const peer = name => {
  const start = PEERS[name]
  return start
    ? { name, start: async () => s3Server(await start()) }
    : { name, missing: 'its program is not installed' }
}

/** @type {Kind[]} */
const AZURE_KINDS = [
  { name: 'sandbox-azure', start: async () => azureServer(await startAzureStore()) },
  startAzurite
    ? // Other clients speak newer versions than it knows.
      { name: 'azurite', start: async () => azureServer(await startAzurite({ args: ['--skipApiVersionCheck'] })) }
    : { name: 'azurite', missing: 'its program is not installed' },
]

/** @type {Kind[]} */
const KINDS = [
  { name: 'sandbox', start: async () => s3Server(/** @type {any} */ (await startStore())) },
  { ...peer('versitygw'), files: true },
  { ...peer('minio'), files: true },
  ...AZURE_KINDS,
  { name: 'google-mode', start: async () => googleServer(/** @type {any} */ (await startStore({ mode: 'google' }))) },
  { name: 'file', start: async () => fileServer(), files: true },
]

/** All S3 servers of other makers, two of which let anybody in. */
const PEER_KINDS = /** @type {(keyof PEERS)[]} */ (Object.keys(PEERS)).map(peer)

/** @param {Kind[]} kinds @returns {{ kinds: Kind[], missing: Kind[] }} missing: those that cannot be started here */
function splitKinds(kinds) {
  return { kinds: kinds.filter(({ start }) => start), missing: kinds.filter(({ start }) => !start) }
}

/**
 * The kinds of these names. Those that XFER_TEST_SERVERS names must not be missing.
 *
 * @param {string} names with commas; 'all' is one too
 */
function chooseKinds(names) {
  const wanted = names.split(',')
  const unknown = wanted.filter(name => name !== 'all' && !KINDS.some(kind => kind.name === name))
  if (unknown.length > 0)
    throw new Error(`no end is called ${unknown.join(', ')}: ${KINDS.map(kind => kind.name).join(', ')}`)
  const { kinds, missing } = splitKinds(KINDS.filter(({ name }) => wanted.includes('all') || wanted.includes(name)))
  insistOn(missing.map(({ name }) => name))
  return { kinds, missing }
}

/** @param {Kind[]} kinds that can be started @returns {Promise<Started[]>} */
async function startKinds(kinds) {
  return await Promise.all(
    kinds.map(async ({ name, start, files = false }) => ({
      ...(await /** @type {() => Promise<Server>} */ (start)()),
      ...{ name, files },
    })),
  )
}

/** Where there are no requests: nothing is told, and nothing misbehaves. */
const NO_RELAY = {
  endpoint: '',
  on() {},
  faults: { add: () => ({ hits: 0, remove() {} }), clear() {} },
  cutOff: async () => {},
  close: async () => {},
}

/** @param {Started} server @returns {Promise<Pick<Awaited<ReturnType<typeof startFaultyRelay>>, keyof typeof NO_RELAY>>} */
async function startRelay({ endpoint, dialect }) {
  return dialect ? await startFaultyRelay(endpoint, { dialect }) : NO_RELAY
}

/**
 * A container of a server, behind a relay.
 *
 * @param {Started} server
 * @param {string} container made here
 * @param {End} [beside] shares its relay, for two places that are to be one store to xfer
 */
async function openEnd(server, container, beside) {
  await server.create(container)
  const relay = beside?.relay ?? (await startRelay(server))
  return {
    name: server.name,
    local: server.local ?? false,
    container,
    relay,
    /** @param {string} key */
    text: key => server.text(container, key),
    /** @param {'SOURCE' | 'DEST'} side */
    env: side => server.env(side, relay.endpoint),
    /** @param {string} key @param {Written} written */
    write: (key, written) => server.write(container, key, written),
    /** @param {string} key */
    read: key => server.read(container, key),
    /** @param {string} key */
    remove: key => server.remove(container, key),
    look: () => server.look(container),
    /** @param {import('../../../sandbox/store/types').FaultRule} rule */
    misbehave: rule => relay.faults.add(rule),
    /** @param {(operation: string, asked: import('../faulty-relay').Asked) => unknown} listener a request waits for what it returns */
    watch(listener) {
      relay.on('begin', asked => asked.bucketName === container && listener(asked.operation, asked))
    },
    async close() {
      if (!beside) await relay.close()
      await server.drop(container)
    },
  }
}

module.exports = { AZURE_KINDS, KINDS, PEER_KINDS, chooseKinds, openEnd, splitKinds, startKinds }
