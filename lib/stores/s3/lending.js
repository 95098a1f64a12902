'use strict'

/**
 * URLs with which another store may read one object for a quarter of an hour. Each carries its signature, so it is a secret.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

const { createHash, createHmac } = require('node:crypto')
const { credentialsOf } = require('./identity')
const { signingKey, timeOf } = require('./sigv4')
const { canonicalQuery, encodeKey, UNSIGNED_PAYLOAD } = require('./signer')

const LIFE_S = 15 * 60

/**
 * @param {object} of
 * @param {ReturnType<typeof import('./control').createControl>} of.control
 * @param {import('../../types').SideSettings} of.settings
 * @param {import('./dialect').Dialect} of.dialect
 * @returns {Pick<import('../contract').Store, 'lend'>} empty if a read needs more than a URL
 */
function createLending({ control, settings, dialect }) {
  if (settings.customerKey !== undefined || dialect.lacks.has('lending')) return {}
  return {
    async lend({ key, versionId }) {
      const { origin, path } = await control.bucketUrl()
      const credentials = await credentialsOf(settings)
      const query = {
        ...(versionId !== undefined && { versionId }),
        ...(settings.requestPayer && { 'x-amz-request-payer': 'requester' }),
      }
      const resource = { host: new URL(origin).host, path: `${path}/${encodeKey(key)}` }
      const context = { region: control.region(), nowMs: control.now(), names: dialect.signature }
      const search = credentials
        ? presigned({ ...resource, query }, { ...context, credentials })
        : canonicalQuery(query)
      return `${origin}${resource.path}${search && `?${search}`}`
    },
  }
}

/**
 * The query with which a GET is allowed. It names no header but the host, so that the reader may add a range and a condition.
 *
 * @param {{ host: string, path: string, query: Record<string, string> }} resource path: encoded; query: not encoded
 * @param {{ credentials: import('../../types').Credentials, region: string, nowMs: number, names: import('./dialect').SignatureNames }} context
 * @returns {string}
 */
function presigned({ host, path, query }, { credentials, region, nowMs, names }) {
  const { algorithm, service, terminator } = names
  const time = timeOf(nowMs)
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/${service}/${terminator}`
  const claims = canonicalQuery({
    ...query,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(LIFE_S),
    'X-Amz-SignedHeaders': 'host',
    ...(credentials.sessionToken && { 'X-Amz-Security-Token': credentials.sessionToken }),
  })
  const canonical = ['GET', path, claims, `host:${host}`, '', 'host', UNSIGNED_PAYLOAD].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const signature = createHmac('sha256', signingKey(credentials, region, day, names))
    .update([algorithm, time, scope, digest].join('\n'))
    .digest('hex')
  return `${claims}&X-Amz-Signature=${signature}`
}

module.exports = { createLending, presigned }
