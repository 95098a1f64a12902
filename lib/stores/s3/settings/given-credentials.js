'use strict'

/**
 * Credentials that the library's caller gives: an object, or a function as the AWS SDK's providers are. They are passed on
 * as a function, because functions are never printed, journalled or sent.
 * https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/setting-credentials-node.html
 */

const { isDate } = require('node:util').types
const { memoize, systemClock, untilAborted } = require('../../../async')
const { XferError, isError, kindOf, messageOf } = require('../../../errors')
const { usage } = require('../../common')
const { checked } = require('./credentials')

/** @typedef {import('../../../types').Credentials} Credentials */
/** @typedef {import('../../../types').CredentialsProvider} CredentialsProvider */
/** @typedef {import('../../../types').StoreCredentialsProvider} StoreCredentialsProvider */
/** @typedef {'source' | 'destination'} Side */

/** How long a provider may take: it may have to ask several services, one after the other. */
const LIMIT_MS = 60_000

/**
 * @param {Side} side
 * @param {import('../../../types').SideOptions} options
 * @returns {CredentialsProvider | undefined} undefined if none are given
 * @throws {XferError} USAGE, BAD_CREDENTIALS, CREDENTIALS_EXPIRED
 */
function givenCredentials(side, { credentials: given, noSignRequest, ownCredentials }) {
  if (given === undefined) {
    if (!ownCredentials || noSignRequest) return undefined
    const text = `The job was begun by a program with credentials of its own for the ${side}, which are written down nowhere.`
    const option = side === 'source' ? '--source-profile' : '--dest-profile'
    throw usage(text, `Give them again: in the library as ${side}.credentials, or name a profile with ${option}.`)
  }
  if (noSignRequest) throw usage(`The ${side} has both credentials and noSignRequest.`, 'Give one of them only.')
  return typeof given === 'function' ? fromProvider(side, given) : fromObject(side, given)
}

/** @param {Side} side @param {any} given @returns {CredentialsProvider} */
function fromObject(side, given) {
  const fault = faultOf(given)
  if (fault) throw usage(`The ${side}'s credentials ${fault.are ?? `are ${fault.kind}`}.`, fault.advice)
  const credentials = checked(copyOf(given), side)
  if (isOver(credentials)) {
    throw new XferError('CREDENTIALS_EXPIRED', { side, advice: 'Give others, or a function that returns them.' })
  }
  return async () => credentials
}

/** What a provider of credentials is for. */
const RETURNS = 'It has to return { accessKeyId, secretAccessKey, sessionToken, expiration }, or a promise of it.'

/**
 * @param {Side} side
 * @param {StoreCredentialsProvider} provider
 * @param {{ limitMs?: number, clock?: import('../../../types').Clock }} [how]
 * @returns {CredentialsProvider} rejects with BAD_CREDENTIALS
 */
function fromProvider(side, provider, { limitMs = LIMIT_MS, clock = systemClock } = {}) {
  /** @param {string} reason @param {{ advice?: string, cause?: unknown }} [more] */
  const failed = (reason, { advice = RETURNS, cause } = {}) =>
    new XferError(
      'BAD_CREDENTIALS',
      { side, text: `The function that was given as the ${side}'s credentials ${reason}.`, advice },
      { cause },
    )

  let close = () => {}
  const get = memoize(async () => {
    const limit = new AbortController()
    const advice = 'Find out what it waits for.'
    close = () => limit.abort(failed(`did not answer within ${limitMs / 1000} seconds`, { advice }))
    const timer = clock.setTimeout(close, limitMs)
    // Asked of a provider that keeps its answers, as the SDK's do: `memoize` keeps them here.
    const asked = (async () => provider({ forceRefresh: true }))().finally(() => clock.clearTimeout(timer))
    const given = await untilAborted(asked, limit.signal).catch(cause => {
      clock.clearTimeout(timer)
      if (limit.signal.aborted) throw cause
      const says = isError(cause) ? `: ${messageOf(cause).replace(/\.$/, '')}` : ''
      throw failed(`failed${says}`, { cause, advice: 'Correct what it says.' })
    })
    const fault = faultOf(given)
    if (fault) throw failed(`returned ${fault.kind ?? `credentials that ${fault.are}`}`, fault)
    const credentials = checked(copyOf(given), side)
    if (isOver(credentials)) {
      const advice = "Have it return new ones, and check this machine's clock."
      throw failed(`returned credentials that expired at ${credentials.expiration?.toISOString()}`, { advice })
    }
    return credentials
  })
  return Object.assign(get, { close: () => close() })
}

/** kind: what they are instead of an object. @typedef {{ kind?: string, are?: string, advice: string }} Fault */

const SHAPE = 'Give { accessKeyId, secretAccessKey, sessionToken, expiration }, or a function that returns it.'

/** @param {any} given @returns {Fault | undefined} it has never anything of the values */
function faultOf(given) {
  if (typeof given !== 'object' || given === null) return { kind: kindOf(given), advice: SHAPE }
  for (const name of ['accessKeyId', 'secretAccessKey']) {
    const value = given[name]
    if (typeof value === 'string' && value !== '') continue
    const like = Object.keys(given).find(other => other !== name && other.toLowerCase() === name.toLowerCase())
    const are = value === undefined || value === '' ? `have no ${name}` : `have ${kindOf(value)} as ${name}`
    return { are, advice: like ? `They have ${like}: name it ${name}.` : SHAPE }
  }
  const { sessionToken, expiration } = given
  if (isGiven(sessionToken) && typeof sessionToken !== 'string')
    return { are: `have ${kindOf(sessionToken)} as sessionToken`, advice: SHAPE }
  if (isGiven(expiration) && !(isDate(expiration) && Number.isFinite(expiration.getTime()))) {
    const advice = 'Give a Date, such as new Date(text).'
    return { are: `have ${isDate(expiration) ? 'an invalid Date' : kindOf(expiration)} as expiration`, advice }
  }
  return undefined
}

/** @param {unknown} value */
function isGiven(value) {
  return value !== undefined && value !== null
}

/**
 * A copy, because the caller may change its object. Equal credentials have to stay the same object, and other ones must not: signing keys are cached by its identity.
 *
 * @param {any} given
 * @returns {Credentials}
 */
function copyOf({ accessKeyId, secretAccessKey, sessionToken, expiration }) {
  return Object.freeze({
    ...{ accessKeyId, secretAccessKey },
    ...(sessionToken && { sessionToken }),
    ...(isGiven(expiration) && { expiration: new Date(Number(expiration)) }),
  })
}

/** @param {Credentials} credentials */
function isOver({ expiration }) {
  return expiration !== undefined && expiration.getTime() <= Date.now()
}

module.exports = { fromProvider, givenCredentials }
