'use strict'

/** Every store by its scheme: its options, and its code, which is loaded when it is used. */

const s3 = require('./s3/options')

const STORES = {
  s3: { ...s3, load: () => require('./s3').createS3Store },
}

module.exports = { STORES, options: Object.values(STORES).flatMap(store => store.options) }
