'use strict'

/** What is taken for a store and is none, and stores that fail. */

const COPY = 'copy s3://src/object s3://dst/new'
const from = at => `${COPY} --source-endpoint-url ${at}`
const to = at => `${COPY} --dest-endpoint-url ${at}`
const big = at => `copy s3://src/large s3://dst/new --chunk 5 --dest-endpoint-url ${at}`

/** @type {import('../bad-input').Row[]} */
module.exports = [
  // --- no store
  { it: 'a source that is a web site', command: from('http://{html}'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a destination that is a web site', command: to('http://{html}'), exit: 1, code: 'NOT_A_STORE', planned: true },
  {
    it: 'a destination that is a web site, in parts',
    command: big('http://{html}'),
    exit: 1,
    code: 'NOT_A_STORE',
    planned: true,
  },
  {
    it: 'a destination that is a web site with ETags',
    command: to('http://{htmlEtag} --retries 0'),
    exit: 8,
    code: 'WRONG_COPY',
    says: 'it has 85 bytes, and 2000 were sent',
    planned: true,
  },
  { it: 'a source that knows no page', command: from('http://{html404}'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a destination that knows no page',
    command: to('http://{html404}'),
    exit: 1,
    code: 'NOT_A_STORE',
    planned: true,
  },
  { it: 'a source that forbids with a page', command: from('http://{html403}'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a source that fails with a page',
    command: from('http://{html500}'),
    exit: 1,
    code: 'STORE_ERROR',
    says: 'HTTP 500',
  },
  { it: 'a source that speaks JSON', command: from('http://{json}'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a destination that speaks JSON, in parts',
    command: big('http://{json}'),
    exit: 1,
    code: 'NOT_A_STORE',
    planned: true,
  },
  { it: 'a source that knows no route', command: from('http://{json404}'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a source that sends elsewhere', command: from('http://{redirect}'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a source whose error says nothing', command: from('http://{emptyXml}'), exit: 3, code: 'NO_SUCH_KEY' },
  { it: 'a source whose error breaks off', command: from('http://{brokenXml}'), exit: 1, code: 'NOT_A_STORE' },
  {
    it: 'a source whose error attacks the terminal',
    command: from('http://{hostileXml}'),
    exit: 4,
    code: 'ACCESS_DENIED',
  },
  {
    it: 'a source whose error attacks the terminal, with --debug',
    command: `${from('http://{hostileXml}')} --debug`,
    exit: 4,
    code: 'ACCESS_DENIED',
    debug: true,
  },
  { it: 'a source that sends garbage', command: from('http://{garbage}'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a source that speaks SSH', command: from('http://{ssh}'), exit: 1, code: 'NOT_A_STORE' },
  { it: 'a source without ETags', command: from('http://{noEtag}'), exit: 1, code: 'NOT_A_STORE', says: 'ETag' },
  { it: 'a source without sizes', command: from('http://{noLength}'), exit: 1, code: 'NOT_A_STORE', says: 'size' },

  // --- stores that fail
  {
    it: 'a store that asks for fewer requests',
    command: 'copy s3://src/slow-down s3://dst/new',
    exit: 1,
    code: 'STORE_ERROR',
    says: '503',
  },
  { it: 'a store that fails', command: 'copy s3://src/broken s3://dst/new', exit: 1, code: 'STORE_ERROR', says: '500' },
  {
    it: 'a source that breaks off',
    command: 'copy s3://src/cut s3://dst/new --retries 1',
    exit: 1,
    code: 'PART_FAILED',
    says: 'Part 1 failed 2 times: a connection to the source failed',
    planned: true,
  },
  {
    it: 'a source that answers another range',
    command: 'copy s3://src/wrong-range s3://dst/new --chunk 5 --retries 0',
    exit: 1,
    code: 'BAD_ANSWER',
    planned: true,
  },
  {
    it: 'a source that changes',
    command: 'copy s3://src/changing s3://dst/new',
    exit: 6,
    code: 'SOURCE_CHANGED',
    planned: true,
  },
  {
    it: 'a source that denies what it showed',
    command: 'copy s3://src/denied-later s3://dst/new',
    exit: 4,
    code: 'ACCESS_DENIED',
    planned: true,
  },
  {
    it: 'a source that sends other bytes than it keeps',
    command: 'copy s3://huge/flipped s3://dst/flipped --retries 1',
    exit: 8,
    code: 'PART_FAILED',
    planned: true,
  },
  {
    it: 'a destination that takes no part',
    command: 'copy s3://src/large s3://dst/no-parts --chunk 5',
    exit: 4,
    code: 'ACCESS_DENIED',
    planned: true,
  },
  {
    it: 'a destination that does not complete',
    command: 'copy s3://src/large s3://dst/no-complete --chunk 5',
    exit: 4,
    code: 'ACCESS_DENIED',
    planned: true,
    ended: true,
  },
  {
    it: 'a destination whose success is an error',
    command: 'copy s3://src/large s3://dst/error-in-body --chunk 5',
    exit: 1,
    code: 'STORE_ERROR',
    // A completion is repeated for some time: all bytes are there.
    boundMs: 60_000,
    planned: true,
    ended: true,
  },
  {
    it: 'a destination whose answer breaks off',
    command: 'copy s3://src/large s3://dst/half-xml --chunk 5',
    exit: 1,
    code: 'BAD_ANSWER',
    planned: true,
    leaves: true,
  },
  {
    it: 'a destination that is full',
    command: 'copy s3://src/object s3://dst/full --retries 0',
    exit: 1,
    code: 'STORE_ERROR',
    says: '507',
    planned: true,
  },
]
