'use strict'

/** When two places of Azure Blob Storage are the same. Pure. */

const { isLoopback } = require('../../http')
const { cloudOf } = require('./settings')

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

module.exports = { identify }
