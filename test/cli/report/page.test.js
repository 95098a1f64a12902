'use strict'

/** `--report` and `xfer report`: the real program writes the page of a real copy. */

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { pageOf } = require('../../../cli/report/page')
const { newFolder, openStore, startStore } = require('../../support/opened')
const { eventOf } = require('../../support/events')
const { copyEnv, runXfer, startXfer } = require('../../support/run-xfer')
const { bytesOf, put } = require('../../support/s3')

const EVIL = '</script><img src=x onerror=alert(1)>'

let store
let env
let folder
beforeAll(async () => {
  store = await startStore({ buckets: ['bucket'] })
  for (const name of ['a', 'b', EVIL]) await put(openStore(store, 'bucket'), `from/${name}`, bytesOf(1000, name))
  env = copyEnv(store, store)
  folder = newFolder()
})

/** @param {string} page @returns {any} what it shows */
const dataOf = page => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)[1])
const copy = (...flags) => ['copy', '-r', 's3://bucket/from/', 's3://bucket/to/', '--engine', 'local', ...flags]

test('the page of a copy, and that of its events, have the same data', async () => {
  const [file, later] = ['at-once.html', 'later.html'].map(name => join(folder, name))
  const { status, stdout } = await runXfer(copy('--json', '--report', file), { env })
  writeFileSync(join(folder, 'events'), stdout)
  const made = await runXfer(['report', join(folder, 'events'), '-o', later])
  expect([status, made]).toEqual([0, { status: 0, stdout: '', stderr: '' }])
  expect(readFileSync(later, 'utf8')).toBe(readFileSync(file, 'utf8'))
  const { words, bars, running } = dataOf(readFileSync(file, 'utf8'))
  expect([running, words.headline.title, words.source]).toEqual([false, 'Proved', 's3://bucket/from/'])
  expect(words.proof[0]).toBe('The destination recomputed and confirmed the CRC-32 of what was read (all 3).')
  expect(bars.rows.map(({ name }) => name).sort()).toEqual([EVIL, 'a', 'b'])
})

test('Ctrl-C leaves a page; a second one at once too, of a job without an end', async () => {
  store.faults.add({ operation: 'PutObject', stall: true })
  for (const [times, title] of Object.entries({ once: 'Stopped', twice: 'Under way' })) {
    const file = join(folder, `stopped-${times}.html`)
    const { child, ended } = startXfer(copy('--report', file, '--restart', '--json'), { env })
    await eventOf(store, 'begin', ({ operation }) => operation === 'PutObject')
    child.kill('SIGINT')
    // Sooner it would be the same signal.
    if (times === 'twice') child.stderr.once('data', () => setTimeout(() => child.kill('SIGINT'), 100))
    expect((await ended).status).toBe(130)
    expect(dataOf(readFileSync(file, 'utf8')).words.headline.title).toBe(title)
  }
  store.faults.clear()
})

const plan = '{"type":"plan","time":"2026-03-04T05:06:07.000Z","source":"s3://a/b"}\n'
const report = async text => {
  writeFileSync(join(folder, 'given'), text)
  return await runXfer(['report', join(folder, 'given')])
}

test('xfer report writes to standard output, and says of events that were cut off that they have no end', async () => {
  const { status, stdout } = await report(`${plan}\n{"type":"progr`)
  const { running, words } = dataOf(stdout)
  expect([status, running, words.source]).toEqual([0, true, 's3://a/b'])
})

test.each([
  ['no JSON', `${plan}what\n${plan}`, /given has no event in line 2\./],
  ['JSON that is no event', `${plan}\n{"type":"plan","time":"soon"}\n${plan}`, /given has no event in line 3\./],
  ['events of something else', `${plan.replace('}', ',"notices":5}')}`, /has in line 1 an event of another program/],
  ['nothing', '', /given has no events\./],
])('xfer report names the line of %s', async (_, text, message) => {
  const { status, stdout, stderr } = await report(text)
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)])
})

test('xfer report tells of files that it cannot read or write', async () => {
  writeFileSync(join(folder, 'given'), plan)
  const none = join(folder, 'none', 'file')
  for (const args of [[none], [join(folder, 'given'), '-o', none]])
    expect(await runXfer(['report', ...args])).toMatchObject({ status: 2, stderr: expect.stringMatching(/ENOENT/) })
})

test('no name ends the data of a page, and only a live page asks its server, and says so', () => {
  const [page, live] = [pageOf({ name: EVIL }), pageOf({}, { live: true })]
  expect(dataOf(page)).toEqual({ name: EVIL })
  expect(page).not.toContain(EVIL)
  expect(page).not.toMatch(/connect-src/)
  expect(page).toContain('This page requests nothing from anywhere.')
  expect(live).toMatch(/default-src 'none';[^"]*; connect-src 'self'"/)
  expect(live).toContain('This page asks only the xfer that serves it.')
  expect(live).not.toContain('requests nothing')
})
