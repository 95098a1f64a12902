'use strict'

/** The abilities and limits of Azure Blob Storage. */

const { isLoopback } = require('../../http')
const { secretOf } = require('./settings')

/** https://learn.microsoft.com/azure/storage/blobs/scalability-targets @type {import('../../types').PartLimits} */
const LIMITS = { minBytes: 1, maxBytes: 4000 * 1024 ** 2, maxParts: 50_000, equalParts: false }

/**
 * @param {Pick<import('./types').AzureSettings, 'endpoint' | 'credentials'>} settings
 * @returns {import('../contract').Abilities}
 */
function abilities({ endpoint, credentials }) {
  const secret = secretOf({ credentials })
  return {
    reach: isLoopback(new URL(endpoint).hostname) ? 'local' : 'network',
    ...(secret && { secret }),
    listsUploadsByPrefix: true,
    sumAt: 'answer',
    partTag: 'opaque',
    // The MD5 of a blob written in blocks is only what its writer said.
    sums: { stored: [], checked: [], answered: ['crc64nvme'], byWriter: ['md5'] },
    classes: 'Azure',
    // What a blob cannot have is known: metadata.js.
    keepsMetadata: true,
    hidesBelow: false,
  }
}

module.exports = { LIMITS, abilities }
