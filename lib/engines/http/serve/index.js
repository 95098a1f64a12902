'use strict'

/** The worker that `xfer serve` runs: how it starts, and its settings. */

const { lookup } = require('node:dns/promises')
const { readFile } = require('node:fs/promises')
const { BlockList } = require('node:net')
const { XferError, usage } = require('../../../errors')
const { optionalCaBundle, readToken } = require('../../../http')
const { startServer } = require('./server')

/**
 * Starts a worker.
 *
 * @param {Record<string, any>} options of `xfer serve`, read
 * @param {{ env: NodeJS.ProcessEnv, log: (entry: Record<string, unknown>) => void } & import('./server').Bounds} world
 * @returns {Promise<import('./server').Worker>}
 * @throws {XferError} USAGE, also if it cannot listen
 */
async function startWorker(options, { env, log, ...bounds }) {
  const settings = { ...(await readSettings(options, env)), ...bounds }
  try {
    return await startServer(settings, log)
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
    const text = `The worker cannot listen on ${settings.host}, port ${settings.port} (${code}).`
    throw new XferError('USAGE', { text, advice: 'Choose another --port or --host.' }, { cause })
  }
}

/** The settings of `xfer serve`, from its options and its environment. */

const USUAL_PORT = 8080
/** Where it listens: with a token on all addresses, without one on this machine. */
const EVERYWHERE = '0.0.0.0'
const HERE = '127.0.0.1'
/** Characters of a token that others may try to guess. */
const LEAST_TOKEN = 16

/** The addresses at which nobody but this machine reaches a worker. The unspecified ones (0.0.0.0, ::) are not among them. */
const OWN = new BlockList()
OWN.addSubnet('127.0.0.0', 8)
OWN.addAddress('::1', 'ipv6')

/**
 * @param {{ [name: string]: any }} options as the table of options has them, read
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./server').WorkerSettings>}
 * @throws {XferError} USAGE
 */
async function readSettings(options, env) {
  const { places, heartbeatMs, timeoutMs, allowHosts: hosts, allowMetadata: metadata = false } = options
  const token = readToken(env)
  const host = options.host ?? (token === undefined ? HERE : EVERYWHERE)
  const guessable =
    token === undefined ? 'without a token' : token.length < LEAST_TOKEN ? 'with a short token' : undefined
  if (guessable && !(await isOfThisMachine(host))) {
    throw usage(
      `A worker ${guessable} may only listen on this machine, and ${host} is reached by others.`,
      `Set XFER_TOKEN to ${LEAST_TOKEN} characters or more, such as those of: openssl rand -hex 32`,
    )
  }
  return {
    host,
    port: options.port ?? portOf(env),
    token,
    tls: await readTls(options.tlsCert, options.tlsKey),
    places,
    access: { ...(hosts && { hosts }), metadata },
    heartbeatMs,
    timeoutMs,
    ca: await optionalCaBundle(options.caBundle, env),
  }
}

/** Asks what the name means, because an address has many spellings: 0, 0x0, ::ffff:0.0.0.0. @param {string} host */
async function isOfThisMachine(host) {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.length > 0 && found.every(({ address, family }) => OWN.check(address, family === 6 ? 'ipv6' : 'ipv4'))
}

/** PORT is what platforms for containers set. @param {NodeJS.ProcessEnv} env */
function portOf({ PORT }) {
  if (!PORT) return USUAL_PORT
  if (/^\d{1,5}$/.test(PORT) && Number(PORT) < 65_536) return Number(PORT)
  throw usage('The variable PORT is not the number of a port.', 'Correct it, or give --port.')
}

/** @param {string | undefined} cert @param {string | undefined} key paths */
async function readTls(cert, key) {
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined) {
    throw usage('TLS needs a certificate and its key.', 'Give both --tls-cert and --tls-key.')
  }
  const pems = { cert: await readPem(cert, '--tls-cert'), key: await readPem(key, '--tls-key') }
  try {
    require('node:tls').createSecureContext(pems)
  } catch (cause) {
    const text = 'The files of --tls-cert and --tls-key are no certificate and its key.'
    throw new XferError('USAGE', { text, advice: 'Name files in PEM form that belong together.' }, { cause })
  }
  return pems
}

/** @param {string} path @param {string} flag */
async function readPem(path, flag) {
  return readFile(path, 'utf8').catch(cause => {
    const facts = { text: `The file "${path}" of ${flag} cannot be read (${cause.code}).`, advice: 'Check the path.' }
    throw new XferError('USAGE', facts, { cause })
  })
}

module.exports = { startWorker }
