'use strict'

/** Addresses of the web as sources. */

/** @param {string} address @param {string} [flags] */
const from = (address, flags = '') => `copy ${address} s3://dst/new${flags}`

/** @type {import('../bad-input').Row[]} */
module.exports = [
  { it: 'an address of no host', command: from('https:///path'), exit: 2, code: 'BAD_LOCATION', says: 'no host' },
  { it: 'an address without a path', command: from('https://host/'), exit: 2, code: 'BAD_LOCATION', says: 'no key' },
  {
    it: 'everything below an address',
    command: ['copy', '-r', 'https://host/path/?sig=hunter2', 's3://dst/'],
    exit: 2,
    code: 'USAGE',
    says: 'one object',
    advises: 'without -r',
  },
  {
    it: 'an address that is synced',
    command: ['sync', 'https://host/path', 's3://dst/x/'],
    exit: 2,
    code: 'USAGE',
    says: 'one object',
  },
  {
    it: 'a header that is none',
    command: ['copy', 'https://host/path', 's3://dst/new', '--source-header', 'hunter2'],
    exit: 2,
    code: 'USAGE',
    says: 'NAME:VALUE',
  },
  {
    it: 'a header that xfer sends',
    command: ['copy', 'https://host/path', 's3://dst/new', '--source-header', 'Range: bytes=0-1'],
    exit: 2,
    code: 'USAGE',
    says: 'cannot set Range',
  },
  {
    it: 'a header with a line end',
    command: ['copy', 'https://host/path', 's3://dst/new', '--source-header', 'X: a\r\nhunter2: b'],
    exit: 2,
    code: 'USAGE',
    says: 'The value of X',
  },
  {
    it: 'a header for a store',
    command: ['copy', 's3://src/object', 's3://dst/new', '--source-header', 'X: hunter2'],
    exit: 2,
    code: 'USAGE',
    says: 'is an option for https://',
  },
  {
    it: 'a file of headers that is not there',
    command: ['copy', 'https://host/path', 's3://dst/new', '--source-header', '@/nowhere/headers'],
    exit: 2,
    code: 'USAGE',
    says: 'ENOENT',
  },
  {
    it: 'a header for functions',
    command: ['copy', 'https://host/path', 's3://dst/new', '--source-header', 'X: hunter2', '--engine', 'openwhisk'],
    exit: 2,
    code: 'USAGE',
    says: 'no function may have it',
    advises: '--source-header-to-functions',
  },
  {
    it: 'the SHA-256 of everything below a prefix',
    command: ['copy', '-r', 's3://src/tree/', 's3://dst/', '--expect-sha256', 'a'.repeat(64)],
    exit: 2,
    code: 'USAGE',
    says: 'works only with one object',
  },
  {
    it: 'a SHA-256 that is none',
    command: ['copy', 's3://src/object', 's3://dst/new', '--expect-sha256', 'abc'],
    exit: 2,
    code: 'USAGE',
    says: 'not a SHA-256',
  },
  { it: 'no page', command: from('http://{html404}/page'), exit: 3, code: 'NO_SUCH_KEY' },
  { it: 'a page that is forbidden', command: from('http://{html403}/page'), exit: 4, code: 'ACCESS_DENIED' },
  { it: 'a page of garbage', command: from('http://{garbage}/page'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a page that speaks SSH', command: from('http://{ssh}/page'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a page that is silent',
    command: from('http://{silent}/page', ' --io-timeout 1 --retries 0 --outage-timeout 1'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
  },
  { it: 'a page that speaks no TLS', command: from('https://{html}/page'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a page whose certificate nobody knows',
    command: from('https://{untrusted}/page'),
    exit: 1,
    code: 'CERTIFICATE_REFUSED',
  },
  {
    it: 'a presigned page of a host that is down',
    command: from('https://{closed}/page?X-Amz-Signature=hunter2-SECRET', ' --retries 0 --outage-timeout 1'),
    exit: 1,
    code: 'STORE_UNREACHABLE',
  },
]
