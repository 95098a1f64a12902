'use strict'

const { crc32 } = require('node:zlib')

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

module.exports = { get, getRange, put, RULE, sumOf, taskOf }
