'use strict'

/**
 * The client of Lambda that the whole engine uses, deployment and checks included: single signed requests, each with deadlines
 * and a bound on its answer. Nothing is retried here. Each failure is an error of the table.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Operations.html
 */

const { createHash } = require('node:crypto')
const { untilAborted } = require('../../async')
const { dnsSuffix, oddCredential, signHeaders } = require('../../aws')
const { abortReason, throwIfAborted, withoutSecrets } = require('../../errors')
const { agent, exchange } = require('../../http')
const { clauseOf, readJson } = require('../common')
const { fromConnection, EXPIRED, fromRefusal, resultOf, XferError, deployCommand, failure } = require('./answers')

/** @typedef {import('./settings').LambdaSettings} LambdaSettings */
/** @typedef {import('../../types').Credentials} Credentials */
/** @typedef {{ function?: string, qualifier?: string, body?: object }} Input of a request; body: as JSON */

/** An answer. output: its JSON; undefined if it has none. @typedef {{ output: any, headers: Record<string, any>, sentMs: number, receivedMs: number }} LambdaAnswer */

/**
 * @typedef {object} LambdaClient
 * @property {Record<string, any> & { where: string, action: string }} facts facts of its errors
 * @property {(name: keyof typeof OPERATIONS, input?: Input, asking?: { signal?: AbortSignal, limitMs?: number }) => Promise<LambdaAnswer>} call
 *   sends one request; limitMs: how long the answer may take; rejects with an XferError
 * @property {(name: keyof typeof OPERATIONS, input?: Input, asking?: { signal?: AbortSignal }) => Promise<LambdaAnswer | undefined>} read
 *   as `call`, of what only administrators may read: undefined if the credentials may not
 * @property {(params: object, asking: { signal?: AbortSignal, limitMs: number }) => Promise<any>} invoke resolves to the function's result
 * @property {Input} target the function, as requests name it
 * @property {() => void} close
 */

const SILENCE_MS = 30_000
const CONNECT_MS = 10_000
/** The most bytes of an answer: the result of an invocation has at most 6 MB. */
const MOST_BYTES = 8 * 1024 ** 2
/** A correction of the clock worth another try. AWS refuses a difference of 5 minutes. */
const SKEW_WORTH_ANOTHER_TRY_MS = 60_000

const OPERATIONS = /** @type {const} */ ({
  Invoke: ['POST', '/2015-03-31/functions/{}/invocations'],
  /** Invoke, and nobody waits. */
  InvokeLater: ['POST', '/2015-03-31/functions/{}/invocations'],
  GetFunctionConfiguration: ['GET', '/2015-03-31/functions/{}/configuration'],
  GetFunctionConcurrency: ['GET', '/2019-09-30/functions/{}/concurrency'],
  GetAccountSettings: ['GET', '/2016-08-19/account-settings'],
  CreateFunction: ['POST', '/2015-03-31/functions'],
  UpdateFunctionCode: ['PUT', '/2015-03-31/functions/{}/code'],
  UpdateFunctionConfiguration: ['PUT', '/2015-03-31/functions/{}/configuration'],
  DeleteFunction: ['DELETE', '/2015-03-31/functions/{}'],
})

/** Their types. @type {Record<string, string>} */
const INVOCATIONS = { Invoke: 'RequestResponse', InvokeLater: 'Event' }

const NAMES = {
  algorithm: 'AWS4-HMAC-SHA256',
  secretPrefix: 'AWS4',
  service: 'lambda',
  terminator: 'aws4_request',
  headerPrefix: 'x-amz-',
}

/**
 * @param {LambdaSettings} settings
 * @param {object} [how]
 * @param {number} [how.silenceMs] how long Lambda may take to answer requests other than invocations
 * @param {number} [how.connections] how many idle connections to keep
 * @param {AbortSignal} [how.signal] of every request
 * @param {string} [how.whenRefused] for errors: what to do when Lambda refuses a request
 * @returns {LambdaClient}
 */
function openClient(settings, { silenceMs = SILENCE_MS, connections, signal: always, whenRefused } = {}) {
  const { fn, where, region, keyFrom, ca, proxy } = settings
  const known = { where, region, action: fn.text, keyFrom, deployCommand: deployCommand(fn.name), whenRefused }
  const facts = { ...known, platform: where, fn: `the function ${fn.text}` }
  const endpoint = addressOf(settings)
  const route = agent(new URL(endpoint).origin, { ca, proxy, maxFreeSockets: connections })
  const bounds = { agent: route, connectMs: Math.min(CONNECT_MS, silenceMs), silenceMs, most: MOST_BYTES }
  const target = { function: fn.name, qualifier: fn.qualifier }
  /** Lambda's clock minus ours, once a refusal has shown it. */
  let skewMs = 0

  /** @param {AbortSignal | undefined} signal @returns {Promise<Credentials>} */
  async function credentialsOf(signal) {
    const credentials = await untilAborted(settings.credentials(), signal).catch(cause => {
      if (signal?.aborted) throw abortReason(signal)
      throw failure('PLATFORM_KEY_REFUSED', { ...facts, reason: clauseOf(cause?.message) }, { cause })
    })
    const odd = oddCredential(credentials)
    if (odd) throw failure('PLATFORM_KEY_REFUSED', { ...facts, reason: `the ${odd} has odd characters` })
    return credentials
  }

  /** @param {keyof typeof OPERATIONS} name @param {Input} input @param {Credentials} credentials */
  function signed(name, { function: named = '', qualifier, body }, credentials) {
    const [method, template] = OPERATIONS[name]
    const url = new URL(endpoint)
    const path = `${url.pathname.replace(/\/$/, '')}${template.replace('{}', encodeURIComponent(named))}`
    const query = qualifier === undefined ? '' : `Qualifier=${encodeURIComponent(qualifier)}`
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const all = {
      host: url.host,
      ...(INVOCATIONS[name] && { 'x-amz-invocation-type': INVOCATIONS[name] }),
      ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      'x-amz-content-sha256': createHash('sha256')
        .update(bytes ?? '')
        .digest('hex'),
    }
    // Other than S3, Lambda has the encoded path encoded again.
    const twice = path.split('/').map(encodeURIComponent).join('/')
    const how = { credentials, region, nowMs: Date.now() + skewMs, names: NAMES }
    return {
      method,
      url: `${url.origin}${path}${query && `?${query}`}`,
      headers: signHeaders({ method, path: twice, query, headers: all }, how),
      body: bytes,
    }
  }

  /** @type {LambdaClient['call']} */
  async function call(name, input = {}, { signal = always, limitMs = silenceMs } = {}) {
    let [renewed, corrected] = [false, false]
    for (;;) {
      throwIfAborted(signal)
      const credentials = await credentialsOf(signal)
      const begunMs = performance.now()
      const request = signed(name, input, credentials)
      const { body, ...answer } = await exchange(request, { ...bounds, signal, limitMs }).catch(error => {
        if (error instanceof XferError) throw error
        const waited = name === 'Invoke' && performance.now() - begunMs >= limitMs
        throw fromConnection(error, facts, waited ? limitMs : undefined)
      })
      const { status, headers, receivedMs } = answer
      const output = readJson(body)
      if (status >= 200 && status <= 299) {
        const mayBeEmpty = name in INVOCATIONS || name === 'DeleteFunction'
        if (output || (mayBeEmpty && body)) return { ...answer, output }
        throw failure('NOT_A_PLATFORM', { ...facts, reason: `its answer is ${body ? 'no JSON' : 'too long'}` })
      }
      const secrets = [credentials.secretAccessKey, credentials.sessionToken].flatMap(secret => secret || [])
      const refusal = refusalOf(status, headers, output, secrets)
      const expired = !renewed && EXPIRED.test(refusal.type ?? '')
      if (expired && (await settings.credentials.renew?.(credentials).catch(() => false))) {
        renewed = true
        continue
      }
      const skewNowMs = Date.parse(refusal.headers.date ?? '') - receivedMs
      const skewed = Math.abs(skewNowMs - skewMs) > SKEW_WORTH_ANOTHER_TRY_MS
      if (corrected || !skewed || refusal.status >= 500) throw fromRefusal(refusal, facts)
      skewMs = skewNowMs
      corrected = true
    }
  }

  return {
    facts,
    target,
    call,
    read: (name, input, asking) =>
      call(name, input, asking).catch(error => {
        if (error.facts?.type !== 'AccessDeniedException') throw error
        return undefined
      }),
    invoke: async (params, asking) => resultOf(await call('Invoke', { ...target, body: params }, asking), facts),
    close: () => route.destroy(),
  }
}

/** The address of the API. @param {LambdaSettings} settings */
function addressOf({ endpoint, region }) {
  return endpoint ?? `https://lambda.${region}.${dnsSuffix(region)}`
}

/**
 * @param {number} status
 * @param {Record<string, any>} headers
 * @param {any} said the JSON of its body
 * @param {string[]} secrets texts that no error may repeat
 * @returns {import('./answers').LambdaRefusal}
 */
function refusalOf(status, headers, said, secrets) {
  const type = headers['x-amzn-errortype'] ?? said?.__type ?? said?.code
  const safe = (/** @type {unknown} */ text) => (typeof text === 'string' ? withoutSecrets(text, secrets) : undefined)
  return {
    status,
    headers,
    // `TooManyRequestsException:http://…`, or `com.amazonaws…#TooManyRequestsException`.
    type: safe(type)?.split(':')[0].split('#').at(-1),
    message: safe(said?.message ?? said?.Message),
    reason: safe(said?.Reason),
  }
}

module.exports = { addressOf, openClient }
