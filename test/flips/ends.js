'use strict'

/** A byte is flipped between xfer and stores of every kind: on the way to each, and on the way from each. */

const { createHash } = require('node:crypto')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { copy } = require('../../lib')
const { contentOf } = require('../soak/content')
const { openEnd } = require('../support/ends')
const { SIZES } = require('./kinds')

/** @typedef {import('../support/ends').Started} Started */
/** @typedef {import('./kinds').Kind['route']} Route */

const ROUTES = /** @type {Route[]} */ (['multipart', 'put'])
const WORDS = { multipart: 'a part', put: 'an object' }
const WRITES = { multipart: 'UploadPart', put: 'PutObject' }

/**
 * @typedef {object} Kind
 * @property {string} what
 * @property {Started} from
 * @property {Started} to
 * @property {Route} route
 * @property {'write' | 'read'} flip
 */

/** Every pair, both routes, both directions; nothing is between xfer and a folder. @param {Started[]} servers @returns {Kind[]} */
function kindsOf(servers) {
  const kinds = servers.flatMap(from =>
    servers.flatMap(to =>
      ROUTES.flatMap(route => [
        { what: `${WORDS[route]} from ${from.name} on its way to ${to.name}`, from, to, route, flip: 'write' },
        { what: `${WORDS[route]} as ${from.name} sends it for ${to.name}`, from, to, route, flip: 'read' },
      ]),
    ),
  )
  return /** @type {Kind[]} */ (kinds.filter(({ from, to, flip }) => !(flip === 'write' ? to : from).local))
}

let opened = 0

/**
 * @param {Kind} kind
 * @param {{ tries: number, random: () => number }} how
 * @returns {Promise<import('./tries').Count>}
 */
async function tryEnds({ from, to, route, flip }, { tries, random }) {
  const folder = await mkdtemp(join(tmpdir(), 'xfer-flips-'))
  const number = ++opened
  const source = await openEnd(from, `flips-from-${number}`)
  const destination = await openEnd(to, `flips-to-${number}`)
  /** @type {import('./tries').Count} */
  const count = { tries, mended: 0, stopped: 0, reported: 0, unnoticed: 0, other: [] }
  try {
    const sizes = SIZES[route]
    const bytes = contentOf(
      sizes.reduce((sum, size) => sum + size),
      `flips/${number}`,
    )
    const kind = route === 'multipart' ? 'parts' : 'put'
    await source.write('source', { bytes, kind })
    const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, 'state') }
    for (let i = 0; i < tries; i++) {
      const part = Math.floor(random() * sizes.length)
      const at = { nth: part + 1, flipByteAt: Math.floor(random() * sizes[part]) }
      const rule =
        flip === 'write'
          ? { operation: WRITES[route], leastBytes: Math.min(...sizes), ...at }
          : { operation: 'GetObject', ...at, on: 'response' }
      const fault = (flip === 'write' ? destination : source).misbehave(/** @type {any} */ (rule))
      const error = await copy(source.text('source'), destination.text('copy'), {
        ...{ chunk: '5MiB', concurrency: 1, engine: 'local', onFailure: 'abort', retries: 1 },
        // What a store keeps of its objects differs: with this it does not matter.
        verify: flip === 'read' ? 'full' : 'auto',
        env: { ...env, ...source.env('SOURCE'), ...destination.env('DEST') },
      }).then(
        () => undefined,
        failure => failure,
      )
      fault.remove()
      const found = await destination.read('copy')
      await destination.remove('copy')
      const right = found && createHash('sha256').update(found.bytes).digest('hex') === sha256(bytes)
      if (fault.hits === 0) count.other.push('no byte was flipped')
      else if (found && !right) count.unnoticed++
      else if (right && !error) count.mended++
      else if (!found && error?.exitCode === 8) count.stopped++
      else count.other.push(`${error?.code}: ${error?.message}, and ${found ? 'the' : 'no'} copy is there`)
    }
    return count
  } finally {
    await source.close()
    await destination.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {Buffer} bytes */
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

module.exports = { kindsOf, tryEnds }
