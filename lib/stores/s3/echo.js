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
 * @param {object} asked
 * @param {string} asked.what names the answer in the error, with its article
 * @param {string} asked.bucket
 * @param {Array<[name: string, said: string | undefined, meant: string]>} asked.texts texts of the answer and of the request
 * @param {string | undefined} said the bucket that the answer names
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function checkEcho({ what, bucket, texts }, said, facts) {
  /** @param {string} name @param {string} found @param {string} wanted */
  const foreign = (name, found, wanted) =>
    new XferError('BAD_ANSWER', {
      ...facts,
      reason: `it answers ${what} for the ${name} ${quoted(wanted)} with one for ${quoted(found)}`,
    })
  if (said && !isSameBucket(said, bucket)) throw foreign('bucket', said, bucket)
  for (const [name, found, meant] of texts) {
    const same = name === 'key' ? isSameKey : isSameText
    if (found && !same(found, meant)) throw foreign(name, found, meant)
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
