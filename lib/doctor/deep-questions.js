'use strict'

/**
 * What `xfer doctor --deep` asks a store, and what an answer means for a copy. A question that the store cannot be asked throws; then nothing
 * is concluded from it.
 */

const { createTrust } = require('../destination')
const { asXferError } = require('../errors')
const { withRetry } = require('../stores')
const { PLAIN } = require('./deep-requests')
const { isRefused, NAMES, OTHER, TEXT, words } = require('./deep-key-questions')

/**
 * holds: it is as the protocol has it; null: it could not be found out. says: a sentence. follows: what it means for a copy if it
 * does not hold, a sentence. facts: of the server's row, as in stores/servers.js.
 *
 * @typedef {{ holds: boolean | null, says: string, follows?: string, facts?: Partial<import('./deep').FoundFacts> }} DeepAnswer
 * @typedef {{ id: string, ask: (server: import('./deep-requests').Requests) => Promise<DeepAnswer> }} Question
 */

const ATTRIBUTES = {
  metadata: {
    headers: {
      'content-type': 'text/x-doctor',
      'cache-control': 'max-age=7',
      'content-language': 'de',
      'content-disposition': 'attachment; filename="doctor"',
    },
    user: { doctor: 'one', doctor2: 'a b' },
  },
}
const MiB = 1024 ** 2
/** The ETag of an object that is not there. */
const OTHER_ETAG = '"0123456789abcdef0123456789abcdef"'

/**
 * Whether a wrong checksum is refused, and a right one is not.
 *
 * @param {import('./deep-requests').Requests} server
 * @param {{ name: string, where: 'header' | 'behind', what: string, attributes?: import('../types').ObjectAttributes }} how
 * @returns {Promise<DeepAnswer & { checked?: boolean, refused?: boolean }>}
 */
async function askChecksum(server, { name, where, what, attributes }) {
  const right = await server.put(name, TEXT, { checksum: where, attributes })
  if (!right.isSent)
    return { holds: null, says: `${what} is not sent to this server, because it is known to refuse it.` }
  if (isRefused(right)) return { holds: false, says: `${what} is refused (${words(right)}).`, refused: true }
  const wrong = await server.put(name, TEXT, { checksum: where, wrong: true, attributes })
  const checked = isRefused(wrong)
  return {
    holds: checked,
    says: `${what} that is wrong ${checked ? `is refused (${words(wrong)})` : 'is taken'}.`,
    checked,
  }
}

/** @param {Promise<unknown>} upload @returns {Promise<import('../types').XferError | undefined>} undefined: it was completed */
const refusalOf = upload => upload.then(() => undefined, asXferError)

const READ_BACK = 'Objects whose ETag is no MD5 are read back.'

/** The others need the first. @type {Question[]} */
const QUESTIONS = [
  {
    id: 'a small object',
    async ask(server) {
      const put = await server.put('small', TEXT)
      if (isRefused(put)) return { holds: false, says: `It is refused (${words(put)}).` }
      const there = await server.get('small', {}).catch(cause => {
        if (asXferError(cause).code !== 'NO_SUCH_KEY') throw cause
      })
      if (!there) return { holds: false, says: 'It was written, and is not there.' }
      return {
        holds: there.body === TEXT,
        says: `It was written, and ${there.body === TEXT ? '' : 'not '}read as it was.`,
      }
    },
  },
  {
    id: 'checksum of a PUT',
    async ask(server) {
      const found = await askChecksum(server, { name: 'sum', where: 'header', what: 'A CRC-32 in a header' })
      return { ...found, follows: found.refused ? undefined : READ_BACK, facts: { sumsOfPut: found.checked ?? null } }
    },
  },
  {
    id: 'checksum behind a PUT',
    async ask(server) {
      const found = await askChecksum(server, { name: 'behind', where: 'behind', what: 'A CRC-32 behind the bytes' })
      const refused = found.refused === true
      const follows = refused ? 'It is sent no checksums of objects that are signed before they are read.' : READ_BACK
      return { ...found, follows, facts: { sumsBehind: found.checked ?? null, refusesSums: refused } }
    },
  },
  {
    id: 'checksum with an encoding',
    async ask(server) {
      const attributes = { metadata: { headers: { 'content-encoding': 'gzip' }, user: {} } }
      const what = 'A CRC-32 with a Content-Encoding'
      const found = await askChecksum(server, { name: 'encoded', where: 'behind', what, attributes })
      const facts = { sumsEncoded: found.checked ?? null }
      if (found.refused || found.holds === null) return { ...found, facts }
      await server.put('encoded', TEXT, { checksum: 'behind', attributes })
      const { metadata, framed } = await server.head('encoded')
      const kept = framed ?? metadata.headers['content-encoding']
      const clean = framed === undefined && kept === 'gzip'
      const says = clean ? found.says : `${found.says} The encoding "gzip" is kept as "${kept}".`
      const follows = found.holds ? 'A copy does not name the framing there.' : READ_BACK
      return {
        ...found,
        holds: found.holds && clean,
        says,
        follows,
        facts: { ...facts, keepsFraming: framed !== undefined },
      }
    },
  },
  {
    id: 'checksum of a part',
    async ask(server) {
      const trust = createTrust(withRetry(server.store, { retries: 2 }), { retries: 2 })
      const holds = await trust.part({ key: `${server.prefix}part`, signal: server.signal })
      const says = holds
        ? 'A CRC-32 of a part that is wrong is refused, and a right one is not.'
        : 'It is not shown that a wrong CRC-32 of a part is refused.'
      return { holds, says, follows: 'Parts whose ETag is no MD5 are read back.', facts: { sumsOfParts: holds } }
    },
  },
  {
    id: 'checksums kept',
    async ask(server) {
      if (isRefused(await server.put('kept', TEXT, { checksum: 'header' }))) await server.put('kept', TEXT)
      const { sums = {}, etag } = await server.head('kept')
      const names = Object.keys(sums)
      const md5 = /^"?[0-9a-f]{32}"?$/.test(etag)
      const ofPart = Object.keys(await server.upload('kept in a part', [Buffer.from(TEXT)]))
      const list = (/** @type {string[]} */ some) => (some.length > 0 ? some.join(', ') : 'no checksum')
      const says = `HEAD tells ${list(names)}, and an ETag that ${md5 ? 'has the form of an MD5' : 'is no MD5'}; the answer to a part tells ${list(ofPart)}.`
      const holds = names.length > 0 || md5
      return { holds, says, follows: 'Nothing that it tells proves a copy from it: --verify full reads it twice.' }
    },
  },
  {
    id: 'condition of a PUT',
    async ask(server) {
      const plain = await server.put('condition', TEXT)
      const { etag, conditionEtag = etag } = await server.head('condition')
      const absent = await server.put('condition', OTHER, { condition: { ifNoneMatch: true } })
      const other = await server.put('condition', OTHER, { condition: { ifMatch: OTHER_ETAG } })
      const same = await server.put('condition', TEXT, { condition: { ifMatch: conditionEtag } })
      const sent = Object.keys(absent.headersSent).length > Object.keys(plain.headersSent).length
      if (!sent)
        return { holds: null, says: 'No condition is sent to this server, because it is known to ignore them.' }
      const holds = isRefused(absent) && isRefused(other) && !isRefused(same)
      const says = `If-None-Match where an object is: ${words(absent)}; If-Match of another ETag: ${words(other)}; of its own: ${words(same)}.`
      const follows = '--no-clobber and --if-match look before they write; somebody who writes between is overwritten.'
      return { holds, says, follows, facts: { conditionsOfPut: holds } }
    },
  },
  {
    id: 'condition of an upload',
    async ask(server) {
      await server.put('completed', TEXT)
      const condition = { ifNoneMatch: true }
      const refusal = await refusalOf(server.upload('completed', [Buffer.from(OTHER)], { condition }))
      const there = await server.get('completed', {})
      const holds = refusal !== undefined && there.body === TEXT
      const says = `A completion with If-None-Match where an object is: ${refusal ? refusal.code : 'it was taken'}.`
      const follows = '--no-clobber of large objects looks before the completion.'
      return { holds, says, follows, facts: { conditionsOfUpload: holds } }
    },
  },
  {
    id: 'quotes of If-Match',
    async ask(server) {
      await server.put('quotes', TEXT)
      const { etag } = await server.head('quotes')
      const bare = etag.replaceAll('"', '')
      const [quoted, unquoted, other] = [
        await server.get('quotes', { etag: `"${bare}"` }),
        await server.get('quotes', { etag: bare }),
        await server.get('quotes', { etag: OTHER_ETAG }),
      ]
      const holds = quoted.status < 300 && isRefused(other)
      const says = `A read with If-Match: quoted ${words(quoted)}; without quotes ${words(unquoted)}; of another ETag ${words(other)}.`
      return { holds, says, follows: 'That a source changes while it is read is noticed by the ETag of each answer.' }
    },
  },
  {
    id: 'metadata',
    async ask(server) {
      await server.put('described', TEXT, { attributes: ATTRIBUTES })
      await server.upload('described in parts', [Buffer.from(TEXT)], { attributes: ATTRIBUTES })
      const lost = []
      for (const name of ['described', 'described in parts']) {
        const { metadata } = await server.head(name)
        const where = name === 'described' ? 'a PUT' : 'an upload'
        for (const part of /** @type {const} */ (['headers', 'user'])) {
          for (const [header, value] of Object.entries(ATTRIBUTES.metadata[part])) {
            const found = /** @type {Record<string, string>} */ (metadata[part])[header]
            if (found !== value) lost.push(`${header} of ${where}${found === undefined ? '' : ` (it has "${found}")`}`)
          }
        }
      }
      const holds = lost.length === 0
      const says = holds
        ? 'Content headers and user metadata are kept, in uploads too.'
        : `These are lost: ${lost.join(', ')}.`
      return { holds, says, follows: 'A copy says which attributes did not arrive.', facts: { keepsMetadata: holds } }
    },
  },
  {
    id: 'tags',
    async ask(server) {
      const { tags } = server.store
      const tagged = /** @type {import('../types').ObjectAttributes} */ ({ ...PLAIN, tags: [['doctor', 'a b']] })
      if (!tags) return { holds: null, says: 'This server is known to have no tags.' }
      const answer = await server.put('tagged', TEXT, { attributes: tagged })
      const read = isRefused(answer) ? [] : await tags.read(`${server.prefix}tagged`, { signal: server.signal })
      const holds = read.some(([key, value]) => key === 'doctor' && value === 'a b')
      const says = holds ? 'Tags are kept.' : `Tags are not kept (${words(answer)}).`
      return { holds, says, follows: 'Objects with tags are copied with --tags none.', facts: { tags: holds } }
    },
  },
  {
    id: 'unequal parts',
    async ask(server) {
      // Whether uploads work at all.
      await server.upload('one part', [Buffer.from(TEXT)])
      const { minBytes } = server.store.limits
      const sizes = [Math.min(minBytes, 5 * MiB), Math.min(minBytes, 5 * MiB) + 1, 1]
      const bodies = sizes.map(bytes => Buffer.alloc(bytes, 'x'))
      const refusal = await refusalOf(server.upload('parts', bodies))
      const there = refusal ? undefined : (await server.head('parts')).bytes
      const holds = there === sizes.reduce((a, b) => a + b)
      const says = holds
        ? 'Parts of different sizes make an object.'
        : `Parts of different sizes make none (${refusal?.message ?? `${there} bytes`}).`
      return { holds, says, follows: 'All parts but the last get one size.', facts: { equalParts: !holds } }
    },
  },
  ...NAMES,
  {
    id: 'ranges',
    async ask(server) {
      await server.put('ranges', TEXT)
      const middle = await server.get('ranges', { range: { start: 5, end: 8 } })
      const beyond = await server.get('ranges', { range: { start: 1000, end: 1001 } })
      const right = middle.body === TEXT.slice(5, 9) && middle.headers['content-range'] === `bytes 5-8/${TEXT.length}`
      const holds = right && middle.status === 206 && beyond.status === 416
      const says = `Bytes 5 to 8: ${middle.status}, ${middle.headers['content-range'] ?? 'no Content-Range'}; beyond the end: ${beyond.status}.`
      return { holds, says, follows: right ? undefined : 'Large objects cannot be copied from it in parts.' }
    },
  },
  {
    id: 'abort',
    async ask(server) {
      if (server.store.upload.lapse) return { holds: null, says: 'It has no call that aborts an upload.' }
      await server.put('aborted', TEXT)
      await server.abortOne('aborted')
      const there = await server.get('aborted', {}).catch(() => undefined)
      const holds = there?.body === TEXT
      const says = holds
        ? 'An upload that is aborted leaves the object of its key alone.'
        : 'An upload that is aborted takes the object of its key with it.'
      return { holds, says, follows: 'Do not interrupt a copy over an object that you need.' }
    },
  },
  {
    id: 'signed URLs',
    async ask(server) {
      await server.put('url', TEXT)
      const [week, second] = [await server.getByUrl('url', 7 * 86_400_000), await server.getByUrl('url', 1000)]
      if (week === undefined || second === undefined) return { holds: null, says: 'These credentials sign no URLs.' }
      const holds = week === 200 && second === 200
      return { holds, says: `A URL for a week: ${week}; for a second: ${second}.` }
    },
  },
  {
    id: 'clock of the store',
    async ask(server) {
      const { status, headers } = await server.put('clock', TEXT)
      const toldMs = Date.parse(headers.date ?? '')
      if (status >= 300 || Number.isNaN(toldMs)) return { holds: null, says: 'It does not tell its time.' }
      const seconds = Math.round((toldMs - Date.now()) / 1000)
      return {
        holds: Math.abs(seconds) < 60,
        says: `Its clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}.`,
      }
    },
  },
]

module.exports = { QUESTIONS }
