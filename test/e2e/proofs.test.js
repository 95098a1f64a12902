'use strict'

/** Small objects below a prefix whose store keeps an MD5 or a CRC-32C of them: what was read is compared with it. */

const { openEnd, startKinds } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { eventsOf, runXfer } = require('../support/run-xfer')

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
