'use strict'

/** What Azure Blob Storage can do, its limits, and when two of its places are the same. Pure. */

const { isLoopback } = require('../../http')
const { cloudOf, secretOf } = require('./settings')

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
    // What a blob cannot have is known: rules.js.
    keepsMetadata: true,
    hidesBelow: false,
  }
}

/**
 * Two endpoints of one account (`blob.core.windows.net`, `z01.blob.storage.azure.net`) are one store, so of Azure's own hosts
 * the account alone counts: its name is unique within a cloud.
 *
 * @param {import('../contract').Place} _place
 * @param {Pick<import('./types').AzureSettings, 'account' | 'endpoint'>} settings
 * @returns {import('../contract').Identity}
 */
function identify(_place, { account, endpoint }) {
  const url = new URL(endpoint)
  const cloud = cloudOf(url.hostname)
  const at = isLoopback(url.hostname) ? `loopback:${url.port}` : url.host
  const host = cloud === undefined ? `${at}${url.pathname.replace(/\/$/, '')}` : `azure:${cloud}:${account}`
  return {
    host,
    // Azure limits the requests of each account separately.
    server: cloud === undefined ? at : host,
    name: cloud === undefined ? endpoint : 'Azure',
    lends: true,
    pulls: true,
  }
}

module.exports = { LIMITS, abilities, identify }
