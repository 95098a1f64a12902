'use strict'

/**
 * The store of files of this machine. Data requests are carried out by the embedded engine alone, whose transport of files
 * (lib/engines/local/transports/file) reads and writes them; all other calls are made here.
 */

const { createFiles } = require('./files')
const { createCacheNotes } = require('./cache-notes')
const { createFolds } = require('./folds')
const { createInPlace } = require('./in-place')
const { createLeftOut } = require('./left-out')
const { createLeftovers } = require('./leftovers')
const { createList } = require('./list')
const { createPaths } = require('./paths')
const { createRemoval } = require('./removal')
const { createRequests } = require('./requests')
const { createUploads } = require('./uploads')
const { explainAnswer } = require('./explain')
const { TERMS } = require('./words')

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
  hidesBelow: false,
}

/**
 * @param {object} of
 * @param {Pick<import('../contract').Place, 'key'>} of.place
 * @param {import('./types').FileSettings} of.settings
 * @param {string} [of.location] the place, for messages
 * @param {() => number} [of.now] epoch milliseconds
 * @returns {import('../contract').Store}
 */
function openFileStore({
  place: { key },
  settings: { side, alone, followLinks, inplace, preserveMode },
  location,
  now = Date.now,
}) {
  const facts = {
    ...{ side, protocol: 'file system', bucket: `/${key}`, keyRoot: '/', endpoint: 'this machine', terms: TERMS },
    ...(location !== undefined && { location }),
    ...(alone && { alone }),
  }
  const paths = createPaths(key, facts)
  const files = createFiles({ paths, facts, followLinks, preserveMode })
  const inPlace = inplace ? createInPlace({ location: location ?? paths.root, facts }) : undefined
  const uploads = createUploads({ paths, facts, files, inPlace, preserveMode })
  const leftovers = createLeftovers(uploads)
  const { read, put, part } = createRequests({ paths, facts, files, leftovers, inPlace, preserveMode })
  const { list, notices } = createList({ paths, facts, followLinks, preserveMode })
  const { noteRead, notices: readingNotices } = createCacheNotes(paths)

  return {
    scheme: 'file',
    facts,
    endpoint: 'this machine',
    origin: '',
    can: { ...ABILITIES, ...(inPlace && { inPlace: true }) },
    limits: LIMITS,
    now,
    authenticate: async () => false,
    async ping() {},
    head: files.head,
    heeds: async () => true,
    ...{ read, put, list, noteRead },
    notices: () => [...notices(), ...readingNotices()],
    upload: { part, ...uploads },
    leavesOut: createLeftOut({ paths, facts, followLinks }),
    leftovers,
    ...createRemoval({ facts, files }),
    makeFolder: files.makeFolder,
    folds: createFolds(paths.root),
    failureNotices: inPlace?.failureNotices,
    // More than the time of a file then depends on what describes its source.
    setTime: preserveMode ? undefined : files.setTime,
    readDescription: () => ({ metadata: { headers: {}, user: {} } }),
    readWritten: headers => ({ mtime: headers['x-mtime'] }),
    describingHeaders: () => ({}),
    explain: answer => explainAnswer(answer, facts),
    close() {},
  }
}

module.exports = { openFileStore }
