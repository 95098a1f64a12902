'use strict'

/**
 * What an answer repeats of its question. Where that is something else the answer is another question's, and nothing in it may be
 * believed. What is left out, or empty, contradicts nothing.
 */

const { XferError } = require('../../errors')

/** Of AWS, which answers with the bucket behind it. https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-naming.html */
const ACCESS_POINT = /^arn:|-s3alias$|--ol-s3$/
/** What XML cannot carry, and who writes it all the same puts another character there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/**
 * @param {object} asked
 * @param {string} asked.what names the answer in the error, with its article
 * @param {string} asked.bucket
 * @param {Array<[name: string, said: string | undefined, meant: string]>} asked.texts
 * @param {string | undefined} said the bucket that the answer names
 * @param {Record<string, any>} facts of the store
 * @throws {XferError} BAD_ANSWER
 */
function checkEcho({ what, bucket, texts }, said, facts) {
  /** @param {string} name @param {string} found @param {string} wanted */
  const foreign = (name, found, wanted) =>
    new XferError('BAD_ANSWER', {
      ...facts,
      reason: `it answers ${what} for the ${name} ${brief(wanted)} with one for ${brief(found)}`,
    })
  if (said && !isSameBucket(said, bucket)) throw foreign('bucket', said, bucket)
  for (const [name, found, meant] of texts) {
    const same = name === 'key' ? isSameKey : isSameText
    if (found && !same(found, meant)) throw foreign(name, found, meant)
  }
}

/** @param {string} said @param {string} asked */
function isSameBucket(said, asked) {
  // Ceph names a bucket of another tenant without that: https://docs.ceph.com/en/latest/radosgw/multitenancy/
  return said === asked || ACCESS_POINT.test(asked) || said === asked.slice(asked.lastIndexOf(':') + 1)
}

/**
 * As it was sent, percent-encoded or not, whichever the answer says; some encode other than they say. Line ends may have become
 * others on the way.
 *
 * @param {string} said
 * @param {string} meant
 */
function isSameText(said, meant) {
  if (said === meant || decode(said) === meant) return true
  const plain = written(meant)
  return written(said) === plain || written(decode(said)) === plain
}

/** Some take keys for paths, and resolve them: whether that is allowed is looked at elsewhere. @param {string} said @param {string} meant */
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
function written(text) {
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

/** @param {string} text */
function brief(text) {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

module.exports = { checkEcho, brief }
