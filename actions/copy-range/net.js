'use strict'

/** The way to a store: which route a request takes, the proxy on it, what is trusted, and what may be connected to. */

const dns = require('node:dns')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const tls = require('node:tls')
const { bytesOf, elsewhere, isWithin, rangeOf } = require('./address-guard')
const { Failure } = require('./failure')

/**
 * How an invocation may connect; `ca`: certificates to trust in addition to the usual and the bundled ones;
 * `proxies`: in place of the environment's, by side; '' or absent: none.
 * @typedef {{ access: import('./address-guard').AccessRules, ca?: string,
 *   proxies?: Partial<Record<import('./failure').Side, string>> }} Reach
 */

/**
 * The way to a store.
 * @typedef {object} Route
 * @property {boolean} secure
 * @property {string} host
 * @property {number} port
 * @property {Proxy} [proxy]
 * @property {tls.SecureContext} [secureContext] what is trusted, where that is not the usual
 * @property {net.LookupFunction} lookup gives only addresses that may be connected to
 * @property {string} key equal for routes whose connections are interchangeable: it also tells the rules that addresses are judged by
 */

/**
 * @param {Pick<import('./transport').WireRequest, 'secure' | 'host' | 'port'> & { elsewhere?: true }} request
 * @param {import('./failure').Side} side
 * @param {Reach} reach
 * @returns {Route}
 * @throws {Failure} ADDRESS_REFUSED of what can be judged before a name is looked up; UNREACHABLE for a proxy that is none
 */
function findRoute({ secure, host, port, elsewhere: away }, side, { access: rules, ca, proxies }) {
  const access = away ? elsewhere(rules) : rules
  const origin = new URL(`${secure ? 'https:' : 'http:'}//${authority({ host, port })}`)
  let proxy
  try {
    proxy = proxyFor(origin, process.env, proxies && (proxies[side] ?? ''))
  } catch {
    throw new Failure('UNREACHABLE', { side, detail: 'the proxy of the environment is no URL of http or https' })
  }
  // Node.js does not look up an address, so it is judged here. A proxy looks names up itself, so only the name can be judged.
  const reason = net.isIP(host) ? access.judge(host, host) : proxy && access.judgeNamed(host)
  if (reason) throw new Failure('ADDRESS_REFUSED', { side, reason })
  // Made only if it is needed: the usual certificates are read then.
  const trusted = secure || proxy ? bundledAnd(ca) : undefined
  const secureContext = trusted === undefined ? undefined : trusting(trusted)
  const trust = secureContext && [...contexts.values()].indexOf(secureContext)
  const key = `${origin.href} ${proxy?.url.href ?? ''} ${trust ?? ''} ${access.key}`
  return { key, secure, host, port, proxy, secureContext, lookup: lookupWithin(access) }
}

/**
 * How long a connection may have been idle and still be used, by the wall clock: a container that is frozen between two
 * invocations runs no timer, and its stores close their ends meanwhile. Many servers wait five seconds; this is less.
 */
const MAX_IDLE_MS = 4_000

/** The error code of a connection to a forbidden address, which is never opened. */
const REFUSED = 'ADDRESS_REFUSED'

/**
 * Looks names up as Node.js does, and gives only allowed addresses. So the address that is connected to is the one that was
 * judged, even if the name server says something else a moment later.
 * @param {import('./address-guard').AccessRules} rules
 * @returns {net.LookupFunction}
 */
function lookupWithin(rules) {
  return (host, options, done) => {
    dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = found.filter(({ address }) => rules.judge(host, address) === undefined)
      if (allowed.length === 0) return done(refusal(rules.judge(host, found[0].address)), '', 0)
      if (options.all) done(null, allowed)
      else done(null, allowed[0].address, allowed[0].family)
    })
  }
}

/** @param {string} [reason] */
function refusal(reason) {
  return Object.assign(new Error(reason), { code: REFUSED })
}

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * The proxy that the environment names for a URL: that of its scheme, else ALL_PROXY, as curl reads them. Loopback is never
 * reached through one: it would be the proxy's.
 * @param {URL} target
 * @param {Environment} env
 * @param {string} [given] a proxy in place of the environment's, also for loopback; '': none
 * @returns {Proxy | undefined}
 */
function proxyFor(target, env, given) {
  if (given !== undefined) return given === '' ? undefined : parseProxy(given)
  const secure = target.protocol === 'https:'
  /** @param {string} name */
  const setting = name => env[name] ?? env[name.toUpperCase()]
  const text = (setting(secure ? 'https_proxy' : 'http_proxy') ?? setting('all_proxy'))?.trim()
  const host = target.hostname.toLowerCase()
  if (!text || LOOPBACK.test(host)) return undefined
  const port = target.port || (secure ? '443' : '80')
  if (isExcepted(host, port, setting('no_proxy') ?? '')) return undefined
  return parseProxy(text)
}

/** Names that are loopback's, as URLs have them. */
const LOOPBACK = /^(?:(?:.*\.)?localhost|\[::1\]|127(?:\.\d+){3})$/s

/**
 * As curl and Go (golang.org/x/net/http/httpproxy) read NO_PROXY.
 * @param {string} host
 * @param {string} port
 * @param {string} exceptions parted by commas or blanks: `*`; `host`, itself and what is below it; `.host`, only what is below it; an
 *   address; each with or without `:port`; a range of addresses
 */
function isExcepted(host, port, exceptions) {
  const address = bytesOf(host.replace(/^\[|\]$/g, ''))
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some(exception => {
      const range = rangeOf(exception)
      if (range) return address !== undefined && isWithin(address, range)
      const [, name, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? []
      if (onlyPort && onlyPort !== port) return false
      return name === '*' || host === name || host.endsWith(`.${name.replace(/^\*?\./, '')}`)
    })
}

/**
 * @param {string} text `host:port` or a URL, maybe with credentials
 * @returns {Proxy}
 */
function parseProxy(text) {
  let url
  try {
    url = new URL(text.includes('://') ? text : `http://${text}`)
  } catch {
    // The text may hold a password: neither it nor an error that quotes it goes any further.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The proxy is not a URL of http or https.')
  }
  if (!url.username && !url.password) return { url }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

/** @typedef {{ url: URL, authorization?: string }} Proxy */
/** @typedef {(error: Error | null, socket?: net.Socket) => void} OnSocket */

/** How long a proxy may take to open a tunnel. */
const TUNNEL_MS = 10_000

/** The longest answer to a CONNECT that is read. */
const MAX_HEAD = 16_384

/**
 * @param {net.Socket} socket to the proxy
 * @param {Proxy} proxy
 * @param {string} target host and port
 * @param {OnSocket} done called once
 */
function openTunnel(socket, proxy, target, done) {
  let head = ''
  const timer = setTimeout(() => finish(tunnelError('ETIMEDOUT')), TUNNEL_MS)
  const onEnd = () => finish(tunnelError('ECONNRESET'))
  /** @param {Error | null} error */
  const finish = error => {
    clearTimeout(timer)
    socket.off('data', onData).off('error', finish).off('end', onEnd).off('close', onEnd)
    if (!error) return done(null, socket)
    socket.on('error', () => {}).destroy()
    done(error)
  }
  /** @param {Buffer} chunk */
  const onData = chunk => {
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return head.length > MAX_HEAD ? finish(tunnelError('EPROXY')) : undefined
    // Nothing may follow the head: in TLS it is the client that speaks first.
    if (!/^HTTP\/1\.[01] 2\d\d/.test(head) || end + 4 !== head.length) return finish(tunnelError('EPROXY'))
    socket.pause()
    finish(null)
  }
  socket.on('data', onData).on('error', finish).on('end', onEnd).on('close', onEnd)
  const authorization = proxy.authorization ? `Proxy-Authorization: ${proxy.authorization}\r\n` : ''
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`)
}

/** @param {string} code */
function tunnelError(code) {
  return Object.assign(new Error('The proxy opened no tunnel.'), { code })
}

/** @param {URL} url a proxy's @param {tls.SecureContext} [secureContext] */
function dial(url, secureContext) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol === 'https:') {
    const servername = net.isIP(host) ? undefined : host
    return tls.connect({ host, port: Number(url.port || 443), servername, secureContext })
  }
  return net.connect({ host, port: Number(url.port || 80), noDelay: true })
}

/** @param {{ host: string, port: number | string }} target */
function authority({ host, port }) {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The file beside the action's index.js with certificates to trust: put there when the action is deployed, and mostly absent. */
const BUNDLE = 'ca-bundle.pem'

/** The error codes of Node.js for a certificate that it does not accept. */
const REFUSALS =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/

/** By their certificates. @type {Map<string, tls.SecureContext>} */
const contexts = new Map()

/**
 * Trusts these certificates in addition to those that Node.js trusts anyway. (Its option `ca` alone would replace them, but
 * the other store of a copy may be a public one.)
 * @param {string} pem one or several
 * @returns {tls.SecureContext} the same for the same text
 */
function trusting(pem) {
  const made = contexts.get(pem) ?? makeContext(pem)
  contexts.set(pem, made)
  return made
}

/**
 * A context without the option `ca` shares the usual certificates, which a process reads once; others are added to a copy.
 * To give all of them as `ca` has them read again, which takes each thread twenty milliseconds.
 * @param {string} pem
 * @returns {tls.SecureContext}
 */
function makeContext(pem) {
  const made = tls.createSecureContext()
  // Node.js documents it nowhere.
  if (typeof made.context?.addCACert !== 'function')
    return tls.createSecureContext({ ca: [...tls.rootCertificates, ...extra(), pem] })
  for (const one of [...extra(), pem]) made.context.addCACert(one)
  return made
}

/** Those of `NODE_EXTRA_CA_CERTS`: in Node.js 18 the copy of the usual ones lacks them. */
function extra() {
  const file = process.env.NODE_EXTRA_CA_CERTS
  return file ? readIfThere(file) : []
}

/** @param {string} file @returns {string[]} its text, or nothing */
function readIfThere(file) {
  try {
    return [fs.readFileSync(file, 'utf8')]
  } catch {
    return []
  }
}

/** The certificates that were put beside the action. */
const bundled = readIfThere(path.join(__dirname, BUNDLE))

/**
 * @param {string} [pem] certificates that the caller trusts
 * @returns {string | undefined} those and the bundled ones; undefined where there are none
 */
function bundledAnd(pem) {
  const all = pem === undefined ? bundled : [...bundled, pem]
  return all.length > 0 ? all.join('\n') : undefined
}

/** @param {string | undefined} code of an error */
function isCertificateRefusal(code) {
  return code !== undefined && REFUSALS.test(code)
}

module.exports = {
  BUNDLE,
  MAX_IDLE_MS,
  REFUSED,
  authority,
  dial,
  findRoute,
  isCertificateRefusal,
  lookupWithin,
  openTunnel,
  proxyFor,
  refusal,
  trusting,
}
