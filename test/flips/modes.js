'use strict'

/** The same for the modes of the sandbox's store: with no kind of store a flipped byte stays unnoticed. */

const { MODES } = require('../../sandbox/store/modes')

/** @typedef {import('./kinds').Kind} Kind */

const ROUTES = /** @type {const} */ (['multipart', 'put'])
const WORDS = { multipart: 'a part', put: 'an object' }

/** @type {Kind[]} */
const MODE_KINDS = MODES.flatMap(({ name, side, options }) => [
  ...(side === 'source' ? [] : ROUTES.flatMap(route => written(name, route, options))),
  ...(side === 'destination' ? [] : ROUTES.flatMap(route => readFrom(name, route, options))),
])

/** @param {string} mode @param {Kind['route']} route @param {import('../../sandbox/store/types').StoreOptions} destination @returns {Kind[]} */
function written(mode, route, destination) {
  const kind = { mode, route, destination, keeps: /** @type {const} */ ('nothing') }
  return [
    { ...kind, what: `${WORDS[route]} on its way to ${mode}`, flip: 'write', when: 'once' },
    { ...kind, what: `${WORDS[route]} on its way to ${mode}, each time`, flip: 'write', when: 'always' },
    {
      ...kind,
      what: `${WORDS[route]} as ${mode} stores it, --verify full`,
      flip: 'stored',
      when: 'once',
      verify: 'full',
    },
  ]
}

/** @param {string} mode @param {Kind['route']} route @param {import('../../sandbox/store/types').StoreOptions} source @returns {Kind[]} */
function readFrom(mode, route, source) {
  const { checksums = true, checksumCheck = true, checksumEcho = 'sent', md5Etags = true } = source
  const sums = checksums && (checksumCheck !== false || checksumEcho === 'sent')
  /** @param {Kind['keeps']} keeps @param {string} words @param {Kind['verify']} [verify] @returns {Kind} */
  const kind = (keeps, words, verify) => ({
    what: `${WORDS[route]} from ${mode}${words}`,
    mode,
    route,
    source,
    keeps,
    flip: 'read',
    when: 'once',
    verify,
  })
  return [
    ...(sums ? [kind('full', ' with a full CRC-32')] : []),
    ...(md5Etags ? [kind('etag', ' with an MD5 ETag')] : []),
    // A source that stores a checksum is compared by it, and not read twice.
    ...(md5Etags ? [] : [kind('nothing', ', --verify full', 'full')]),
  ]
}

module.exports = { MODE_KINDS }
