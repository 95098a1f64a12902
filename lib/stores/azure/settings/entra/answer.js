'use strict'

/** One request for a token, and what its answer may be. */

const { withoutSecrets } = require('../../../../errors')
const { ask, explainConnection } = require('../../../../http')
const { XferError } = require('../../words')

/** What tokens are for, in each cloud. https://learn.microsoft.com/en-us/azure/storage/blobs/authorize-access-azure-active-directory */
const RESOURCE = 'https://storage.azure.com/'

/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 410, 429])

/**
 * @param {{ method: string, url: string, headers: Record<string, string>, body?: Buffer }} request
 * @param {object} how
 * @param {import('.').World} how.world
 * @param {string} how.way for messages
 * @param {number} how.limitMs
 * @param {boolean} [how.direct] no proxy: the address is of this machine or its network
 * @param {string[]} [how.secrets] that the answer may repeat
 * @returns {Promise<import('.').Answered>}
 * @throws {XferError} ENTRA_FAILED, ENTRA_UNREACHABLE; `facts.status` is that of the answer, undefined without one
 */
async function requestToken(request, { world, way, limitMs, direct = false, secrets = [] }) {
  const { side, ca, proxy } = world
  const where = new URL(request.url).origin
  const answer = await ask(request, { limitMs, ca, proxy: direct ? undefined : proxy }).catch(cause => {
    const reason = explainConnection(cause.code)?.reason ?? 'it did not answer'
    throw new XferError('ENTRA_UNREACHABLE', { side, way, where, reason }, { cause })
  })
  const { status, body } = answer
  const found = parsed(body)
  if (status === 200) return tokenIn(found, { side, way })
  const said = found.error_description ?? found.error?.message ?? found.error ?? found.message
  const reason = withoutSecrets(firstLine(typeof said === 'string' ? said : `HTTP ${status}`), secrets)
  const code = PASSING.has(status) || status >= 500 ? 'ENTRA_UNREACHABLE' : 'ENTRA_FAILED'
  throw new XferError(code, { side, way, where, reason, status })
}

/**
 * @param {any} found
 * @param {{ side: string, way: string }} facts
 * @returns {import('.').Answered}
 * @throws {XferError} ENTRA_FAILED
 */
function tokenIn({ access_token: token, expires_in: seconds }, { side, way }) {
  // A life in seconds does not depend on the clock of this machine.
  const lifeMs = Number(seconds) * 1000
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) || !(lifeMs > 0)) {
    throw new XferError('ENTRA_FAILED', { side, way, reason: 'the answer has no token with the time of its life' })
  }
  return { token, expiration: new Date(Date.now() + lifeMs), way }
}

/** @param {string} body @returns {any} {} if it is no object */
function parsed(body) {
  try {
    return Object(JSON.parse(body))
  } catch {
    return {}
  }
}

/** @param {string} text @returns {string} without its full stop */
function firstLine(text) {
  return text
    .trim()
    .split(/[\r\n]/, 1)[0]
    .slice(0, 300)
    .replace(/\.$/, '')
}

module.exports = { RESOURCE, firstLine, parsed, requestToken, tokenIn }
