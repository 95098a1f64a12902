'use strict'

/** What `xfer doctor --deep` asks about names: lists, and odd keys. */

const { asXferError } = require('../errors')

const TEXT = 'Does this store keep what it is given?\n'
const OTHER = 'Or something else of the same size?!?!\n'

/** @param {{ status: number, code?: string }} answer */
const words = ({ status, code }) => (code === undefined ? 'it was taken' : `HTTP ${status} ${code}`)
/** A refusal that is about the request, and no trouble of the server. @param {{ status: number }} answer */
const isRefused = ({ status }) => status >= 400 && status < 500

/** @type {import('./deep-questions').Question[]} */
const NAMES = [
  {
    id: 'lists',
    async ask(server) {
      const names = ['a', 'a-', 'a/b', 'aB', 'ab', 'z', 'é', '\u{10000}', '\uffee'].map(name => `list/${name}`)
      /** @type {string[]} */
      const refused = []
      for (const name of names) if (isRefused(await server.put(name, TEXT))) refused.push(name)
      const { names: found, pages, lacks } = await server.list('list/', 2)
      const wanted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      const missing = wanted.filter(name => !found.includes(name) && !refused.includes(name))
      const hidden = missing.includes('list/a/b') || missing.includes('list/a')
      const short = (/** @type {string[]} */ some) => some.map(name => name.slice(5)).join(', ')
      const ordered = found.join('\n') === wanted.filter(name => found.includes(name)).join('\n')
      const ends = Number.isFinite(pages) && lacks.length === 0
      const says = [
        ordered ? 'Lists are in the order of UTF-8' : `Lists are out of order (${short(found)})`,
        ends ? 'and show their end' : 'and do not show their end',
        ...(missing.length > 0 ? [`; these are missing: ${short(missing)}`] : []),
        ...(refused.length > 0 ? [`; these were refused beside the others: ${short(refused)}`] : []),
      ].join(' ')
      const holds = ordered && ends && missing.length === 0
      const follows = ordered
        ? 'What a list does not show is neither copied nor deleted.'
        : 'sync refuses it (LISTING_DISORDERED).'
      return { holds, says: `${says.replaceAll(' ;', ';')}.`, follows, facts: { hidesBelow: hidden } }
    },
  },
  {
    id: 'keys',
    async ask(server) {
      /** @type {Array<[what: string, name: string]>} */
      const odd = [
        ['a backslash', 'key/0/a\\b'],
        ['./', 'key/1/./a'],
        ['../', 'key/2/b/../a'],
        ['//', 'key/3//a'],
        ['a closing slash', 'key/4/a/'],
        ['capital letters', 'key/CASE'],
        ['NFC', 'key/\u00e9'],
        ['NFD', 'key/e\u0301'],
        ['a blank at the end', 'key/a '],
        ['1,024 bytes', `key/${'long/'.repeat(300)}`.slice(0, 1024 - Buffer.byteLength(server.prefix) - 1).concat('x')],
      ]
      await server.put('key/case', OTHER)
      /** @type {string[]} */
      const wrong = []
      for (const [what, name] of odd) {
        const body = name.endsWith('/') ? '' : `${what}\n`
        const put = await server.put(name, body)
        const got = isRefused(put)
          ? put
          : await server.get(name, {}).catch(cause => ({ status: 404, body: '', code: asXferError(cause).code }))
        if (put.status >= 300) wrong.push(`${what} (${words(put)})`)
        else if (got.status >= 300 || got.body !== body) wrong.push(`${what} (written, and not there)`)
      }
      const listed = new Set((await server.list('key/')).names)
      for (const [what, name] of odd)
        if (!listed.has(name) && !wrong.some(one => one.startsWith(what))) wrong.push(`${what} (not listed)`)
      if ((await server.get('key/case', {})).body !== OTHER) wrong.push('case (one object for both)')
      const holds = wrong.length === 0
      const says = holds ? 'All keys are kept as they are.' : `These keys are not kept: ${wrong.join('; ')}.`
      const follows = 'Objects with such keys fail by name before they are written.'
      return { holds, says, follows, facts: { badKeys: wrong.map(one => one.replace(/ \(.*/, '')) } }
    },
  },
]

module.exports = { isRefused, NAMES, OTHER, TEXT, words }
