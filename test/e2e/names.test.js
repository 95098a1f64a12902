'use strict'

/** Keys that are odd, or that a destination takes for others: each is copied right or refused by name. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { namesIn } = require('../../lib/many')
const { seededRandom } = require('../../sandbox/common/rules')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { createBuckets, get, keysOf, tryPut } = require('../support/s3')
const { SERVERS } = require('../support/servers')

/**
 * Keys from a generator of nasty names, below a prefix: each is copied right, or refused by name, and nothing is written to
 * another key. The sandbox takes all of them; real servers with a file system below refuse some.
 */
const COUNT = Number(process.env.XFER_NASTY_NAMES ?? 300)
const LONGEST_MS = 600_000
const PREFIX = 'nasty/'

const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(0x20 + i))
/** Of each plane that has any, and the ends of what surrogates stand for. */
const PLANES = [...'éαא中가\ue000ﬁ\ufffd\u{10000}😀\u{20000}\u{2f800}\u{e0101}\u{f0000}\u{10fffd}'].map(char =>
  char.codePointAt(0),
)
const SEGMENTS = ['', ' ', ...`. .. ... % %2F %2e%2e + ? # & = ~ * \\ " ' < > a CON`.split(' ')]

/** To a file system these are one. */
const TWINS = ['twin/b', 'twin//b', 'twin/./b', 'twin/x/../b', '/first', 'first', './first']

/** @param {number} count @param {number} seed @returns {string[]} distinct names */
function nastyNames(count, seed) {
  const random = seededRandom(seed)
  const integer = most => Math.floor(random() * (most + 1))
  const pick = list => list[integer(list.length - 1)]
  const names = new Set(PRINTABLE.map(char => `one${char}`))
  for (const point of PLANES) names.add(`plane${String.fromCodePoint(point)}`)
  for (const twin of TWINS) names.add(twin)
  while (names.size < count) {
    const segment = () =>
      pick([
        () => pick(SEGMENTS),
        () => Array.from({ length: 1 + integer(5) }, () => pick(PRINTABLE)).join(''),
        () => Array.from({ length: 1 + integer(3) }, () => String.fromCodePoint(pick(PLANES) + integer(1))).join(''),
      ])()
    const name = Array.from({ length: 1 + integer(3) }, segment).join('/')
    if (name !== '' && name.isWellFormed()) names.add(name)
  }
  return [...names].slice(0, count)
}

/** What XML cannot carry some servers write as this character. @param {string} key */
const asListed = key => key.replace(/[\ufffe\uffff]/g, '\ufffd')

/** @param {any} store @param {string} key @returns {Promise<Buffer | undefined>} */
const read = (store, key) => get(store, key).catch(() => undefined)

/** @param {{ source: any, destination: any, into: string }} how both servers, and the prefix of the copy */
async function copyAll({ source, destination, into }) {
  await createBuckets(source, 'origin')
  await createBuckets(destination, 'target', 'bystander')
  const [from, to] = [openStore(source, 'origin'), openStore(destination, 'target')]
  const bystander = openStore(destination, 'bystander')
  const failures = join(newFolder(), 'failures')
  const env = copyEnv(source, destination)
  const command = ['copy', '-r', `s3://origin/${PREFIX}`, `s3://target/${into}`, '--engine', 'local', '--json']
  for (const name of nastyNames(COUNT, 7)) await tryPut(from, PREFIX + name, Buffer.from(name))
  const listed = await keysOf(from, PREFIX)
  const names = listed.map(key => key.slice(PREFIX.length))
  const run = await startXfer([...command, '--failures', failures], { env }).ended
  const events = eventsOf(run)
  const failed = events.filter(({ type }) => type === 'failure')
  const refused = new Set(failed.map(({ name }) => name))
  const copied = new Set(events.filter(({ type }) => type === 'object').map(({ name }) => name))
  /** Told to be copied, and not what the source has under that very name. */
  const wrong = []
  for (const name of copied) {
    const [ours, theirs] = await Promise.all([read(to, into + name), read(from, PREFIX + name)])
    if (!ours || !theirs?.equals(ours)) wrong.push(name)
  }
  const written = await keysOf(to)
  /** Refused once they were there: the store lists them under other names, and the failure says so. */
  const unlisted = failed.filter(({ message }) => message.includes('was written')).map(({ name }) => name)
  const known = new Set([...copied, ...unlisted].flatMap(name => [into + name, asListed(into + name)]))
  const shown = new Set(written)
  const inFile = []
  for await (const name of namesIn([readFileSync(failures)], failures)) inFile.push(name)
  const again = await startXfer([...command, '--files-from', failures], { env }).ended
  return {
    ...{ status: run.status, stderr: run.stderr, names, copied, refused, wrong },
    lost: names.filter(name => !copied.has(name) && !refused.has(name)),
    /** Nobody asked for them. */
    strays: [...written.filter(key => !known.has(key)), ...(await keysOf(bystander))],
    hidden: [...copied].filter(name => !shown.has(into + name) && !shown.has(asListed(into + name))),
    codes: [...new Set(failed.map(({ code, hint }) => (code === 'PART_FAILED' ? hint : code)))].sort(),
    inFile,
    stillRefused: eventsOf(again)
      .filter(({ type }) => type === 'failure')
      .map(({ name }) => name),
  }
}

/** @param {string} name @returns {string[]} what would be the folders of its path */
const foldersOf = name => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index))

describe.each(SERVERS)('from the sandbox to $name', ({ start, traits }) => {
  test.each(Object.entries({ 'a folder': 'copy/', 'a bucket': '' }))(
    `${COUNT} nasty names are copied right into %s, or refused by name`,
    async (_, into) => {
      const [source, destination] = await Promise.all([startStore(), keep(start())])
      const found = await copyAll({ source, destination, into })
      const { wrong, lost, strays, copied, refused, names, stderr } = found
      const counts = [copied.size + refused.size, names.length]
      expect([wrong, lost, strays, stderr, ...counts]).toEqual([[], [], [], '', COUNT, COUNT])
      if (traits.pathKeys) expect({ status: found.status, refused: refused.size }).toEqual({ status: 0, refused: 0 })
      else {
        expect(found.codes.filter(code => !/^(KEY_INVALID|STORE_REFUSED)$/.test(code))).toEqual([])
        expect(copied.size).toBeGreaterThan(COUNT / 2)
      }
      expect(found.inFile.sort()).toEqual([...refused].sort())
      expect(found.stillRefused.sort()).toEqual([...refused].sort())
      // MinIO has each of them, and lists none.
      const below = found.hidden.filter(name => foldersOf(name).some(path => copied.has(path)))
      expect(found.hidden).toEqual(traits.hidesBelow ? below : [])
    },
    LONGEST_MS,
  )
})
