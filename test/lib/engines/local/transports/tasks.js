'use strict'

const fs = require('node:fs')
const { crc32 } = require('node:zlib')
const { createLocalEngine } = require('../../../../../lib/engines/local/engine')
const { fileEtag } = require('../../../../../lib/files')
const { closeStores } = require('../../../../action/stores')
const { keep } = require('../../../../support/opened')

/** One for a file of tests. */
const engine = keep(createLocalEngine({ threads: 1 }))
afterEach(closeStores)

/** @param {object} task @returns {Promise<any>} its outcome */
const run = async task => (await engine.run([task]))[0]

/** What the local transports answer. @type {import('../../../../../lib/types').AnswerRule} */
const RULE = {
  statuses: [200, 206],
  changed: [412],
  etag: { header: 'etag', required: true },
  errorCode: { header: 'x-error' },
}

/** A read of all of an object. @param {string} url @param {object} [more] of the request */
const get = (url, { headers = {}, ...more } = {}) => ({ method: 'GET', url, headers, accepts: RULE, ...more })

/** The same of the bytes from `start`. */
const getRange = (url, start, bytes, { headers = {}, ...more } = {}) =>
  get(url, { headers: { range: `bytes=${start}-${start + bytes - 1}`, ...headers }, ...more })

/** A write of so many bytes. */
const put = (url, bytes, { headers = {}, ...more } = {}) => ({
  ...{ method: 'PUT', url, accepts: RULE },
  headers: { 'content-length': String(bytes), ...headers },
  ...more,
})

/** A task of so many bytes; etag '': any. */
const taskOf = (bytes, read, write, { total = bytes, etag = '', ...more } = {}) => ({
  partNumber: 1,
  bytes,
  sums: ['crc32'],
  read,
  write,
  expect: { etag, totalBytes: total },
  ...more,
})

/** @param {Uint8Array} bytes */
const sumOf = bytes => crc32(bytes).toString(16).padStart(8, '0')

/** @param {string} path of a file */
const etagOf = path => fileEtag(fs.statSync(path, { bigint: true }))

module.exports = { engine, etagOf, get, getRange, put, RULE, run, sumOf, taskOf }
