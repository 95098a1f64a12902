'use strict'

/**
 * The store `s3://`: Amazon S3 and compatible stores. control.js sends control calls. Data requests are built
 * by requests.js, signed by sign.js, and sent by a function. https://docs.aws.amazon.com/AmazonS3/latest/API/
 */

const { XferError, asXferError, throwIfAborted, withoutSecrets } = require('../../errors')
const { isLoopback } = require('../../http')
const { isAltered, isPinnedByTime } = require('../../integrity')
const { containersOf, keyFault: ownKeyFault, nameFaults, removeEach } = require('../common')
const { limitsOf, knownOf } = require('../servers')
const { CRCS, MTIME, describingHeaders, readDescription, readWritten } = require('./answers')
const { createControl } = require('./control')
const { amazon, classifyAnswer, explainAnswer } = require('./explain')
const { listQuery, readList } = require('./list')
const { NAMES, addressOf, checkEndpoint } = require('./place')
const { createObjects, createRequests } = require('./requests')
const { createLending, credentialsOf } = require('./sign')
const { createCopies, createUploads } = require('./upload')

/** @typedef {import('../../types').Store} Store */
/** @typedef {import('../../types').SideSettings} SideSettings */
/** @typedef {import('../contract').Abilities} Abilities */
/** @typedef {import('./types').Dialect} Dialect */

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html#sc-glacier */
const ARCHIVES = new Set(['GLACIER', 'DEEP_ARCHIVE'])

/**
 * @param {{ bucket: string, settings: SideSettings, location?: string, now?: () => number, scheme?: string,
 *   dialect?: Dialect, dialects?: Record<string, () => object>, termsOf?: typeof import('./place').termsOf,
 *   keyFault?: typeof ownKeyFault }} where location: the place, for messages; now: epoch milliseconds; dialect: default: that of the
 *   endpoint, of these dialects
 * @returns {Store}
 * @throws {import('../../types').XferError} USAGE
 */
function createS3Store({
  bucket: name,
  settings,
  location,
  now = Date.now,
  scheme = 's3',
  keyFault = ownKeyFault,
  ...given
}) {
  checkEndpoint(name, settings)
  const host = settings.endpoint === undefined ? 'amazonaws.com' : new URL(settings.endpoint).hostname
  const { own } = settings
  const spoken = given.dialects?.[knownOf({ host }).dialect ?? '']
  const dialect = given.dialect ?? /** @type {Dialect | undefined} */ (spoken?.()) ?? amazon
  const control = createControl({ settings, bucket: name, location, now, dialect, termsOf: given.termsOf })
  let known = { server: '', facts: knownOf({ host, dialect, own }) }
  /** What is known of the server: more from its first answer on. */
  const serverFacts = () => {
    const { server = '' } = control.learned
    if (server !== known.server) known = { server, facts: knownOf({ host, server, dialect, own }) }
    return known.facts
  }
  const shared = {
    control,
    settings,
    dialect,
    serverFacts,
    encoded: serverFacts().decodesMetadata === true,
    // Of this store alone: versitygw answers a HEAD with 404 too if it does not know the credentials.
    bucket: { name, seen: false },
  }
  const objects = createObjects(shared)
  const { part, ...requests } = createRequests(shared, objects)
  const upload = { part, ...createUploads(shared, objects) }

  return {
    scheme,
    facts: control.facts,
    endpoint: settings.endpoint ?? 'AWS',
    origin: settings.endpoint ?? addressOf('', settings.region, settings).origin,
    ca: settings.ca,
    can: abilities(host, settings, dialect, { told: control.learned, serverFacts }),
    limits: limitsOf(serverFacts()),
    keyFault(key) {
      const { keys } = serverFacts()
      return keyFault(key) ?? (keys?.pattern.test(key) ? keys.reason : undefined)
    },
    // A row of a host alone, without facts, leaves open what the first answer tells.
    named: () => control.learned.server !== undefined || serverFacts().sums !== undefined,
    unknown: () => (Object.keys(serverFacts()).length === 0 ? control.learned.server : undefined),
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

    /**
     * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html, or a list of one key if only HeadBucket fails.
     */
    async ping({ signal } = {}) {
      try {
        await control.call(name === '' ? 'ListBuckets' : 'HeadBucket', {}, signal)
      } catch (error) {
        const { shared, facts } = /** @type {import('../../types').XferError} */ (error)
        if (!shared || facts.status === undefined || name === '') throw error
        await control.call('ListObjectsV2', { query: listQuery({ prefix: '', most: 1 }) }, signal)
      }
    },

    head: objects.head,
    pin: objects.pin,
    ...(!dialect.lacks.has('partSize') && { partSize: objects.partSize }),
    ...(serverFacts().tags !== false && { tags: objects.tags }),
    ...(!dialect.lacks.has('archives') && { archives: storageClass => ARCHIVES.has(storageClass ?? '') }),
    heeds: dialect.heeds ?? (() => serverFacts().conditions === 'atomic'),

    ...requests,
    ...createLending(shared),
    nameFaults: () => nameFaults(name, dialect.names ?? NAMES, { binding: serverFacts().names === 'refused' }),
    baseRate: serverFacts().baseRate,
    ...createContainers(shared),
    upload,
    serverCopy: createCopies(shared, objects),

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    async list(list, { signal } = {}) {
      const { values } = await control.call('ListObjectsV2', { query: listQuery(list) }, signal)
      return readList(values, { bucket: name, ...list }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html */
    async remove({ key, etag, versionId }, { signal } = {}) {
      // A deletion has no condition of time.
      const byTime = etag !== undefined && (isPinnedByTime({ etag }) || (!objects.versions && isAltered({ etag })))
      const headers = await objects.conditions(key, byTime ? {} : { ifMatch: etag }, signal)
      await control.call('DeleteObject', { key, query: { versionId }, headers }, signal).catch(error => {
        // Most stores answer so as if it had been there; Google does not.
        if (etag !== undefined || error.facts?.storeCode !== 'NoSuchKey') throw error
      })
    },

    removeAll: createRemoval(control),

    ...createReading(dialect, objects, settings.customerKey !== undefined),
    describingHeaders: description => describingHeaders(description, dialect),
    explain: answer => explainAnswer(answer, control.facts, dialect),
    requests: control.requests,
    roundTripMs: control.roundTripMs,
    costs: { upload: { POST: 2 }, removes: 1_000 },
    // A server that names itself is somebody's own.
    provider: /** @type {{ name?: string }} */ (knownOf({ host, dialect })).name,
    close: control.close,
  }
}

/**
 * How answers are read: as S3 writes them, or in the words of a dialect, whose checksums may be in headers of its own.
 *
 * @param {Dialect} dialect
 * @param {import('./requests').Objects} objects
 * @param {boolean} keyed objects are sent with a customer's own key
 * @returns {Pick<Store, 'readDescription' | 'readWritten'>}
 */
function createReading(dialect, { toldSums }, keyed) {
  if (!dialect.read && !dialect.sums && !keyed) return { readDescription, readWritten }
  return {
    readDescription(headers) {
      const described = readDescription(dialect.read ? dialect.read(headers) : headers)
      return dialect.sums ? Object.assign(described, toldSums(headers)) : described
    },
    readWritten(headers) {
      const written = readWritten(dialect.read ? dialect.read(headers) : headers, keyed)
      return dialect.sums ? { ...written, answered: dialect.sums(headers), ...toldSums(headers) } : written
    },
  }
}

/** @type {Abilities['sums']} */
const UNCHECKED = { stored: CRCS, answered: [], checked: [] }
const CHECKED = { ...UNCHECKED, checked: CRCS }

/** What is learned of its server. @param {import('../servers').ServerFacts} facts @returns {Partial<Abilities> & Record<string, unknown>} */
function learnedFrom({ sums, classes, conditions, keepsMetadata, datesExpires, consistent, hidesBelow }) {
  return {
    sumAt: sums === 'refused' ? 'none' : 'trailer',
    // A checksum in an answer may be an echo of the request's. That of the bytes is the ETag.
    sums: sums === 'checked' ? CHECKED : UNCHECKED,
    classes,
    ignoresConditions: conditions === 'ignored',
    keepsMetadata: keepsMetadata === true,
    datesExpires: datesExpires === true,
    consistent: sums === 'checked' && consistent === true,
    hidesBelow: hidesBelow === true,
  }
}

/**
 * @param {string} host
 * @param {SideSettings} settings
 * @param {Pick<Dialect, 'abilities'>} dialect
 * @param {{ told: import('./control').Learned, serverFacts: () => import('../servers').ServerFacts }} server
 *   told: by its answers
 * @returns {Abilities} read it anew each time: abilities are learned from answers
 */
function abilities(host, { endpoint, customerKey }, dialect, { told, serverFacts }) {
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
  let { server } = told
  let learned = learnedFrom(serverFacts())
  for (const name of Object.keys(learned)) {
    if (Object.hasOwn(can, name)) continue
    const get = () => {
      if (server !== told.server) {
        server = told.server
        learned = learnedFrom(serverFacts())
      }
      return learned[name]
    }
    Object.defineProperty(can, name, { enumerable: true, get })
  }
  return /** @type {any} */ (can)
}

/** AWS requires pages of accounts with more than 10,000 buckets. Other stores know none. */
const PAGE = 1_000
/** Its buckets have no location. https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
const REGION_WITHOUT_NAME = 'us-east-1'
/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html#ErrorCodeList: yours, and somebody's. */
const TAKEN = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists']

/** @typedef {import('../../types').XferError} BucketRefusal */

/**
 * Buckets: listed, and created.
 *
 * @param {import('./control').Shared} store
 * @returns {Required<Pick<Store, 'containers' | 'makeContainer' | 'retention'>>}
 */
function createContainers({ control, settings, dialect, serverFacts }) {
  /** Whether a creation was sent, whose answer may have been lost. */
  let sent = false

  /** The creation says so too, but not in us-east-1, where it succeeds. @param {AbortSignal | undefined} signal */
  async function exists(signal) {
    const askedRegion = control.region()
    return await control.call('HeadBucket', {}, signal).then(
      () => true,
      (/** @type {BucketRefusal} */ error) => {
        if (error.facts.status === undefined || error.throttled || error.shared) throw error
        // Only a bucket that exists has a region. The creation would be refused for another reason there.
        const elsewhere = control.region() !== askedRegion
        if (elsewhere && error.code === 'ACCESS_DENIED') throw taken({ storeCode: 'BucketAlreadyExists' })
        return false
      },
    )
  }

  /** @param {{ storeCode?: string }} [refusal] */
  const taken = ({ storeCode } = {}) =>
    new XferError('DESTINATION_EXISTS', { ...control.facts, storeCode, others: storeCode === 'BucketAlreadyExists' })

  return {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
    async containers({ marker }, { signal } = {}) {
      const query = { 'max-buckets': serverFacts().pagesBuckets ? PAGE : undefined, 'continuation-token': marker }
      const { values } = await control.call('ListBuckets', { query }, signal)
      const { Bucket } = values.Buckets
      const entries = Bucket.map((/** @type {any} */ { Name, CreationDate }) => [Name, CreationDate])
      return containersOf(entries, { next: values.ContinuationToken, marker }, control.facts)
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
    async retention({ signal } = {}) {
      // Most servers have none, and say so in many ways.
      const answer = await control.call('GetObjectLockConfiguration', {}, signal).catch(() => throwIfAborted(signal))
      const { Mode, Days, Years } = answer?.values.Rule?.DefaultRetention ?? {}
      return Mode ? `${Mode}, ${Days ? `${Days} days` : `${Years} years`}` : undefined
    },

    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
    async makeContainer({ region = settings.region }, { signal } = {}) {
      if (!sent && (await exists(signal))) throw taken()
      const named = region !== REGION_WITHOUT_NAME && region !== dialect.region
      const again = sent
      sent = true
      const document = named ? { CreateBucketConfiguration: { LocationConstraint: region } } : undefined
      await control.call('CreateBucket', { document }, signal).catch((/** @type {BucketRefusal} */ error) => {
        const { storeCode } = error.facts
        if (!TAKEN.includes(storeCode)) throw error
        // It is ours: the answer to the attempt before was lost.
        if (!again || storeCode === 'BucketAlreadyExists') throw taken(error.facts)
      })
    },
  }
}

/** Characters that XML cannot contain: a document with one of them is refused as a whole. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]/

/** @typedef {Awaited<ReturnType<import('../../types').Store['removeAll']>>[number]} NotRemoved */

/**
 * Deletes objects, many per request if the store supports it, else one by one.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
 *
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call'>} control
 * @returns {import('../../types').Store['removeAll']}
 */
function createRemoval({ call }) {
  let takesMany = true

  /** @param {string} key @param {AbortSignal | undefined} signal */
  async function one(key, signal) {
    await call('DeleteObject', { key }, signal).catch(error => {
      if (error.code !== 'NO_SUCH_KEY') throw error
    })
  }

  return async (keys, { signal } = {}) => {
    const single = takesMany ? keys.filter(key => NOT_IN_XML.test(key)) : keys
    const together = takesMany ? keys.filter(key => !NOT_IN_XML.test(key)) : []
    /** @type {NotRemoved[]} */
    const refused = []
    if (together.length > 0) {
      try {
        const document = { Delete: { Object: together.map(Key => ({ Key })), Quiet: false } }
        const { values } = await call('DeleteObjects', { document }, signal)
        const answer = readDeletions(values, together)
        refused.push(...answer.refused)
        // Whether these are deleted is unknown: delete each with its own request.
        single.push(...answer.unanswered)
        if (answer.unanswered.length === together.length) takesMany = false
      } catch (error) {
        // Some stores require an MD5 of the list, which is not sent. Others do not know the request.
        if (asXferError(error).code !== 'STORE_REFUSED') throw error
        takesMany = false
        single.push(...together)
      }
    }
    return [...refused, ...(await removeEach(single, key => one(key, signal), signal))]
  }
}

/**
 * @param {Record<string, any>} values of the document
 * @param {string[]} keys of the request
 * @returns {{ refused: NotRemoved[], unanswered: string[] }} unanswered: keys that the answer does not mention. What
 *   it says about other keys is ignored
 */
function readDeletions({ Deleted, Error: Errors }, keys) {
  const asked = new Set(keys)
  const deleted = new Set(Deleted.map((/** @type {{ Key?: string }} */ { Key }) => Key))
  /** @type {Map<string, NotRemoved>} */
  const refused = new Map()
  for (const { Key: key = '', Code, Message } of Errors) {
    const message = withoutSecrets(Message || Code || 'The store refused to delete it.')
    if (asked.has(key)) refused.set(key, { key, code: classifyAnswer({ storeCode: Code }), message })
  }
  return {
    refused: [...refused.values()],
    unanswered: keys.filter(key => !deleted.has(key) && !refused.has(key)),
  }
}

module.exports = { createS3Store }
