'use strict'

/** The address of the account's blob service. */

const { isIP } = require('node:net')
const { isLoopback } = require('../../../http')
const { endpointOf, firstEndpoint, usage } = require('../../common')

/** @typedef {import('../../../types').SideOptions} SideOptions */

/**
 * @param {'source' | 'destination'} side
 * @param {string} account
 * @param {SideOptions} options
 * @param {{ variables: ReturnType<typeof import('.').variablesOf>, connection?: { endpoint?: string, from: string } }} where
 * @returns {{ endpoint: string, endpointFrom: string | null }}
 * @throws {XferError} USAGE
 */
function findEndpoint(side, account, options, { variables: { own, general }, connection }) {
  const variable = own('ENDPOINT_URL') ?? own('AZURE_STORAGE_SERVICE_ENDPOINT')
  const service = general('AZURE_STORAGE_SERVICE_ENDPOINT')
  const [url, from = null] = firstEndpoint(side, options, [
    [variable?.value, variable?.from],
    [connection?.endpoint, connection?.from],
    [service?.value, service?.from],
  ])
  if (url === undefined) return { endpoint: `https://${account}.blob.core.windows.net`, endpointFrom: null }
  return { endpoint: checkEndpoint(url, side, account), endpointFrom: from }
}

/**
 * @param {string} text
 * @param {'source' | 'destination'} side
 * @param {string} account
 * @returns {string} an origin with a path, without a closing slash. A host that cannot have the account in its name gets it in the path.
 */
function checkEndpoint(text, side, account) {
  const url = endpointOf(text, side, {
    advice: 'Give it as https://host or http://host:port/ACCOUNT.',
    ofQuery: 'Put a SAS into AZURE_STORAGE_SAS_TOKEN.',
  })
  if (/^[a-z0-9-]+(?:\.z\d+)?\.dfs\./.test(url.hostname)) {
    const advice = `Give the blob service: ${url.origin.replace('.dfs.', '.blob.')}`
    throw usage(`The ${side}'s endpoint "${text}" is that of Data Lake Storage.`, advice)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' && !namesAccount(url.hostname) ? `/${account}` : path)
}

/** Whether requests to this host may go without the account in the path. @param {string} hostname */
function namesAccount(hostname) {
  const bare = hostname.replace(/^\[|\]$/g, '')
  const [first, ...rest] = bare.split('.')
  // Azurite takes ACCOUNT.localhost as well.
  if (isLoopback(bare)) return rest.length > 0 && rest.at(-1) === 'localhost' && first !== 'localhost'
  return isIP(bare) === 0 && rest.length > 0
}

/**
 * The account that an endpoint belongs to.
 *
 * @param {string} endpoint
 * @returns {string | undefined} undefined: it does not tell
 */
function accountOf(endpoint) {
  if (!URL.canParse(endpoint)) return undefined
  const { hostname, pathname } = new URL(endpoint)
  return (
    /^([a-z0-9]{3,24})(?:-secondary)?\.(?:z\d+\.|privatelink\.)?blob\./.exec(hostname)?.[1] ??
    (pathname.split('/')[1] || undefined)
  )
}

/** By the end of the host. https://learn.microsoft.com/en-us/azure/storage/common/storage-account-overview#storage-account-endpoints */
/** @type {Record<string, string | undefined>} */
const CLOUDS = {
  'core.windows.net': 'public',
  'storage.azure.net': 'public',
  'core.usgovcloudapi.net': 'usgov',
  'core.chinacloudapi.cn': 'china',
}

/** @param {string} hostname @returns {string | undefined} undefined: none of Azure's own */
function cloudOf(hostname) {
  return CLOUDS[/^[a-z0-9-]+(?:\.z\d+|\.privatelink)?\.blob\.(.+)$/.exec(hostname)?.[1] ?? '']
}

/**
 * Two endpoints of one account (`blob.core.windows.net`, `z01.blob.storage.azure.net`) are one store, so of Azure's own hosts
 * the account alone counts: its name is unique within a cloud.
 *
 * @param {import('../../contract').Place} _place
 * @param {Pick<import('../types').AzureSettings, 'account' | 'endpoint'>} settings
 * @returns {import('../../contract').Identity}
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

module.exports = { accountOf, findEndpoint, identify }
