'use strict'

/** `xfer profiles`: the profiles that a place may name, where each comes from, and whether its store takes its keys. */

const { everyProfile } = require('../aws')
const { anySignal, eachAtOnce } = require('../async')
const { XferError, redact } = require('../errors')
const { checkArguments } = require('../options')
const { STORES } = require('../stores')
const { list } = require('./list')

/** @typedef {import('../types').FoundProfile} FoundProfile */

const AT_ONCE = 8
const LIMIT_MS = 5_000

/**
 * @param {import('../types').ProfilesOptions} [options]
 * @returns {Promise<FoundProfile[]>}
 * @throws {import('../types').XferError} USAGE, INTERRUPTED
 */
async function profiles(options = {}) {
  checkArguments('profiles', {}, options)
  const { check = false, env = process.env, signal } = options
  const { profiles: all, unread } = await everyProfile(env)
  const found = Object.entries(all).map(([name, profile]) => described(name, profile))
  if (check) {
    await eachAtOnce(found, AT_ONCE, async profile => {
      profile.check = await asked(profile, env, signal)
    })
  }
  return [...found, ...unread.map(({ path, fault }) => ({ from: path, problem: fault.message }))]
}

/** @param {string} name @param {import('../aws/profiles').Profile} profile @returns {FoundProfile} */
function described(name, { endpointUrl: endpoint, region, file = '' }) {
  const own = STORES.find(({ ownsEndpoint }) => ownsEndpoint?.(endpoint ?? ''))
  const [kind] = (own ?? STORES.find(({ profiles }) => profiles))?.schemes ?? []
  // People may have written keys into an endpoint.
  return { name, kind, ...(endpoint && { endpoint: redact(endpoint) }), ...(region && { region }), from: file }
}

/** Settings of one side, which come before those of a profile. */
const OF_SIDE = /^XFER_SOURCE_/

/**
 * @param {FoundProfile} profile
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} [signal]
 * @returns {Promise<NonNullable<FoundProfile['check']>>}
 */
async function asked({ name, kind }, env, signal) {
  const limit = AbortSignal.timeout(LIMIT_MS)
  const own = Object.fromEntries(Object.entries(env).filter(([variable]) => !OF_SIDE.test(variable)))
  try {
    const how = {
      env: own,
      source: { profile: name },
      retries: 0,
      signal: anySignal([limit, ...(signal ? [signal] : [])]),
    }
    for await (const _first of list(`${kind}://`, how)) break
    return { ok: true }
  } catch (error) {
    if (signal?.aborted || !(error instanceof XferError)) throw error
    const { code, message } = error
    if (code === 'NO_SUCH_BUCKET')
      return { ok: false, message: 'What answers there lists no buckets: is it a store of this kind?' }
    if (limit.aborted) return { ok: false, message: `The store did not answer within ${LIMIT_MS / 1000} seconds.` }
    // Keys of one bucket are good keys.
    return { ok: code === 'ACCESS_DENIED', message }
  }
}

module.exports = { profiles }
