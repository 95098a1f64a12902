'use strict'

/**
 * URLs with which another store may read one object for a quarter of an hour, or anybody for as long as the user says. Each carries
 * its signature, so it is a secret.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

const { createHash, createHmac } = require('node:crypto')
const { usage } = require('../common')
const { credentialsOf } = require('./control')
const { signingKey, timeOf } = require('../../aws')
const { canonicalQuery, encodeKey, hostOf, UNSIGNED_PAYLOAD } = require('./signer')

const LIFE_S = 15 * 60
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html, and Google's. */
const MOST_LIFE_MS = 7 * 86_400_000

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {import('./dialect').Dialect} of.dialect
 * @returns {Pick<import('../contract').Store, 'lend' | 'presign'>} without `lend` if a read needs more than a URL
 */
function createLending({ control, settings, dialect }) {
  /**
   * @param {{ key: string, versionId?: string }} object
   * @param {import('../../types').Credentials | null} credentials
   * @param {number} lifeS
   */
  async function urlOf({ key, versionId }, credentials, lifeS) {
    const { origin, path } = control.bucketUrl()
    const { query } = dialect.translate({
      ...{ method: 'GET', headers: {} },
      query: {
        ...(versionId !== undefined && { versionId }),
        ...(settings.requestPayer && { 'x-amz-request-payer': 'requester' }),
        ...(settings.userProject !== undefined && { userProject: settings.userProject }),
      },
    })
    const resource = { host: hostOf(origin), path: `${path}/${encodeKey(key)}` }
    const context = { region: control.region(), nowMs: control.now(), names: dialect.signature, lifeS }
    const search = credentials ? presigned({ ...resource, query }, { ...context, credentials }) : canonicalQuery(query)
    return `${origin}${resource.path}${search && `?${search}`}`
  }

  const lends = settings.customerKey === undefined && !dialect.lacks.has('lending')
  return {
    ...(lends && { lend: async object => await urlOf(object, await credentialsOf(settings), LIFE_S) }),

    async presign({ lifeMs, ...object }) {
      if (settings.customerKey !== undefined) {
        const text = 'An object with a customer key (SSE-C) is read with that key, which no URL can have.'
        throw usage(text, 'Copy the object to where it needs none, and sign a URL of that copy.')
      }
      if (lifeMs > MOST_LIFE_MS)
        throw usage(`A signed URL of ${dialect.protocol} is good for 7 days at most.`, 'Give --expires 7d or less.')
      const credentials = await credentialsOf(settings)
      if (!credentials) throw usage('Requests are not signed, and so no URL is.', 'Leave out --source-no-sign-request.')
      const endsMs = control.now() + lifeMs
      const url = await urlOf(object, credentials, Math.floor(lifeMs / 1000))
      // It ends with the session whose credentials have signed it.
      return { url, endsMs: Math.min(endsMs, credentials.expiration?.getTime() ?? endsMs) }
    },
  }
}

/**
 * The query with which a GET is allowed. It names no header but the host, so that the reader may add a range and a condition.
 *
 * @param {{ host: string, path: string, query: Record<string, string> }} resource path: encoded; query: not encoded
 * @param {{ credentials: import('../../types').Credentials, region: string, nowMs: number, lifeS: number, names: import('../../aws/sigv4').SignatureNames }} context
 * @returns {string}
 */
function presigned({ host, path, query }, { credentials, region, nowMs, lifeS, names }) {
  const { algorithm, service, terminator, headerPrefix } = names
  // `x-amz-` as it begins a parameter: `X-Amz-`.
  const prefix = headerPrefix.replace(/(?<![a-z])[a-z]/g, letter => letter.toUpperCase())
  const time = timeOf(nowMs)
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/${service}/${terminator}`
  const claims = canonicalQuery({
    ...query,
    [`${prefix}Algorithm`]: algorithm,
    [`${prefix}Credential`]: `${credentials.accessKeyId}/${scope}`,
    [`${prefix}Date`]: time,
    [`${prefix}Expires`]: String(lifeS),
    [`${prefix}SignedHeaders`]: 'host',
    ...(credentials.sessionToken && { [`${prefix}Security-Token`]: credentials.sessionToken }),
  })
  const canonical = ['GET', path, claims, `host:${host}`, '', 'host', UNSIGNED_PAYLOAD].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const signature = createHmac('sha256', signingKey(credentials, region, day, names).key)
    .update([algorithm, time, scope, digest].join('\n'))
    .digest('hex')
  return `${claims}&${prefix}Signature=${signature}`
}

module.exports = { createLending }
