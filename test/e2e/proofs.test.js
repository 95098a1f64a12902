'use strict'

/** What proves a copy: exit 0 only with positive evidence. What servers of other kinds give is in test/golden/one.test.js. */

const { Readable } = require('node:stream')
const xfer = require('../../lib')
const { openEnd, startKinds, startStore } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { bareEnv, eventsOf, runXfer, sideEnv } = require('../support/run-xfer')

// Nothing ends with 0 that the destination does not show, or is known to show at once.
test.each([
  ['that is known to check, and to show at once, is one request', {}, 1],
  ['of which nothing is known gets a HEAD each', { serverName: 'Oddity/1.0' }, 4],
])('the upload of a service to a store %s', async (_, options, heads) => {
  const store = await startStore({ buckets: ['target'], ...options })
  const env = { ...bareEnv, ...sideEnv('DEST', store) }
  for (const key of ['1', '2', '3']) await xfer.upload(Readable.from([Buffer.from(key)]), `s3://target/${key}`, { env })
  expect(store.requests).toMatchObject({ PutObject: 3, HeadObject: heads })
})

test.each([
  ['sandbox-azure', 'google-mode'],
  ['google-mode', 'sandbox'],
])('from %s to %s each object is compared with the MD5 that the list tells', async (...names) => {
  const [from, to] = await startKinds(names.map(wanted => KINDS.find(({ name }) => name === wanted)))
  const [source, destination] = [await openEnd(from, 'origin'), await openEnd(to, 'target')]
  // More than the first ones, which are asked for.
  const keys = Array.from({ length: 30 }, (_, i) => `t/n${i}`)
  for (const key of keys) await source.write(key, { bytes: Buffer.from(`bytes of ${key}`) })
  const args = ['copy', '-r', source.text('t/'), destination.text('t/'), '--engine', 'local', '--json']
  const run = await runXfer(args, { env: { ...source.env('SOURCE'), ...destination.env('DEST') } })
  const proofs = eventsOf(run).flatMap(({ type, proof }) => (type === 'object' ? [proof.join()] : []))
  expect([run.status, proofs.filter(proof => /source-/.test(proof)).length]).toEqual([0, 30])
  expect(eventsOf(run).at(-1)).not.toHaveProperty('uncompared')
})
