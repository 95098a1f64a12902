'use strict'

/** What a copy claims to be proved with, by what the stores can do. */

const { openEnd, startKinds } = require('../support/opened')
const { KINDS } = require('../support/ends')
const { eventsOf, runXfer } = require('../support/run-xfer')

jest.setTimeout(120_000)

/** Small objects below a prefix whose store keeps an MD5 or a CRC-32C of them: what was read is compared with it. */
test.each([
  ['sandbox-azure', 'google-mode'],
  ['google-mode', 'sandbox'],
])('from %s to %s each object is compared with the MD5 that the list tells', async (...names) => {
  const servers = await startKinds(names.map(wanted => KINDS.find(({ name }) => name === wanted)))
  const [source, destination] = [await openEnd(servers[0], 'origin'), await openEnd(servers[1], 'target')]
  // More than the first ones, which are asked for.
  const keys = Array.from({ length: 30 }, (_, i) => `t/n${i}`)
  await Promise.all(keys.map(key => source.write(key, { bytes: Buffer.from(`bytes of ${key}`) })))
  const args = ['copy', '-r', source.text('t/'), destination.text('t/'), '--engine', 'local', '--route', 'engine']
  const run = await runXfer([...args, '--json'], { env: { ...source.env('SOURCE'), ...destination.env('DEST') } })
  const events = eventsOf(run)
  expect(run.status).toBe(0)
  expect(events.at(-1)).toMatchObject({ type: 'done', objects: { copied: 30 } })
  expect(events.at(-1)).not.toHaveProperty('uncompared')
  const objects = events.filter(({ type }) => type === 'object')
  expect(objects.filter(({ proof }) => !proof.some(each => each.startsWith('source-')))).toEqual([])
  expect((await destination.read('t/n29')).bytes.toString()).toBe('bytes of t/n29')
})
