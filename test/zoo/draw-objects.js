'use strict'

/** Which objects there are in a run of the zoo, and what they have beside their bytes: pure. */

const { MiB } = require('../soak/dice')

/**
 * @typedef {import('./draw').Dice} Dice
 *
 * @typedef {object} Drawn
 * @property {string} name
 * @property {number} bytes
 * @property {'put' | 'put-crc32' | 'parts' | 'parts-full' | 'parts-composite'} kind how it came to the source
 * @property {{ headers: Record<string, string>, user: Record<string, string>, tags: [string, string][] }} attributes
 */

const HEADERS = /** @type {const} */ ([
  ['cache-control', 'max-age=60'],
  ['content-disposition', 'attachment'],
  ['content-encoding', 'gzip'],
  ['content-language', 'de'],
  ['content-type', 'text/plain'],
  ['expires', 'Wed, 21 Oct 2037 07:28:00 GMT'],
])
const TAGS = /** @type {[string, string][]} */ ([
  ['team', 'blue'],
  ['owner', 'me'],
])

/** @param {Dice} dice @param {string} name @returns {Drawn} */
function drawObject(dice, name) {
  const { integer, chance, pick } = dice
  const large = chance(0.4) && !name.endsWith('/')
  const bytes = large ? integer(5 * MiB + 1, 11 * MiB) : chance(0.1) ? 0 : integer(1, chance(0.3) ? 200_000 : 5_000)
  const kind = large
    ? pick(/** @type {const} */ (['put', 'put-crc32', 'parts', 'parts', 'parts-full', 'parts-composite']))
    : pick(/** @type {const} */ (['put', 'put', 'put-crc32']))
  return { name, bytes, kind, attributes: drawAttributes(dice) }
}

/** @param {Dice} dice @returns {Drawn['attributes']} */
function drawAttributes({ chance }) {
  if (chance(0.5)) return { headers: {}, user: {}, tags: [] }
  return {
    headers: Object.fromEntries(HEADERS.filter(() => chance(0.4))),
    user: chance(0.5) ? { colour: 'red', 'with-dash': 'a b' } : {},
    tags: TAGS.filter(() => chance(0.4)),
  }
}

/** Names as they come, and some that tempt. */
const ODD = ['dir/', 'deep/er/', 'a b', '100%', 'a+b', '数据', 'deep/er/x']
/** Pairs that some stores take for one name. */
const TWINS = [
  ['Name', 'name'],
  ['é', 'e\u0301'],
]

/**
 * @param {Dice} dice
 * @param {{ twins: boolean }} what
 * @returns {Pick<import('./draw').Script, 'objects' | 'before'>}
 */
function drawTree(dice, { twins }) {
  const { integer, pick, chance } = dice
  const names = Array.from({ length: integer(1, 9) }, (_, i) => `${pick(['', 'x/', 'x/y/'])}${i}`)
  const odd = ODD.filter(() => chance(0.2))
  const pairs = twins ? pick(TWINS).filter(() => chance(0.6)) : []
  const small = [...names, ...odd, ...pairs].map(name => ({ ...drawObject(dice, name), bytes: integer(0, 20_000) }))
  const objects = small.map(one => ({
    ...one,
    kind: one.kind === 'put-crc32' ? one.kind : /** @type {const} */ ('put'),
  }))
  if (chance(0.25))
    objects.push({
      ...drawObject(dice, 'large'),
      bytes: integer(5 * MiB + 1, 9 * MiB),
      kind: pick(['put', 'put-crc32']),
    })
  const stale = objects
    .filter(({ bytes }) => bytes < MiB && chance(0.25))
    .map(({ name, bytes }) => (chance(0.3) ? { name, bytes, same: true } : { name, bytes: bytes + 1 }))
  const gone = Array.from({ length: integer(0, 4) }, (_, i) => ({ name: `gone${i}`, bytes: integer(0, 100) }))
  return { objects, before: [...stale, ...gone] }
}

module.exports = { drawObject, drawTree }
