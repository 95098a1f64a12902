'use strict'

/** Jobs of prefixes that a program began: they are what the program's own calls, and the command, can go on with. */

const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const lib = require('../../../lib')
const { startStore } = require('../../../sandbox/store')
const { openTrees, sizesOf } = require('../../support/prefixes')

const MiB = 1024 * 1024
const NAMES = Array.from({ length: 12 }, (_, i) => `object-${i}`)
const FROM = 's3://origin/tree/'
const TO = 's3://target/tree/'

let server
let trees
let stateHome
beforeEach(async () => {
  server = await startStore({})
  trees = await openTrees({ source: server })
  stateHome = mkdtempSync(join(tmpdir(), 'xfer-resume-prefix-'))
})
afterEach(async () => {
  trees.close()
  await server.close()
  rmSync(stateHome, { recursive: true })
})

const options = more => ({
  env: { ...trees.env, XDG_STATE_HOME: stateHome },
  engine: 'local',
  route: 'engine',
  chunk: '5MiB',
  ...more,
})

/** Stops a copy of all objects, of which one is large, as soon as a part of that one is there. */
async function stopped(more) {
  await trees.fill({ 'tree/large': Buffer.alloc(11 * MiB, 1) })
  await trees.fill(Object.fromEntries(NAMES.map(name => [`tree/${name}`, 'x'.repeat(1000)])))
  const stop = new AbortController()
  const onEvent = ({ type }) => type === 'part' && stop.abort()
  const copying = lib.copyPrefix(FROM, TO, options({ concurrency: 1, ...more, signal: stop.signal, onEvent }))
  const error = await copying.catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'INTERRUPTED', facts: { job: expect.any(String) } })
  return error.facts.job
}

/** What the journal says, but for who had it open. */
function factsOf(job) {
  const lines = readFileSync(join(stateHome, 'xfer', 'jobs', `${job}.journal`), 'utf8')
    .trim()
    .split('\n')
  return lines.filter(line => !/"type":"(claim|release)"/.test(line))
}

test.each(['copy', 'sync'])('a dry run of a resume leaves a %s as it is', async recursive => {
  const job = await stopped({ recursive })
  const before = factsOf(job)
  const planned = await lib.resume(job, options({ dryRun: true }))
  expect(planned.dryRun).toBe(true)
  expect(factsOf(job)).toEqual(before)
  const { objects } = await lib.resume(job, options())
  expect(objects).toMatchObject({ listed: 13, failed: 0 })
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toEqual(Object.keys(await sizesOf(trees.from, 'tree/')))
  expect(await lib.jobs(options({ engine: undefined, route: undefined, chunk: undefined }))).toEqual([])
})

test('without `recursive` it is of a prefix all the same, and can be resumed', async () => {
  const job = await stopped()
  const { objects } = await lib.resume(job, options())
  expect(objects).toMatchObject({ listed: 13, failed: 0 })
  expect(Object.keys(await sizesOf(trees.to, 'tree/'))).toHaveLength(13)
})
