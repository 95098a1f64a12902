'use strict'

/**
 * The store of files of this machine. Data requests are carried out by the embedded engine alone, whose transport of files
 * (lib/engines/local/transports/file.js) reads and writes them; all other calls are made here.
 */

const { dirname } = require('node:path')
const { codeOf, foldsNames, inFolder } = require('../../files')
const { createFiles } = require('./files')
const { createLeftOut, createList } = require('./list')
const { createPaths } = require('./paths')
const { createLeftovers } = require('./pending')
const { createRequests } = require('./requests')
const { createUploads } = require('./uploads')
const { explainAnswer } = require('./explain')
const { TERMS } = require('./words')

/** @typedef {import('../contract').StoreSettings & { followLinks: boolean }} FileSettings followLinks: below the root, wherever they lead */

/** @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: 1024 ** 4, maxParts: 100_000, equalParts: false }

/** @type {import('../contract').Abilities} */
const ABILITIES = {
  reach: 'process',
  listsUploadsByPrefix: true,
  sumAt: 'none',
  partTag: 'none',
  sums: { stored: [], checked: [], answered: [] },
  written: true,
  keepsTimes: true,
  listsMetadata: true,
  listsAlone: true,
  // A file has a time and no other metadata, and nobody expects more.
  keepsMetadata: true,
}

/**
 * @param {object} of
 * @param {Pick<import('../contract').Place, 'key'>} of.place
 * @param {FileSettings} of.settings
 * @param {string} [of.location] the place, for messages
 * @param {() => number} [of.now] epoch milliseconds
 * @returns {import('../contract').Store}
 */
function openFileStore({ place: { key }, settings: { side, alone, followLinks }, location, now = Date.now }) {
  const facts = {
    ...{ side, protocol: 'file system', bucket: `/${key}`, keyRoot: '/', endpoint: 'this machine', terms: TERMS },
    ...(location !== undefined && { location }),
    ...(alone && { alone }),
  }
  const paths = createPaths(key, facts)
  const files = createFiles({ paths, facts, followLinks })
  const { head, remove, removeAll, makeFolder, setTime } = files
  const uploads = createUploads({ paths, facts, files })
  const leftovers = createLeftovers(uploads)
  const { read, put, part } = createRequests({ paths, facts, files, leftovers })
  const { list, notices } = createList({ paths, facts, followLinks })

  return {
    scheme: 'file',
    facts,
    endpoint: 'this machine',
    origin: '',
    can: ABILITIES,
    limits: LIMITS,
    now,
    authenticate: async () => false,
    async ping() {},
    ...{ head, remove, removeAll, makeFolder, setTime },
    heeds: () => true,
    ...{ read, put, list, notices },
    upload: { part, ...uploads },
    leavesOut: createLeftOut({ paths, facts, followLinks }),
    leftovers,
    folds: createFolds(paths.root),
    readDescription: () => ({ metadata: { headers: {}, user: {} } }),
    readWritten: headers => ({ mtime: headers['x-mtime'] }),
    describingHeaders: () => ({}),
    explain: answer => explainAnswer(answer, facts),
    close() {},
  }
}

/**
 * Asks the file system of the destination whether it takes two names for one.
 *
 * @param {string} root the folder of the destination; if it is not there yet, the nearest one above it is asked
 * @returns {NonNullable<import('../contract').Store['folds']>}
 */
function createFolds(root) {
  return async () => {
    for (let folder = root; ; folder = dirname(folder)) {
      try {
        // Who may not write there cannot find out.
        return await inFolder(folder, {}, ({ at }) => foldsNames(at).catch(() => undefined))
      } catch (cause) {
        if (codeOf(cause) !== 'ENOENT' || folder === '/') return undefined
      }
    }
  }
}

module.exports = { openFileStore }
