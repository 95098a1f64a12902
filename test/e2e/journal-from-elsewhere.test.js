'use strict'

/** A journal from elsewhere may be anybody's: it names no file of this machine, and has nothing deleted. */

const { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { identify } = require('../../lib/stores')
const { openJournals } = require('../../lib/journal')
const { newStateHome } = require('../support/journals')
const { openKeptTrees, sizesOf } = require('../support/prefixes')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { put } = require('../support/s3')

let source
let destination
let trees
let home
let victim
beforeEach(async () => {
  ;({ source, destination, trees } = await openKeptTrees())
  home = newStateHome()
  victim = join(home, 'precious.txt')
  writeFileSync(victim, 'precious\n')
  await trees.fill({ 'tree/a': 'a', 'tree/b': 'b' })
  await put(trees.to, 'tree/mine', Buffer.from('mine'))
})

const sideOf = ({ endpoint, region }) => ({ endpointUrl: endpoint, region })
/** @param {object} place @param {any} server @param {string} text @param {string} [more] of a prefix */
const endOf = (place, { endpoint }, text, more = '') => ({ text, place: identify(place, { endpoint }).id + more })
const inBucket = (container, key) => ({ scheme: 's3', container, key })

/** A journal of which nothing is done, in a folder of its own. */
async function writeJournal(from, to, options) {
  const journals = openJournals({ env: { XDG_STATE_HOME: newStateHome() } })
  const journal = await journals.create({ source: from, destination: to, options: { engine: 'local', ...options } })
  await journal.close()
  return { path: journal.path, id: journal.state.id }
}

/** Of a sync. @param {object} select */
async function journalFrom(select) {
  const from = endOf(inBucket('origin', 'tree/'), source, 's3://origin/tree/', '*')
  const to = endOf(inBucket('target', 'tree/'), destination, 's3://target/tree/', '*')
  const sides = { source: sideOf(source), destination: sideOf(destination) }
  return await writeJournal(from, to, { recursive: 'sync', ...sides, select })
}

/** Of one object, from or to a file. @param {{ from?: string, to?: string }} paths */
async function journalOfOne({ from, to }) {
  const file = path => ({ scheme: 'file', container: '', key: path.slice(1) })
  return await writeJournal(
    from ? endOf(file(from), source, from) : endOf(inBucket('origin', 'tree/a'), source, 's3://origin/tree/a'),
    to ? endOf(file(to), destination, to) : endOf(inBucket('target', 'stolen'), destination, 's3://target/stolen'),
    { ...(!from && { source: sideOf(source) }), ...(!to && { destination: sideOf(destination) }) },
  )
}

/** @param {...string} args */
async function resume(...args) {
  const run = await startXfer(['resume', ...args, '--json'], { env: { ...trees.env, XDG_STATE_HOME: home } }).ended
  const events = eventsOf(run)
  const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
  return { ...run, last: events.at(-1), notices }
}

/** Puts a journal into the folder of jobs. */
function adopt({ path, id }) {
  const folder = join(home, 'xfer', 'jobs')
  mkdirSync(folder, { recursive: true })
  const kept = join(folder, `${id}.journal`)
  copyFileSync(path, kept)
  return kept
}

test('that names a file is not aborted either', async () => {
  const { path } = await journalOfOne({ to: victim })
  const { status, stderr } = await startXfer(['abort', path], { env: { ...trees.env, XDG_STATE_HOME: home } }).ended
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(victim) })
  expect(existsSync(path)).toBe(true)
})

const inFolder = change => journal => {
  change(adopt(journal))
  return journal.id
}
test.each([
  ['named by its path', ({ path }) => path],
  ['in the folder of jobs, that others may write', inFolder(path => chmodSync(path, 0o620))],
  ...(process.getuid?.() === 0 ? [['there, of another user', inFolder(path => chownSync(path, 65534, 65534))]] : []),
])('%s, is from elsewhere: it uses no file, deletes nothing, and says what to repeat', async (_, place) => {
  const one = await resume(place(await journalOfOne({ from: victim })))
  expect(one).toMatchObject({ status: 2, last: { message: expect.stringContaining(victim) } })
  const many = await resume(place(await journalFrom({ delete: true, maxDelete: '100%', failures: victim })))
  expect(many.last).toMatchObject({ type: 'done', objects: { copied: 2, deleted: 0 } })
  expect(many.notices.join()).toContain(`without --delete --max-delete 100% --failures ${victim}: repeat those`)
  expect(Object.keys(await sizesOf(trees.to)).sort()).toEqual(['tree/a', 'tree/b', 'tree/mine'])
  expect(readFileSync(victim, 'utf8')).toBe('precious\n')
})

test('in the folder of jobs, of the user alone, names files as any other', async () => {
  const one = await journalOfOne({ from: victim })
  adopt(one)
  expect((await resume(one.id)).last).toMatchObject({ type: 'done' })
  expect(await sizesOf(trees.to)).toEqual({ stolen: 9, 'tree/mine': 4 })
})

test('one from elsewhere deletes what is asked for again', async () => {
  const { path } = await journalFrom({ delete: true })
  expect((await resume(path, '--delete')).last).toMatchObject({ type: 'done', objects: { copied: 2, deleted: 1 } })
})
