'use strict'

/** What `xfer doctor` cannot be asked. What it finds is no error of its own: see ../doctor.test.js. */

/** @type {import('../bad-input').Row[]} */
module.exports = [
  {
    it: 'three locations to look at',
    command: 'doctor s3://src/a s3://dst/b s3://c/d',
    exit: 2,
    code: 'USAGE',
    says: '2',
    advises: 'xfer doctor --help',
  },
  {
    it: 'a place to look at that is no location',
    command: 'doctor ftp://host/x',
    exit: 2,
    code: 'UNKNOWN_SCHEME',
    says: '"ftp://host/x"',
  },
  {
    it: 'a location to look at without a bucket',
    command: 'doctor s3://',
    exit: 2,
    code: 'BAD_LOCATION',
    says: 'no bucket',
  },
  {
    it: 'a second location to look at with a key for a profile',
    command: 'doctor s3://src/object s3://id:hunter2-SECRET@dst/new',
    exit: 2,
    code: 'BAD_LOCATION',
    says: 'destination',
  },
  { it: 'a package to look in of two names', command: 'doctor --package a/b', exit: 2, code: 'USAGE', says: '"a/b"' },
  { it: 'an option that is of copies alone', command: 'doctor --chunk 5', exit: 2, code: 'USAGE', says: '--chunk' },
]
