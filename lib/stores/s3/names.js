'use strict'

/**
 * The rules of bucket names. Amazon S3 refuses a new bucket that breaks one; other servers have fewer rules, and older buckets broke some.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */

/** @typedef {import('../common/names').NameRule} NameRule */

/** @type {Array<[breaks: RegExp, says: string, whose: string]>} */
const RESERVED = [
  [/^xn--/, 'begins with xn--', 'host names in other scripts'],
  [/^sthree-/, 'begins with sthree-', 'S3 itself'],
  [/^amzn-s3-demo-/, 'begins with amzn-s3-demo-', 'the examples of its documentation'],
  [/-s3alias$/, 'ends with -s3alias', 'the aliases of access points'],
  [/--ol-s3$/, 'ends with --ol-s3', 'the aliases of access points with functions'],
  [/\.mrap$/, 'ends with .mrap', 'Multi-Region Access Points'],
  [/--x-s3$/, 'ends with --x-s3', 'directory buckets'],
  [/--table-s3$/, 'ends with --table-s3', 'table buckets'],
]

/** What is no host name cannot stand in one. https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html */
const PATH_ALONE = 'such a bucket has no host name of its own, and is reached by path style alone'
const WILDCARD =
  "the store's wildcard certificate does not cover them in a host name: over TLS such a bucket is reached by path style alone, and has no Transfer Acceleration"

/** @type {NameRule[]} */
const NAMES = [
  { breaks: /^.{0,2}$|^.{64}/, says: 'is not 3 to 63 characters long' },
  { breaks: /[A-Z]/, says: 'has upper case letters', follows: PATH_ALONE },
  { breaks: /_/, says: 'has underscores', follows: PATH_ALONE },
  { breaks: /[^A-Za-z0-9._-]/, says: 'has characters other than letters, digits, dots and hyphens' },
  { breaks: /^[^A-Za-z0-9]|[^A-Za-z0-9]$/, says: 'does not begin and end with a letter or a digit' },
  { breaks: /\.\./, says: 'has two dots side by side', follows: PATH_ALONE },
  { breaks: /^\d+(?:\.\d+){3}$/, says: 'looks like an IP address', follows: PATH_ALONE },
  ...RESERVED.map(([breaks, says, whose]) => ({ breaks, says, follows: `which is reserved for ${whose}` })),
  { breaks: /\./, says: 'has dots', follows: WILDCARD, allowed: true },
]

module.exports = { NAMES }
