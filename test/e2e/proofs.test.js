'use strict'

/** What a copy claims to be proved with, by what the stores can do, and where the source and its checksums do not fit. */

const { openEnd, startDeployed, startKinds, startStore } = require('../support/opened')
const { cut, uploadParts } = require('../support/uploaded-parts')
const { openRoute } = require('../support/copies')
const { KINDS } = require('../support/ends')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

jest.setTimeout(120_000)

/** What the source keeps of itself and what was read do not fit: a flip that passes. */
test.each(['local', 'functions'])('a part that was read wrong is read again and copied again: %s', async engine => {
  const BODY = bytesOf(15 * MiB)
  const [source, destination] = await Promise.all([startStore(), startStore()])
  const platform = engine === 'functions' ? await startDeployed() : undefined
  const route = await openRoute({ source, destination, platform })
  await uploadParts(source, 'source', 'flipped', cut(BODY, 5 * MiB, 5 * MiB))
  await put(route.from, 'small', bytesOf(1000))
  const struck = source.faults.add({ operation: 'GetObject', nth: 2, flipByteAt: 1000 })
  const { status, last, events } = await route.copy('flipped', 'flipped', platform ? ['--verify', 'full'] : [])
  expect({ status, hits: struck.hits }).toEqual({ status: 0, hits: 1 })
  source.faults.clear()
  expect((await get(route.to, 'flipped')).equals(BODY)).toBe(true)
  if (platform) {
    expect(last.proof).toEqual(['store-crc32', 'read-back', 'source-etag', 'source-read'])
    // One part, whose MD5 is the object's.
    const small = await route.copy('small')
    expect(small).toMatchObject({ status: 0, last: { route: 'multipart', proof: ['store-crc32', 'source-md5'] } })
    return
  }
  expect(last.proof).toEqual(expect.arrayContaining(['store-crc32', 'source-read']))
  const notices = events.filter(({ type }) => type === 'notice').map(({ message }) => message)
  expect(notices).toEqual(['Reading the source a second time.'])
  // One part twice.
  expect(events.filter(({ type }) => type === 'part')).toHaveLength(4)
})

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
