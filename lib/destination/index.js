'use strict'

/**
 * Questions to the destination: what it holds, whether it enforces conditions and checks checksums, which uploads it has. What
 * only uploads and trials need is loaded on use.
 */

const { lazily } = require('../lazily')

/** @typedef {typeof import('./resumable') & typeof import('./trial') & typeof import('./uploads')} UploadsLater */

const own = {
  ...require('./conditions'),
  ...require('./canary'),
}

module.exports = /** @type {typeof own & UploadsLater} */ (
  lazily(own, [
    [() => require('./resumable'), ['listNow', 'listStored', 'listUploads', 'refreshEtags', 'trustParts', 'uploadsOf']],
    [() => require('./trial'), ['createTrial']],
    [() => require('./uploads'), ['ABORT_LIMIT_MS', 'abortLeft', 'abortLimitMs', 'abortOwnUpload', 'abortUntilGone']],
    [() => require('./uploads'), ['clearCreating', 'countParts', 'findLost', 'isGone', 'keyOfUpload', 'lapseOf']],
    [() => require('./uploads'), ['mayHaveCreated', 'reportLost', 'tellLapse', 'tryUpload', 'uploadsLeft']],
  ])
)
