'use strict'

/** `xfer rm` with the real program: what goes, what stays, and what it says of it. test/lib/commands/remove.test.js has the rest. */

const { remove } = require('../../lib')
const { openEnd, openStore, startKinds, startStore } = require('../support/opened')
const { chooseKinds } = require('../support/ends')
const { eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
const { put } = require('../support/s3')

let count = 0
let servers
let end
beforeAll(async () => {
  servers = await startKinds(chooseKinds('sandbox').kinds)
})

/** An end with these keys. @param {string[]} keys */
async function open(keys) {
  end = await openEnd(servers[0], `rm-${++count}`)
  for (const key of keys) await end.write(key, { bytes: Buffer.from(key) })
}

/** What is left there. */
const left = async () => [...(await end.look()).objects.keys()].sort()

/** @param {string} key @param {string[]} flags */
const rm = (key, ...flags) => runXfer(['rm', '-r', end.text(key), ...flags], { env: end.env('DEST') })

test('a dry run prints each object, and the sum alone with -q; a whole bucket goes if its number is right', async () => {
  await open(['a', 'b/'])
  const sum = 'Would delete 2 objects with 3 B.'
  const lines = ['a', 'b/'].map(key => `(dryrun) delete: ${end.text(key)}`)
  expect((await rm('', '--dry-run')).stdout.split('\n')).toEqual([...lines, sum, ''])
  expect((await rm('', '--dry-run', '-q')).stdout).toBe(`${sum}\n`)
  expect(eventsOf(await rm('', '--dry-run', '--json'))).toHaveLength(3)
  expect([(await rm('', '--yes', '--max-delete', '2')).status, await left()]).toEqual([0, []])
})

test('an object that is written while it is counted stays', async () => {
  await open(['t/a'])
  const found = []
  const env = { HOME: '/nowhere', ...end.env('DEST') }
  const confirm = async counted => {
    found.push(counted)
    await end.write('t/late', { bytes: Buffer.from('late') })
    return true
  }
  await expect(remove(end.text('t/'), { recursive: true, env, confirm })).resolves.toEqual({ objects: 1 })
  expect(found).toEqual([{ location: end.text('t/'), objects: 1, bytes: 3, whole: false }])
  expect(await left()).toEqual(['t/late'])
})

test('in a bucket with versions a marker hides the object, and --version-id deletes one for good', async () => {
  const server = await startStore({ buckets: [{ name: 'kept', versions: true }] })
  const store = openStore(server, 'kept')
  await put(store, 'a', Buffer.from('old'))
  const { versionId } = await store.head('a')
  await put(store, 'a', Buffer.from('new!'))
  const env = sideEnv('DEST', server)
  expect((await runXfer(['rm', 's3://kept/a'], { env })).status).toBe(0)
  await expect(store.head('a')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  expect((await store.head('a', { versionId })).bytes).toBe(3)
  expect((await runXfer(['rm', 's3://kept/a', '--version-id', versionId], { env })).status).toBe(0)
  await expect(store.head('a', { versionId })).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  expect((await runXfer(['rm', 's3://kept/a', '--version-id', versionId], { env })).status).toBe(3)
})
