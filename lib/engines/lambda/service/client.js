'use strict'

/**
 * The client of Lambda that the whole engine uses, deployment and checks included: single requests through the SDK, which
 * signs them, each with deadlines and a bound on its answer. Retries of the SDK are off. Each failure is an error of the table.
 */

const { untilAborted } = require('../../../async')
const { oddCredential, requestHandler } = require('../../../aws')
const { abortReason, withoutSecrets } = require('../../../errors')
const { readBody } = require('../../../http')
const { regionalEndpoint } = require('./endpoint')
const { XferError, deployCommand } = require('./errors')
const { clause, fromConnection, fromRefusal, saysExpired } = require('./refusals')

/** @typedef {import('./settings').LambdaSettings} LambdaSettings */
/** @typedef {import('../../../types').Credentials} Credentials */

const SILENCE_MS = 30_000
/** The most bytes of an answer: the result of an invocation has at most 6 MB. */
const MOST_BYTES = 8 * 1024 ** 2
/** A correction of the clock worth another try. AWS refuses a difference of 5 minutes. */
const SKEW_WORTH_ANOTHER_TRY_MS = 60_000

/**
 * An answer. The SDK's `output` of an invocation has no `Payload`: it is in `payload`.
 *
 * @typedef {{ output: any, payload?: Buffer, status: number, headers: Record<string, string | undefined>, sentMs: number,
 *   receivedMs: number }} Answer
 *
 * @typedef {object} Client
 * @property {Record<string, any> & { where: string, action: string }} facts facts of its errors
 * @property {(name: string, input?: object, asking?: { signal?: AbortSignal, limitMs?: number }) => Promise<Answer>} call
 *   sends one request; name: of a command of `@aws-sdk/client-lambda`, without `Command`; limitMs: how long the answer may take;
 *   rejects with an XferError
 * @property {(name: string, input?: object, asking?: { signal?: AbortSignal, limitMs?: number }) => Promise<any>} ask as `call`;
 *   resolves to the SDK's output
 * @property {Client['ask']} find as `ask`; resolves to undefined if there is no such thing
 * @property {() => void} close
 */

/**
 * @param {LambdaSettings} settings
 * @param {object} [how]
 * @param {number} [how.silenceMs] how long Lambda may take to answer requests other than invocations
 * @param {number} [how.connections] how many idle connections to keep
 * @param {AbortSignal} [how.signal] of every request
 * @param {string} [how.advice] for errors: what to do when Lambda refuses a request
 * @param {string} [how.neededBy] for errors: a command that needs the function
 * @param {() => number} [how.now] epoch milliseconds
 * @returns {Client}
 */
function openClient(
  settings,
  { silenceMs = SILENCE_MS, connections, signal: always, advice, neededBy, now = Date.now } = {},
) {
  const { fn, where, region, keyFrom, flags } = settings
  const known = { where, region, action: fn.text, keyFrom, deployCommand: deployCommand({ action: fn.name, flags }) }
  const facts = { ...known, ...(advice && { advice }), ...(neededBy && { neededBy }) }
  /** @type {any} */
  let client

  function connect() {
    // The SDK must not print warnings on the user's terminal. It reads this variable.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    const { LambdaClient } = require('@aws-sdk/client-lambda')
    const { endpoint, ca, proxy } = settings
    return new LambdaClient({
      region,
      ...(endpoint && { endpoint }),
      // Ours is the one that is configured: the SDK would look in the environment of this process.
      ignoreConfiguredEndpointUrls: true,
      // Our provider caches, and knows when to refresh: `memoized` keeps the SDK from caching too.
      credentials: Object.assign(async () => /** @type {any} */ (await credentialsOf(always)), { memoized: true }),
      maxAttempts: 1,
      // The adaptive mode of a shared configuration would try three times.
      retryMode: 'standard',
      requestHandler: requestHandler(endpoint ?? regionalEndpoint(region), {
        ...{ silenceMs, ca, proxy },
        ...(connections !== undefined && { maxFreeSockets: connections }),
      }),
    })
  }

  /** @param {AbortSignal | undefined} signal @returns {Promise<Credentials>} */
  async function credentialsOf(signal) {
    const credentials = await untilAborted(settings.credentials(), signal).catch(cause => {
      if (signal?.aborted) throw abortReason(signal)
      throw new XferError('LAMBDA_NO_CREDENTIALS', { ...facts, reason: clause(cause?.message) }, { cause })
    })
    const odd = oddCredential(credentials)
    if (odd) throw new XferError('LAMBDA_NO_CREDENTIALS', { ...facts, reason: `the ${odd} has odd characters` })
    return credentials
  }

  /**
   * Sends a request once.
   *
   * @param {string} name
   * @param {object} input
   * @param {{ signal: AbortSignal | undefined, limitMs: number, secrets: string[] }} how
   * @returns {Promise<Answer>}
   */
  async function send(name, input, { signal, limitMs, secrets }) {
    const Command = /** @type {any} */ (require('@aws-sdk/client-lambda'))[`${name}Command`]
    const command = new Command(input)
    const bounds = { silenceMs, most: MOST_BYTES }
    /** @type {Omit<Answer, 'output'> | undefined} */
    let answer
    /** What the connection failed with. If that is an error of another realm, as under jest, the SDK drops its code. */
    let failed
    command.middlewareStack.add(
      (/** @type {any} */ next) => async (/** @type {any} */ args) => {
        const sentMs = now()
        try {
          const result = await next(args)
          const { response } = result
          const { statusCode: status, headers } = response
          const receivedMs = now()
          const body = await readBody(response.body, bounds)
          if (status < 200 || status > 299) throw refused(response, body, secrets)
          if (!body) throw new XferError('NOT_LAMBDA', { ...facts, reason: 'its answer is too long' })
          answer = { status, headers, sentMs, receivedMs, ...(name === 'Invoke' && { payload: body }) }
          response.body = name === 'Invoke' ? Buffer.alloc(0) : body
          return result
        } catch (error) {
          failed = error
          throw error
        }
      },
      { step: 'deserialize', priority: 'low', name: 'xferReader' },
    )
    try {
      const output = await client.send(command, { abortSignal: signal, requestTimeout: limitMs })
      return { .../** @type {Omit<Answer, 'output'>} */ (answer), output }
    } catch (thrown) {
      // The answer was read, and the SDK could not make anything of it.
      if (answer) throw new XferError('NOT_LAMBDA', { ...facts, reason: 'its answer is no JSON' }, { cause: thrown })
      throw failed ?? thrown
    }
  }

  /** @type {Client['call']} */
  async function call(name, input = {}, { signal = always, limitMs = silenceMs } = {}) {
    let [renewed, corrected] = [false, false]
    for (;;) {
      if (signal?.aborted) throw abortReason(signal)
      client ??= connect()
      const credentials = await credentialsOf(signal)
      const skewBeforeMs = client.config.systemClockOffset
      const { secretAccessKey, sessionToken } = credentials
      try {
        const secrets = [secretAccessKey, sessionToken].flatMap(secret => secret || [])
        return await send(name, input, { signal, limitMs, secrets })
      } catch (error) {
        if (signal?.aborted) throw abortReason(signal)
        if (error instanceof XferError) throw error
        const { refusal } = /** @type {{ refusal?: import('./refusals').Refusal }} */ (error)
        if (!refusal) throw fromConnection(error, facts, name === 'Invoke' ? limitMs : undefined)
        if (!renewed && saysExpired(refusal) && (await settings.credentials.renew?.(credentials).catch(() => false))) {
          renewed = true
          continue
        }
        // The SDK learns the error of this machine's clock from refusals.
        const skewed = Math.abs(client.config.systemClockOffset - skewBeforeMs) > SKEW_WORTH_ANOTHER_TRY_MS
        if (corrected || !skewed || refusal.status >= 500) throw fromRefusal(refusal, facts, error)
        corrected = true
      }
    }
  }

  /** @type {Client['ask']} */
  const ask = async (name, input, asking) => (await call(name, input, asking)).output

  return {
    facts,
    call,
    ask,
    async find(name, input, asking) {
      try {
        return await ask(name, input, asking)
      } catch (error) {
        if (/** @type {import('../../../types').XferError} */ (error).code === 'LAMBDA_NOT_DEPLOYED') return undefined
        throw error
      }
    },
    close() {
      client?.destroy()
      client = undefined
    },
  }
}

/**
 * An error in the shape of the SDK's own, so that the SDK learns the clock's skew from it.
 *
 * @param {any} response
 * @param {Buffer | undefined} body undefined: too large
 * @param {string[]} secrets texts that no error may repeat
 */
function refused(response, body, secrets) {
  const { statusCode: status, headers } = response
  const said = readJson(body)
  const type = headers['x-amzn-errortype'] ?? said?.__type ?? said?.code
  const safe = (/** @type {unknown} */ text) => (typeof text === 'string' ? withoutSecrets(text, secrets) : undefined)
  /** @type {import('./refusals').Refusal} */
  const refusal = {
    status,
    headers,
    // `TooManyRequestsException:http://…`, or `com.amazonaws…#TooManyRequestsException`.
    type: safe(type)?.split(':')[0].split('#').at(-1),
    message: safe(said?.message ?? said?.Message),
    reason: safe(said?.Reason),
  }
  return Object.assign(new Error(refusal.message ?? `HTTP ${status}`), {
    name: refusal.type ?? 'Refused',
    refusal,
    $metadata: { httpStatusCode: status },
    $response: response,
  })
}

/** @param {Uint8Array | undefined} bytes @returns {any} undefined if it is not JSON */
function readJson(bytes) {
  try {
    return bytes && JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

module.exports = { openClient, readJson }
