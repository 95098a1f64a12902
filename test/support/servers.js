'use strict'

/**
 * The servers that suites run against: the sandbox's stores always, versitygw, MinIO, Azurite and Redis where their programs are
 * found (in the folder XFER_TEST_BIN, or on the PATH). One that XFER_TEST_SERVERS names (with commas) must not be missing.
 */

const { PEERS, freePort, startAzurite, startRedis } = require('../../sandbox/peers')
const { startStore } = require('../../sandbox/store')

/** @typedef {{ pathKeys: boolean, conditionalRemoval: boolean, unsignedHeaders: boolean, sumsUnasked: boolean, encodesLists: boolean, hidesBelow: boolean }} Traits */

/** Of the sandbox's. @type {Traits} */
const TRAITS = {
  // Keys with `./`, `../`, `//` or a closing slash are plain names; below the others are file systems.
  pathKeys: true,
  // DeleteObject heeds If-Match.
  conditionalRemoval: true,
  // Keys in lists are percent-encoded on request, so that each can be told.
  encodesLists: true,
  // An object `a` hides `a/b` from all lists, though that can be read.
  hidesBelow: false,
  // Takes headers of S3's own that were not signed.
  unsignedHeaders: false,
  // Computes and keeps the CRC-64/NVME of what comes without a checksum, as AWS does.
  sumsUnasked: false,
}

const OF_FILES = { ...TRAITS, pathKeys: false }
const OF_MINIO = { ...OF_FILES, conditionalRemoval: false, hidesBelow: true, unsignedHeaders: true }

/**
 * By name: what starts one S3 server, and what it is known to do and not to do.
 *
 * @type {Array<{ name: string, start?: (options?: object) => Promise<any>, traits: Traits }>}
 */
const ALL = [
  { name: 'sandbox', start: startStore, traits: TRAITS },
  { name: 'versitygw', start: PEERS.versitygw, traits: { ...OF_FILES, encodesLists: false, sumsUnasked: true } },
  { name: 'minio', start: PEERS.minio, traits: OF_MINIO },
]

const missing = [...ALL, { name: 'azurite', start: startAzurite }, { name: 'redis', start: startRedis }]
  .filter(server => !server.start)
  .map(({ name }) => name)
insistOn(missing)

/** @param {string[]} names of servers that are missing @throws {Error} where one of them is required */
function insistOn(names) {
  const required = (process.env.XFER_TEST_SERVERS ?? '').split(',')
  const wanted = names.filter(name => required.includes(name))
  if (wanted.length > 0) throw new Error(`XFER_TEST_SERVERS names ${wanted.join(', ')}, which is not installed`)
}

/** Those that can be started here. */
const SERVERS = ALL.filter(server => server.start)

module.exports = { SERVERS, freePort, insistOn, missing, startAzurite, startRedis }
