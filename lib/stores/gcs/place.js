'use strict'

/** Places in Google Cloud Storage. Pure. https://cloud.google.com/storage/docs/objects#naming */

const s3 = require('../s3').base.place
const { FORMS } = require('./options')

/** https://cloud.google.com/storage/docs/buckets#naming */
const BUCKET = /^(?=.{3,222}$)[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?)*$/

/** @param {string} text `gs://bucket/key`, `gs://profile@bucket/key` @param {'source' | 'destination'} side */
function parse(text, side) {
  return s3.parse(text, side, { scheme: 'gs', forms: FORMS, bucketName: BUCKET })
}

/** @param {string} key @returns {string | undefined} the reason why it is invalid, to follow "the key" */
function keyFault(key) {
  if (/[\r\n]/.test(key)) return 'has a line break, which Google Cloud Storage refuses'
  if (key === '.' || key === '..') return `is "${key}", which Google Cloud Storage refuses`
  return s3.keyFault(key)
}

module.exports = { keyFault, parse }
