'use strict'

/**
 * The S3 servers that suites run against: the sandbox's store always, versitygw and MinIO where their programs are
 * found (in the folder XFER_TEST_BIN, or on the PATH). One that XFER_TEST_SERVERS names must not be missing.
 */

const { PEERS, freePort } = require('../../sandbox/peers')
const { startStore } = require('../../sandbox/store')
const { insistOn } = require('./required')

/** @typedef {{ pathKeys: boolean, conditionalRemoval: boolean, unsignedHeaders: boolean, sumsUnasked: boolean, encodesLists: boolean, hidesBelow: boolean }} Traits */

/**
 * By name: what starts one server, and what it is known to do and not to do.
 *
 * @type {Array<{ name: string, start?: (options?: object) => Promise<any>, traits: Traits }>}
 */
const ALL = [
  // pathKeys: keys with `./`, `../`, `//` or a closing slash are plain names; below the others are file systems.
  // conditionalRemoval: DeleteObject heeds If-Match.
  // encodesLists: keys in lists are percent-encoded on request, so that each can be told.
  // hidesBelow: an object `a` hides `a/b` from all lists, though that can be read.
  // unsignedHeaders: takes headers of S3's own that were not signed.
  // sumsUnasked: computes and keeps the CRC-64/NVME of what comes without a checksum, as AWS does.
  {
    name: 'sandbox',
    start: startStore,
    traits: {
      pathKeys: true,
      conditionalRemoval: true,
      encodesLists: true,
      hidesBelow: false,
      unsignedHeaders: false,
      sumsUnasked: false,
    },
  },
  {
    name: 'versitygw',
    start: PEERS.versitygw,
    traits: {
      pathKeys: false,
      conditionalRemoval: true,
      encodesLists: false,
      hidesBelow: false,
      unsignedHeaders: false,
      sumsUnasked: true,
    },
  },
  {
    name: 'minio',
    start: PEERS.minio,
    traits: {
      pathKeys: false,
      conditionalRemoval: false,
      encodesLists: true,
      hidesBelow: true,
      unsignedHeaders: true,
      sumsUnasked: false,
    },
  },
]

const missing = ALL.filter(server => !server.start).map(server => server.name)
insistOn(missing)

/** Those that can be started here. */
const SERVERS = ALL.filter(server => server.start)

module.exports = { SERVERS, missing, freePort }
