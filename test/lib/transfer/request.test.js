'use strict'

const { READ, WRITE } = require('../../../actions/copy-range/stores/s3')
const { requestPart, requestPut, requestRead } = require('../../../lib/transfer')

const request = { method: 'GET', url: 'http://store/', headers: {} }
const storeWith = accepts => ({
  readRequest: async () => request,
  putRequest: async () => request,
  partRequest: async () => request,
  ...(accepts && { accepts }),
})

test('a request brings the rule of its store for its kind', async () => {
  const [read, put, part] = [{ statuses: [200] }, { statuses: [201] }, { statuses: [202] }]
  const store = storeWith({ read, put, part })
  expect((await requestRead(store, {})).accepts).toBe(read)
  expect((await requestPut(store, {})).accepts).toBe(put)
  expect((await requestPart(store, {})).accepts).toBe(part)
})

test.each([
  ['has none', undefined],
  ['has those that the action assumes', { read: READ, put: WRITE, part: WRITE }],
])('a request of a store that %s brings none, so that an older action does the same', async (_, accepts) => {
  const store = storeWith(accepts)
  for (const made of [requestRead, requestPut, requestPart]) expect(await made(store, {})).toEqual(request)
})
