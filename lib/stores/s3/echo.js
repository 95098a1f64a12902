'use strict'

/**
 * Checks the parts of the request that an answer repeats (bucket, key, prefix). If one differs, the answer belongs to another
 * request and cannot be trusted. A missing or empty value is accepted.
 */

const { XferError } = require('../../errors')
const { quoted } = require('../common')

/** Access points of AWS: their answers name the bucket that they give access to. https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html */
const ACCESS_POINT = /^arn:|-s3alias$|--ol-s3$/
/** Characters that XML cannot contain. Some stores write another character in their place. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * @param {string} what names the answer in the error, with its article
 * @param {{ bucket: string, key?: string, prefix?: string, after?: string }} asked after: the key that a list was to begin behind
 * @param {Record<string, any>} values of the answer
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function checkEcho(what, { bucket, key, prefix, after }, { Bucket, Name = Bucket, Key, Prefix, StartAfter }, facts) {
  /** @type {Array<[name: string, said: string | undefined, meant: string | undefined, same: (said: string, meant: string) => boolean]>} */
  const texts = [
    ['bucket', Name, bucket, isSameBucket],
    ['key', Key, key, isSameKey],
    ['prefix', Prefix, prefix, isSameText],
    ['beginning', StartAfter, after, isSameText],
  ]
  for (const [name, said, meant, same] of texts) {
    if (!said || meant === undefined || same(said, meant)) continue
    const reason = `it answers ${what} for the ${name} ${quoted(meant)} with one for ${quoted(said)}`
    throw new XferError('BAD_ANSWER', { ...facts, reason })
  }
}

/** @param {string} said @param {string} asked */
function isSameBucket(said, asked) {
  // Ceph names a bucket of another tenant without the tenant: https://docs.ceph.com/en/latest/radosgw/multitenancy/
  return said === asked || ACCESS_POINT.test(asked) || said === asked.slice(asked.lastIndexOf(':') + 1)
}

/**
 * Whether the texts are equal, percent-encoded or not: some stores encode although they say that they do not, or the reverse.
 * XML may also change line ends.
 *
 * @param {string} said
 * @param {string} meant
 */
function isSameText(said, meant) {
  return [said, decode(said)].some(text => asInXml(text) === asInXml(meant))
}

/** Some stores resolve keys as paths; whether that is allowed is checked elsewhere. @param {string} said @param {string} meant */
function isSameKey(said, meant) {
  return isSameText(said, meant) || isSameText(pathOf(said), pathOf(meant))
}

/** @param {string} key */
function pathOf(key) {
  /** @type {string[]} */
  const path = []
  for (const name of key.split('/')) {
    if (name === '..') path.pop()
    else if (name !== '' && name !== '.') path.push(name)
  }
  return path.join('/')
}

/** @param {string} text */
function asInXml(text) {
  return text.replace(/\r\n?/g, '\n').replace(NOT_IN_XML, '\ufffd')
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

module.exports = { checkEcho }
