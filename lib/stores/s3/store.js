'use strict'

/**
 * The store `s3://`: Amazon S3 and compatible stores. control.js sends control calls. Data requests are built
 * by requests.js, signed by signer.js, and sent by a function. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { isPinnedByTime } = require('../../integrity')
const { isLoopback } = require('../../http')
const { limitsOf, profileOf } = require('./profiles')
const { MTIME, describingHeaders, readDescription, readWritten } = require('./attributes')
const { addressOf } = require('./address')
const { createSession, dialectOf } = require('./dialects')
const { createContainers } = require('./containers')
const { createControl, credentialsOf } = require('./control')
const { explainAnswer } = require('./explain')
const { createCopies } = require('./copies')
const { createLending } = require('./lending')
const { listInput, readList } = require('./list')
const { nameFaults } = require('../common')
const { NAMES } = require('./names')
const { createObjectQuestions } = require('./object')
const { createRemoval } = require('./removal')
const { createRequests } = require('./requests')
const { CRCS } = require('./rules')
const { createUploads } = require('./uploads')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../contract').Abilities} Abilities */

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html#sc-glacier */
const ARCHIVES = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/**
 * @param {{ bucket: string, settings: SideSettings, location?: string, now?: () => number, scheme?: string,
 *   dialect?: import('./dialect').Dialect, termsOf?: typeof import('./words').termsOf }} where location: the place, for messages; now: epoch milliseconds; dialect:
 *   default: that of the endpoint
 * @returns {Store}
 */
function createS3Store({ bucket, settings, location, now = Date.now, scheme = 's3', ...given }) {
  const host = settings.endpoint === undefined ? 'amazonaws.com' : new URL(settings.endpoint).hostname
  const dialect = given.dialect ?? dialectOf(host)
  const control = createControl({ settings, bucket, location, now, dialect, termsOf: given.termsOf })
  let known = { server: '', facts: profileOf({ host, dialect }) }
  /** What is known of the server: more from its first answer on. Every signature asks. */
  const profile = () => {
    const { server = '' } = control.learned
    if (server !== known.server) known = { server, facts: profileOf({ host, server, dialect }) }
    return known.facts
  }
  const session = createSession(dialect, control.facts, profile)
  const encoded = profile().decodesMetadata === true
  // Of this store alone: versitygw answers a HEAD with 404 too if it does not know the credentials.
  const inBucket = { name: bucket, seen: false }
  const { read, put, part, renew, signsAnew } = createRequests({ control, settings, encoded, session, profile })
  const { partSize, tags, head } = createObjectQuestions({ control, settings, bucket: inBucket, session, profile })
  session.askBy(head)
  const upload = { part, ...createUploads({ control, bucket: inBucket, encoded, session, profile }) }

  return {
    scheme,
    facts: control.facts,
    endpoint: settings.endpoint ?? 'AWS',
    origin: settings.endpoint ?? addressOf('', settings.region, settings).origin,
    ca: settings.ca,
    can: abilities(host, settings, dialect, profile),
    limits: limitsOf(profile()),
    keyFault: key => (profile().keys?.pattern.test(key) ? profile().keys?.reason : undefined),
    named: () => control.learned.server !== undefined || 'name' in profile(),
    answered: () => control.learned.server !== undefined,
    async introduce(ask) {
      const { learned } = control
      // Should its answer not come, the next one asks.
      while (learned.server === undefined && learned.asking) await learned.asking.catch(() => {})
      if (learned.server !== undefined) return undefined
      const asked = ask()
      learned.asking = asked
      return await asked.finally(() => {
        if (learned.asking === asked) learned.asking = undefined
      })
    },
    mtime: dialect.mtime ?? MTIME,
    ...(dialect.contentHeaders && { contentHeaders: dialect.contentHeaders }),
    now: control.now,

    async authenticate() {
      return (await credentialsOf(settings)) !== null
    },
    ...{ renew, signsAnew },

    /**
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html, or a list of one key if only HeadBucket fails.
     */
    async ping({ signal } = {}) {
      try {
        await control.call(bucket === '' ? 'ListBuckets' : 'HeadBucket', {}, signal)
      } catch (error) {
        const { shared, facts } = /** @type {import('../../types').XferError} */ (error)
        if (!shared || facts.status === undefined || bucket === '') throw error
        await control.call('ListObjectsV2', listInput({ prefix: '', most: 1 }), signal)
      }
    },

    head,
    ...(!dialect.lacks.has('partSize') && { partSize }),
    ...(profile().tags !== false && { tags }),
    ...(!dialect.lacks.has('archives') && { archives: storageClass => ARCHIVES.has(storageClass ?? '') }),
    heeds: dialect.heeds ?? (() => profile().conditions === 'atomic'),

    ...{ read, put },
    ...createLending({ control, settings, dialect }),
    nameFaults: () => nameFaults(bucket, dialect.names ?? NAMES, { binding: profile().names === 'refused' }),
    baseRate: profile().baseRate,
    ...createContainers({ control, settings, pages: profile().pagesBuckets === true, dialect }),
    upload,
    ...(dialect.createTrial && { trial: dialect.createTrial({ control, upload, settings }) }),
    serverCopy: createCopies({ control, bucket, settings, session, profile }),

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    async list(list, { signal } = {}) {
      const { values } = await control.call('ListObjectsV2', listInput(list), signal)
      return readList(values, { bucket, ...list }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
    async remove({ key, etag, versionId }, { signal } = {}) {
      // A deletion has no condition of time.
      const ifMatch = etag !== undefined && isPinnedByTime({ etag }) ? undefined : etag
      const headers = await session.conditions(key, { ifMatch }, signal)
      await control.call('DeleteObject', { Key: key, VersionId: versionId }, signal, headers).catch(error => {
        // Most stores answer so as if it had been there; Google does not.
        if (etag !== undefined || error.facts?.storeCode !== 'NoSuchKey') throw error
      })
    },

    removeAll: createRemoval(control),

    readDescription: headers => Object.assign(readDescription(dialect.read(headers)), session.toldSums(headers)),
    readWritten: headers => ({
      ...readWritten(dialect.read(headers), settings.customerKey !== undefined),
      ...(dialect.sums && { answered: dialect.sums(headers), ...session.toldSums(headers) }),
    }),
    describingHeaders: description => describingHeaders(description, dialect),
    explain: answer => explainAnswer(answer, control.facts, dialect),
    close: control.close,
  }
}

/** @type {Abilities['sums']} */
const UNCHECKED = { stored: CRCS, answered: [], checked: [] }
const CHECKED = { ...UNCHECKED, checked: CRCS }

/** What is learned of its server. @type {{ [A in keyof Abilities]?: (profile: import('./profiles').Facts) => Abilities[A] }} */
const LEARNED = {
  sumAt: ({ sums }) => (sums === 'refused' ? 'none' : 'trailer'),
  // A checksum in an answer may be an echo of the request's. That of the bytes is the ETag.
  sums: ({ sums }) => (sums === 'checked' ? CHECKED : UNCHECKED),
  classes: ({ classes }) => classes,
  ignoresConditions: ({ conditions }) => conditions === 'ignored',
  keepsMetadata: ({ keepsMetadata }) => keepsMetadata === true,
  hidesBelow: ({ hidesBelow }) => hidesBelow === true,
}

/**
 * @param {string} host
 * @param {SideSettings} settings
 * @param {Pick<import('./dialect').Dialect, 'abilities'>} dialect
 * @param {() => import('./profiles').Facts} profile
 * @returns {Abilities} read it anew each time: abilities are learned from answers
 */
function abilities(host, { endpoint, customerKey }, dialect, profile) {
  const can = {
    reach: isLoopback(host) ? 'local' : 'network',
    ...(customerKey && {
      secret: { name: "customer's own key (SSE-C)", advice: 'Copy with --engine local, on this machine.' },
    }),
    // AWS does. Of others nothing is known.
    listsUploadsByPrefix: endpoint === undefined,
    partTag: 'md5',
    datesContainers: true,
    ...dialect.abilities,
  }
  const learned = Object.entries(LEARNED).filter(([name]) => !Object.hasOwn(can, name))
  for (const [name, of] of learned) Object.defineProperty(can, name, { enumerable: true, get: () => of(profile()) })
  return /** @type {any} */ (can)
}

module.exports = { createS3Store }
