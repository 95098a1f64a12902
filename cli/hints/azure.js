'use strict'

/** Hints for locations of Azure Blob Storage as others write them: addresses, with a SAS perhaps, and other schemes. */

const { quoted } = require('../../lib/options')

/** The hosts of accounts, with the end that says which cloud. */
const HOST =
  /^([a-z0-9]{3,24})(?:-secondary)?\.(z\d+\.)?(blob|dfs|web)\.(?:storage\.azure\.net|core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn))$/
const USUAL = /^[a-z0-9]+\.blob\.core\.windows\.net$/
const SCHEMES = /^(az|azure|azblob|azureblob|wasbs?|abfss?):/i
const CONNECTION = /(?:^|;)(?:AccountKey|SharedAccessSignature|UseDevelopmentStorage)=/i
/** What Azurite listens to. */
const EMULATOR = /^https?:\/\/(?:localhost|127\.0\.0\.1|azurite)(?::\d+)?\/(devstoreaccount1)(\/|$)/i

/** @param {string} text @returns {boolean} whether it means Azure, well or badly written */
function meansAzure(text) {
  return SCHEMES.test(text) || CONNECTION.test(text) || EMULATOR.test(text) || HOST.test(hostOf(text))
}

/** @param {string} text @returns {string} '' if it is no address */
function hostOf(text) {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : ''
}

/**
 * @param {{ text: string, side: string }} typed side: as options write it, `source` or `dest`
 * @returns {string | undefined} a sentence, without what may be secret in the text
 */
function azureAdvice({ text, side }) {
  if (CONNECTION.test(text)) {
    const variable = `XFER_${side.toUpperCase()}_AZURE_STORAGE_CONNECTION_STRING`
    return `Put a connection string into ${variable} or AZURE_STORAGE_CONNECTION_STRING, and name the object as az://account/container/key.`
  }
  const found = hostOf(text) === '' ? fromScheme(text) : fromAddress(new URL(text))
  if (!found) return undefined
  const { account = 'ACCOUNT', path, endpoint, query = new URLSearchParams() } = found
  const place = quoted(`az://${account}/${path || 'container/key'}`)
  const version = query.get('versionid') ?? query.get('versionId')
  const flags = [
    ...(endpoint ? [`--${side}-endpoint-url ${endpoint}`] : []),
    ...(version && side === 'source' ? [`--version-id ${quoted(version)}`] : []),
    ...(query.get('snapshot') && side === 'source' ? [`--snapshot ${quoted(query.get('snapshot') ?? '')}`] : []),
  ]
  const variable = `XFER_${side.toUpperCase()}_AZURE_STORAGE_SAS_TOKEN`
  const sas = query.has('sig') ? `, and put its SAS, which stands behind the question mark, into ${variable}` : ''
  return `Write it as ${place}${flags.length > 0 ? ` with ${flags.join(' and ')}` : ''}${sas}.`
}

/** @typedef {{ account?: string, path: string, endpoint?: string, query?: URLSearchParams }} Found path: container and key */

/** @param {URL} url @returns {Found | undefined} */
function fromAddress(url) {
  const { hostname, pathname, origin, searchParams: query } = url
  const [emulated, account] = EMULATOR.exec(url.href) ?? []
  if (emulated) return { account, path: decoded(pathname.replace(/^\/[^/]*\/?/, '')), endpoint: origin, query }
  const [, named, zone, service] = HOST.exec(hostname) ?? []
  if (!named) return undefined
  const path = decoded(pathname.slice(1))
  // The web service of an account serves its container $web.
  if (service === 'web') return { account: named, path: `$web/${path}`, query }
  const blob = origin.replace(/\.dfs\./, '.blob.').replace('-secondary.', '.')
  return { account: named, path, query, ...((zone || !USUAL.test(new URL(blob).hostname)) && { endpoint: blob }) }
}

/** @param {string} text with another scheme, or with more or fewer slashes @returns {Found | undefined} */
function fromScheme(text) {
  const [, scheme, given] = /^([a-z]+):\/*(.*)$/is.exec(text) ?? []
  if (scheme === undefined || !SCHEMES.test(text)) return undefined
  const [rest, asked] = splitSas(given)
  const query = new URLSearchParams(asked)
  // container@account.dfs.core.windows.net/key, as Hadoop writes it.
  const [, container, host, key] = /^([^/@:]+)@([^/@:]+)\/?(.*)$/s.exec(rest) ?? []
  // As with a profile, which az:// has not.
  if (/^az$/i.test(scheme) && container !== undefined && !host.includes('.')) return { account: host, path: key, query }
  if (container !== undefined) return { account: host.replace(/\..*$/s, ''), path: `${container}/${key}`, query }
  if (/[@:]/.test(/^[^/]*/.exec(rest)?.[0] ?? '')) return undefined
  const [, account, path] = /^([a-z0-9]{3,24})\.(?:z\d+\.)?(?:blob|dfs)\.[^/]+\/(.*)$/s.exec(rest) ?? []
  if (account !== undefined) return { account, path, query }
  if (/^az:\/\/[^/]/i.test(text) && !query.has('sig')) return undefined
  // The others name no account, or may: with two slashes it is the first of three names.
  const named = /^[a-z0-9]{3,24}\/[^/]+\/./s.test(rest) && /^azu?r?e?$/i.test(scheme)
  const [first] = rest.split('/', 1)
  return named ? { account: first, path: rest.slice(first.length + 1), query } : { path: rest, query }
}

/** A key may have a question mark, so only what has a signature or names a version is a query. @param {string} text */
function splitSas(text) {
  const at = text.search(/\?(?:.*&)?(?:sig|versionid|snapshot)=/is)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

module.exports = { azureAdvice, meansAzure }
