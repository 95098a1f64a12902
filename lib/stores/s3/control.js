'use strict'

/**
 * Control calls through the SDK's client. The client is made on the first call, and learns the bucket's region and the store's
 * clock from answers. A call is sent again, once, if its refusal shows that the region or the clock was wrong, or if the
 * credentials have expired and there are new ones. It is not retried for any other reason.
 */

const { requestHandler } = require('../../aws')
const { XferError } = require('../../errors')
const { answerReader, named } = require('./xml')
const { fromSdkError } = require('./errors')
const { credentialsOf, renewCredentials, saysExpired } = require('./identity')
const { Sha256, signControl } = require('./signer')
const { termsOf: ownTerms } = require('./words')
const { isProxied } = require('../../http')

const SILENCE_MS = 30_000
/** The time limit of calls that answer only when their work is done. */
const LONG_MS = 15 * 60_000
/** A correction of the clock worth another try. Stores refuse a difference of 15 minutes; a small one is normal. */
const SKEW_WORTH_ANOTHER_TRY_MS = 60_000

/** Calls that move bytes within the store, or assemble an object, before they answer. */
const LONG = new Set(['CompleteMultipartUpload', 'CopyObject', 'UploadPartCopy'])

/** Calls that read an object. */
const READS = new Set(['HeadObject', 'GetObject'])

/** Calls that carry the customer key (SSE-C), as data requests do. */
const KEYED = new Set([
  ...['HeadObject', 'GetObject', 'CreateMultipartUpload', 'CopyObject', 'UploadPartCopy'],
  // Required for an upload with checksums.
  ...['ListParts', 'CompleteMultipartUpload'],
])

/** A smaller difference may come from the time that the answer travelled. The SDK uses the same limit. */
const SKEW_WORTH_LEARNING_MS = 5 * 60_000

/** @typedef {import('../../types').SideSettings} SideSettings */

/**
 * @param {object} of
 * @param {SideSettings} of.settings
 * @param {string} of.bucket
 * @param {string} [of.location] the place, for messages
 * @param {() => number} of.now
 * @param {import('./dialect').Dialect} of.dialect
 * @param {typeof import('./words').termsOf} [of.termsOf] the words of the scheme
 */
function createControl({ settings, bucket, location, now, dialect, termsOf = ownTerms }) {
  const origin = settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`
  const facts = {
    side: settings.side,
    protocol: dialect.protocol,
    bucket,
    ...(location !== undefined && { location }),
    terms: termsOf(settings.side, settings.endpointFrom, { unsigned: settings.credentials === null }),
    endpoint: settings.endpoint ?? `AWS (${settings.region})`,
    proxied: isProxied(origin, settings.proxy),
    ...(settings.ownProxy && { ownProxy: true }),
    ...(settings.versionId !== undefined && { versioned: true }),
  }
  const silenceMs = settings.silenceMs ?? SILENCE_MS
  let region = dialect.region ?? settings.region
  /** The address of the bucket. @type {{ region: string, origin: string, path: string } | undefined} */
  let address
  let skewMs = 0
  /** @type {string | undefined} */
  let server
  /** @type {any} */
  let client

  /** @param {string | undefined} name */
  function noteServer(name) {
    server = name
  }

  function connect() {
    // The SDK must not print warnings on the user's terminal. It reads this variable.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    const { S3Client } = require('@aws-sdk/client-s3')
    const made = new S3Client({
      region,
      ...(settings.endpoint && { endpoint: settings.endpoint }),
      forcePathStyle: usesPathStyle(settings, bucket),
      ...(dialect.unsigned && { signer: { sign: signInDialect } }),
      ...(settings.credentials
        ? // Our provider caches, and knows when to refresh: `memoized` keeps the SDK from caching too.
          {
            credentials: Object.assign(async () => /** @type {any} */ (await credentialsOf(settings)), {
              memoized: true,
            }),
          }
        : {
            credentials: { accessKeyId: '', secretAccessKey: '' },
            ...(!dialect.unsigned && { signer: { sign: async (/** @type {any} */ r) => r } }),
          }),
      sha256: Sha256,
      maxAttempts: 1,
      // The adaptive mode of a shared configuration would try three times.
      retryMode: 'standard',
      // Checksums only where we ask for them: the SDK's default breaks stores that do not know them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      useArnRegion: false,
      requestHandler: named(
        requestHandler(settings.endpoint ?? `https://s3.${region}.amazonaws.com`, {
          silenceMs,
          ca: settings.ca,
          proxy: settings.proxy,
        }),
        noteServer,
      ),
    })
    made.config.systemClockOffset = skewMs
    return made
  }

  /** @param {any} request of the SDK */
  async function signInDialect(request) {
    const credentials = await credentialsOf(settings)
    return signControl(request, { credentials, region, nowMs: now() + currentSkewMs(), dialect })
  }

  // The SDK learns the error of this machine's clock from the `Date` of answers, and from refusals.
  const currentSkewMs = () => client?.config.systemClockOffset ?? skewMs

  /** @param {Record<string, unknown>} input */
  const isVersioned = input => input.VersionId !== undefined || facts.versioned

  /**
   * @param {string} name of a command of `@aws-sdk/client-s3`, without `Command`
   * @param {Record<string, unknown>} input
   * @param {AbortSignal} [signal]
   * @param {Record<string, string>} [headers] sent and signed unchanged, names in lower case
   * @returns {Promise<any>} the SDK's output, from the answer's headers; `$headers`: all headers, names in lower case; `$values`:
   *   content of the document, in the shape of documents.js
   * @throws {XferError}
   */
  async function call(name, input, signal, headers = {}) {
    try {
      return await send(name, input, signal, headers)
    } catch (error) {
      const of = {
        ...{
          key: input.Key,
          operation: name,
          conditional: input.IfMatch !== undefined || headers['if-match'] !== undefined,
        },
        versioned: isVersioned(input),
        ...(name === 'CompleteMultipartUpload' && { completes: true }),
      }
      throw fromSdkError(
        error,
        {
          ...facts,
          ...of,
        },
        signal,
        dialect,
      )
    }
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} input
   * @param {AbortSignal | undefined} signal
   * @param {Record<string, string>} headers
   */
  async function send(name, input, signal, headers) {
    let corrected = false
    let renewed = false
    for (;;) {
      client ??= connect()
      const credentials = await credentialsOf(settings, signal)
      const skewBeforeMs = currentSkewMs()
      // Loaded only when needed, so that a usage error does not wait for the SDK.
      const Command = /** @type {any} */ (require('@aws-sdk/client-s3'))[`${name}Command`]
      const payer = settings.requestPayer && { RequestPayer: 'requester' }
      const command = new Command({ Bucket: bucket, ...payer, ...input })
      command.middlewareStack.add(
        (/** @type {any} */ next) => (/** @type {any} */ args) => {
          const { headers: own } = args.request
          if (settings.userProject !== undefined) own['x-amz-user-project'] = settings.userProject
          Object.assign(
            own,
            READS.has(name) && dialect.readHeaders,
            KEYED.has(name) && settings.customerKey?.(),
            headers,
          )
          return next(args)
        },
        { step: 'build', name: 'xferHeaders' },
      )
      /** @type {Record<string, string>} */
      let answered = {}
      /** What the connection failed with. If that is an error of another realm, as under jest, the SDK drops its code. */
      let failed
      command.middlewareStack.add(
        (/** @type {any} */ next) => async (/** @type {any} */ args) => {
          const output = await next(args).catch((/** @type {unknown} */ error) => {
            failed = error
            throw error
          })
          output.response.headers = dialect.read(output.response.headers)
          answered = output.response.headers
          return output
        },
        { step: 'deserialize', priority: 'low', name: 'xferAnswered' },
      )
      const { answerMs } = settings
      const secrets = secretsOf(credentials, settings)
      const permissions = dialect.permissions({ ...facts, operation: name, versioned: isVersioned(input) })
      const reader = answerReader(name, { facts: { ...facts, ...permissions }, silenceMs, answerMs, secrets })
      command.middlewareStack.add(reader.middleware, { step: 'deserialize', priority: 'low', name: 'xferReader' })
      try {
        const requestTimeout = LONG.has(name) ? LONG_MS : silenceMs
        const output = await client.send(command, { abortSignal: signal, requestTimeout })
        return Object.assign(output, { $headers: answered, $values: reader.values() })
      } catch (thrown) {
        const error = /** @type {any} */ (failed ?? thrown)
        if (!renewed && saysExpired(error) && (await renewCredentials(settings, credentials))) {
          renewed = true
          continue
        }
        const found = regionOf(error)
        const elsewhere = found !== undefined && found !== region
        skewMs = currentSkewMs()
        const skewed = Math.abs(skewMs - skewBeforeMs) > SKEW_WORTH_ANOTHER_TRY_MS
        if (corrected || (!elsewhere && !skewed)) throw error
        corrected = true
        if (elsewhere) {
          region = found
          client.destroy()
          client = undefined
        }
      }
    }
  }

  return {
    call,
    facts,
    /** The store's clock, epoch milliseconds. */
    now: () => now() + currentSkewMs(),
    /** Learns the store's time from an answer outside of this client. Small differences are ignored. @param {number} dateMs */
    learnTime(dateMs) {
      const offMs = dateMs - (now() + currentSkewMs())
      if (Math.abs(offMs) < SKEW_WORTH_LEARNING_MS) return
      skewMs = currentSkewMs() + offMs
      if (client) client.config.systemClockOffset = skewMs
    },
    /** The region, as the store's answers have corrected it. */
    region: () => region,
    /** The `Server` header of the answers; undefined before the first. */
    server: () => server,
    /** @returns {Promise<{ origin: string, path: string }>} the address of the bucket; the path has no trailing slash */
    async bucketUrl() {
      if (address?.region === region) return address
      client ??= connect()
      const url = resolveBucketUrl(client, settings, bucket, region)
      address = { region, origin: url.origin, path: url.pathname === '/' ? '' : url.pathname }
      return address
    },
    close() {
      settings.credentials?.close?.()
      client?.destroy()
      client = undefined
    },
  }
}

/**
 * Secrets that the store gets from us. They are removed from its error messages.
 *
 * @param {import('../../types').Credentials | null} credentials
 * @param {SideSettings} settings
 * @returns {string[]}
 */
function secretsOf(credentials, { customerKey }) {
  const { secretAccessKey, sessionToken } = credentials ?? {}
  return [secretAccessKey, sessionToken, ...Object.values(customerKey?.() ?? {})].flatMap(secret => secret || [])
}

/**
 * The region that a refusal names: the header `x-amz-bucket-region`, or `<Region>` of AuthorizationHeaderMalformed.
 *
 * @param {any} error
 * @returns {string | undefined}
 */
function regionOf(error) {
  const status = error.$metadata?.httpStatusCode
  if (![301, 307, 400, 403].includes(status)) return undefined
  return error.$response?.headers?.['x-amz-bucket-region'] ?? error.Region ?? undefined
}

/** Path style for custom endpoints, and for buckets with dots, which wildcard certificates do not cover. @param {SideSettings} settings @param {string} bucket */
function usesPathStyle(settings, bucket) {
  if (settings.addressing !== 'auto') return settings.addressing === 'path'
  return settings.endpoint !== undefined || bucket.includes('.')
}

/**
 * The URL of the bucket, by the SDK's rules, which know the host names of all partitions.
 *
 * @param {any} client
 * @param {SideSettings} settings
 * @param {string} bucket
 * @param {string} region
 * @returns {URL}
 */
function resolveBucketUrl(client, settings, bucket, region) {
  try {
    return client.config.endpointProvider({
      Bucket: bucket,
      Region: region,
      ...(settings.endpoint && { Endpoint: settings.endpoint }),
      ForcePathStyle: usesPathStyle(settings, bucket),
      UseFIPS: false,
      UseDualStack: false,
      Accelerate: false,
      UseArnRegion: false,
      DisableMultiRegionAccessPoints: true,
    }).url
  } catch (error) {
    throw new XferError(
      'USAGE',
      {
        text: `No address of the ${settings.side} bucket "${bucket}" can be made for region "${region}".`,
        advice: `Check the bucket's name, the region and --${settings.side === 'source' ? 'source' : 'dest'}-addressing.`,
      },
      { cause: error },
    )
  }
}

module.exports = { createControl }
