'use strict'

/** What is told to the user is told once, whatever ways a job takes. */

const { NOTICES } = require('../../lib/notices')
const { startStore } = require('../../sandbox/store')
const { copyEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')

const MiB = 1024 ** 2

let server
afterEach(() => server.close())

test('a copy that the store refuses, so that the engine takes over, says of the object what there is to say once', async () => {
  server = await startStore({ encryption: 'aws:kms', md5Etags: false })
  await createBuckets(server, 'origin', 'target')
  const store = openStore(server, 'origin')
  await put(store, 'a', bytesOf(6 * MiB, 'a'))
  store.close()
  server.faults.add({ operation: ['CopyObject', 'UploadPartCopy'], status: 501, code: 'NotImplemented' })
  const run = async (...flags) =>
    await startXfer(['copy', 's3://origin/a', 's3://target/a', '--route', 'auto', '--engine', 'local', ...flags], {
      env: copyEnv(server, server),
    }).ended
  const events = eventsOf(await run('--json'))
  const told = events.flatMap(event =>
    event.type === 'plan' ? event.notices : event.type === 'notice' ? event.message : [],
  )
  expect(events.filter(({ type }) => type === 'plan')).toHaveLength(2)
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual([...new Set(told)])
  const codes = events.flatMap(event => (event.type === 'notice' ? event.code : (event.noticeCodes ?? [])))
  expect(codes).toHaveLength(told.length)
  expect(codes.filter(code => !Object.hasOwn(NOTICES, code))).toEqual([])
  for (const { notices, noticeCodes } of events.filter(({ type }) => type === 'plan')) {
    expect(noticeCodes).toHaveLength(notices.length)
  }
  const { stderr } = await run()
  const notes = stderr.split('\n').filter(line => line.startsWith('Note: '))
  expect(notes.length).toBeGreaterThan(1)
  expect(notes).toEqual([...new Set(notes)])
})
