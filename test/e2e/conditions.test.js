'use strict'

/** `--if-match` where a store understands it otherwise. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { get, put } = require('../support/s3')

test('a store that compares the quotes of an ETag, too, is looked at before the write that --if-match allows', async () => {
  const [source, destination] = await Promise.all([
    startStore(),
    startStore({ ifMatch: 'quotes', serverName: 'Ceph Object Gateway (squid)' }),
  ])
  const route = await openRoute({ source, destination })
  await put(route.from, 'key', Buffer.from('new'))
  const etag = await put(route.to, 'key', Buffer.from('old'))
  const { status, last, events } = await route.copy('key', 'key', ['--if-match', etag])
  expect({ status, condition: last.condition }).toEqual({ status: 0, condition: 'checked' })
  expect(events.map(({ code }) => code)).toContain('CONDITIONS_NOT_SUPPORTED')
  expect((await get(route.to, 'key')).toString()).toBe('new')
  const again = await route.copy('key', 'key', ['--if-match', etag])
  expect([again.status, again.last.code]).toEqual([7, 'DESTINATION_CHANGED'])
})
