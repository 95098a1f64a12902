'use strict'

const { startAzureStore } = require('../../../sandbox/azure')
const { call, plain, putRequest, send, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
const container = (method, name, headers) =>
  call(using.store, { method, path: `/${name}`, query: { restype: 'container' }, headers })
const ask = (restype, comp, path = '/') => call(using.store, { path, query: { restype, comp } })

describe('a container', () => {
  test('is made once, described, and deleted with all that it has', async () => {
    const made = await container('PUT', 'new-one', { 'x-ms-meta-Of': 'me', 'x-ms-blob-public-access': 'blob' })
    expect(made.status).toBe(201)
    expect(await container('PUT', 'new-one')).toMatchObject({ status: 409, code: 'ContainerAlreadyExists' })
    expect((await container('HEAD', 'new-one')).headers).toMatchObject({
      etag: made.headers.etag,
      'x-ms-meta-of': 'me',
      'x-ms-blob-public-access': 'blob',
    })
    await call(using.store, putRequest('/new-one/a', 'x'))
    expect(await container('DELETE', 'new-one')).toMatchObject({ status: 202 })
    expect(await container('HEAD', 'new-one')).toMatchObject({ status: 404, code: 'ContainerNotFound' })
    expect(await call(using.store, { path: '/new-one/a' })).toMatchObject({ status: 404, code: 'ContainerNotFound' })
  })

  test.each(['ab', 'Photos', 'a--b', '-ab', 'a_b', 'a'.repeat(64)])('is not named %s', async name => {
    expect(await container('PUT', name)).toMatchObject({ status: 400, code: 'InvalidResourceName' })
  })

  test('is not public where the account forbids that', async () => {
    const store = await startAzureStore({ publicAccess: false, containers: [{ name: 'open', access: 'container' }] })
    try {
      const query = { restype: 'container' }
      const headers = { 'x-ms-blob-public-access': 'blob' }
      const refused = { status: 409, code: 'PublicAccessNotPermitted' }
      expect(await call(store, { method: 'PUT', path: '/other', query, headers })).toMatchObject(refused)
      const list = plain(store, { path: '/open', query: { ...query, comp: 'list' } })
      expect(await send(store, list)).toMatchObject(refused)
    } finally {
      await store.close()
    }
  })
})

describe('the account', () => {
  test('lists its containers', async () => {
    for (const name of ['other-1', 'other-2']) await container('PUT', name)
    const names = text => [...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name)
    expect(names((await ask('', 'list')).text)).toEqual(['other-1', 'other-2', 'photos'])
    const query = { comp: 'list', prefix: 'other', maxresults: '1' }
    const first = await call(using.store, { path: '/', query })
    const marker = /<NextMarker>(.+?)<\/NextMarker>/.exec(first.text)[1]
    const second = await call(using.store, { path: '/', query: { ...query, marker } })
    expect([names(first.text), names(second.text)]).toEqual([['other-1'], ['other-2']])
  })

  test('says what it is, to who asks for the account, a container or a blob', async () => {
    const expected = { status: 200, headers: { 'x-ms-account-kind': 'StorageV2', 'x-ms-is-hns-enabled': 'false' } }
    for (const path of ['/', '/photos', '/photos/a'])
      expect(await ask('account', 'properties', path)).toMatchObject(expected)
  })

  test('has properties, and no replica', async () => {
    expect((await ask('service', 'properties')).text).toContain('<StorageServiceProperties>')
    expect(await ask('service', 'stats')).toMatchObject({ status: 403, code: 'InsufficientAccountPermissions' })
  })

  test.each([
    ['POST', '/photos/a', {}, 405],
    ['GET', '/photos/a', { comp: 'acl' }, 400],
    ['GET', '/photos', { restype: 'container', comp: 'made-up' }, 400],
  ])('refuses what it does not know: %s %s %j', async (method, path, query, status) => {
    expect(await call(using.store, { method, path, query })).toMatchObject({ status })
  })

  test('answers for no other', async () => {
    const path = '/other/photos/a'
    expect(await send(using.store, { method: 'GET', path, headers: {} })).toMatchObject({ code: 'ResourceNotFound' })
  })
})
