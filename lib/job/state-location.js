'use strict'

/** Where jobs are kept: the folder of this user, or what `--state` or XFER_STATE names, a folder or a prefix in a store. */

const { join, resolve } = require('node:path')
const { fileURLToPath } = require('node:url')
const { XferError, asXferError, usage } = require('../errors')
const { inBatches, repeat } = require('../async')
const { askStore } = require('../http')
const { folderPlace, segmentsPlace } = require('../journal')
const { asPrefix, identify, parsePlace } = require('../stores')
const { openOne } = require('./open-one')

/**
 * @typedef {object} OpenState
 * @property {import('../types').JournalPlace} [place] absent: the folder of this user
 * @property {string} [at] as `place` of a `Side`: what it identifies is not copied, and never deleted
 * @property {string} [given] the option that names it; absent: the environment does
 * @property {() => Promise<void>} close
 */

/** Of a read of a segment. */
const RETRIES = 5
/** In one request. */
const MOST_REMOVED = 500
/** A segment of a journal is not larger. */
const MOST_BYTES = 16 * 1024 ** 2
/** @type {import('../types').ObjectAttributes} */
const NOTHING = { metadata: { headers: { 'content-type': 'text/plain' }, user: {} } }

/**
 * @param {{ state?: string, env?: NodeJS.ProcessEnv, caBundle?: string }} options
 * @returns {Promise<OpenState>}
 * @throws {XferError} STATE_UNSAFE; what opening a location throws
 */
async function openState({ state, env = process.env, caBundle }) {
  const given = state ?? (env.XFER_STATE || undefined)
  if (given === undefined) return { async close() {} }
  const folder = /^file:\/\//i.test(given) ? pathOf(given) : given
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(folder)) {
    const path = resolve(folder)
    const { id: at } = identify(asPrefix(parsePlace(path, 'destination')), /** @type {any} */ ({ side: 'destination' }))
    return { place: folderPlace({ folder: join(path, 'jobs') }), at, given: state, async close() {} }
  }
  const how = /** @type {const} */ ({ as: 'prefix', alone: true })
  const options = { env: ownVariables(env), caBundle }
  const one = await openOne(given, 'destination', options, () => {}, how).catch(rethrowOfState)
  try {
    await checkSafe(one.end).catch(rethrowOfState)
    return {
      place: segmentsPlace(bucketOf(one.end)),
      at: one.end.place.replace(/\*$/, ''),
      given: state,
      close: one.close,
    }
  } catch (error) {
    await one.close()
    throw error
  }
}

/** @param {string} url @throws {XferError} USAGE */
function pathOf(url) {
  try {
    return fileURLToPath(url)
  } catch {
    throw usage(`--state ${url} is no path of this machine.`, 'Give the path of a folder, or a location.')
  }
}

/** The state has variables of its own: it is neither source nor destination. @param {NodeJS.ProcessEnv} env */
function ownVariables(env) {
  const others = Object.entries(env).filter(([name]) => !/^XFER_(?:SOURCE|DEST)_/.test(name))
  return Object.fromEntries(others.map(([name, value]) => [name.replace(/^XFER_STATE_/, 'XFER_DEST_'), value]))
}

/** What stores say of a destination, and what is so of a state, which has no options of a side. @type {Array<[RegExp, string]>} */
const OWN_WORDS = [
  [/\b(the) destination\b/gi, '$1 state'],
  [/with --dest-profile or as /g, 'as '],
  [/--dest-endpoint-url/g, 'XFER_STATE_ENDPOINT_URL'],
  [/XFER_DEST_/g, 'XFER_STATE_'],
]

/** @param {unknown} cause of a state that was opened as a destination @returns {never} */
function rethrowOfState(cause) {
  const { code, facts, cause: reason } = asXferError(cause)
  const words = Object.entries({ text: facts.text, advice: facts.advice, ...facts.terms }).map(([name, said]) => [
    name,
    typeof said === 'string' ? OWN_WORDS.reduce((text, [theirs, own]) => text.replace(theirs, own), said) : said,
  ])
  const { text, advice, ...terms } = Object.fromEntries(words)
  throw new XferError(code, { ...facts, side: 'state', text, advice, terms }, { cause: reason })
}

/**
 * Two processes are kept from one job by writes that are refused if the object is there.
 *
 * @param {import('./contract').Side} end
 * @throws {XferError} STATE_UNSAFE
 */
async function checkSafe({ store, key: prefix, text }) {
  // The first answer tells which server it is.
  await store.list?.({ prefix, most: 1 }, {})
  if (store.list && store.heeds?.({ upload: false })) return
  throw new XferError('STATE_UNSAFE', { ...store.facts, location: text, unknown: store.unknown?.() })
}

/**
 * @param {import('./contract').Side} end
 * @returns {import('../types').Bucket}
 */
function bucketOf({ store, key: prefix, text }) {
  /** Of what was listed: an object is read as it was then. @type {Map<string, string>} */
  const etags = new Map()

  /** @param {import('../types').DataRequest} request @param {'read' | 'write'} of @param {Buffer} [body] */
  async function play(request, of, body) {
    // Half a segment would be taken for one with a damaged line.
    const answer = await askStore(store, request, { body, most: MOST_BYTES, whole: true })
    if (answer.status < 300) return answer
    const { status, body: said, headers } = answer
    throw store.explain({ of, status, body: said, headers: /** @type {any} */ (headers) })
  }

  return {
    text,
    now: store.now,

    async list(beginning) {
      const found = []
      /** @type {string | undefined} */
      let marker
      do {
        const page = await /** @type {NonNullable<typeof store.list>} */ (store.list)(
          { prefix: prefix + beginning, most: 1_000, ...(marker !== undefined && { marker }) },
          {},
        )
        for (const { key, etag, lastModifiedMs: modifiedMs } of page.objects) {
          const name = key.slice(prefix.length)
          etags.set(name, etag)
          found.push({ name, modifiedMs })
        }
        marker = page.next
      } while (marker !== undefined)
      return found.sort((one, other) => (one.name < other.name ? -1 : 1))
    },

    async get(name) {
      const key = prefix + name
      try {
        const etag = etags.get(name) ?? (await store.head(key, {})).etag
        const { request } = await store.read({ key, etag })
        return Buffer.from((await repeat(() => play(request, 'read'), { retries: RETRIES })).body)
      } catch (cause) {
        const { code } = asXferError(cause)
        etags.delete(name)
        if (code !== 'NO_SUCH_KEY' && code !== 'SOURCE_CHANGED') throw cause
        return undefined
      }
    },

    async putNew(name, bytes) {
      const condition = { ifNoneMatch: true }
      const what = { key: prefix + name, bytes: bytes.length, attributes: NOTHING, checksum: false, condition }
      const { request } = await store.put(what)
      try {
        await play(request, 'write', bytes)
        return true
      } catch (cause) {
        if (asXferError(cause).code === 'DESTINATION_EXISTS') return false
        throw cause
      }
    },

    async remove(names) {
      const keys = names.map(name => prefix + name)
      for await (const batch of inBatches(keys, MOST_REMOVED)) {
        const refused = (await store.removeAll(batch, {})).find(({ code }) => code !== 'NO_SUCH_KEY')
        if (refused) throw new XferError(refused.code, { ...store.facts, key: refused.key, reason: refused.message })
      }
    },
  }
}

module.exports = { openState }
