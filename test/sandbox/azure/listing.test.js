'use strict'

const { blockId, blockRequest, call, putRequest, useStore } = require('./support')

const using = useStore({ containers: ['photos', 'empty'], versioning: true })
const NAMES = ['2025/a.jpg', '2026/b c.jpg', '2026/ü.jpg', 'raid.tar', '\u{10000}', '\uffee']

const list = (query, container = 'photos') =>
  call(using.store, { path: `/${container}`, query: { restype: 'container', comp: 'list', ...query } })
const all = (text, name) => [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, value]) => value)
const namesOf = text => all(text, 'Name')

beforeAll(async () => {
  for (const name of NAMES) {
    await call(
      using.store,
      putRequest(`/photos/${name}`, name, { 'x-ms-meta-Camera': 'A&B', 'x-ms-tags': 'year=2026' }),
    )
  }
  await call(using.store, blockRequest('/photos/begun', blockId(1), 'x'))
})

test('a list has names in the order of their bytes, and not what was only begun', async () => {
  const { status, text } = await list()
  expect(status).toBe(200)
  expect(namesOf(text)).toEqual(NAMES.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  expect(text).toContain('<NextMarker></NextMarker>')
})

test('pages go on where the last one ended', async () => {
  const pages = []
  for (let marker = ''; ; ) {
    const { text } = await list({ maxresults: '2', ...(marker && { marker }) })
    pages.push(namesOf(text))
    marker = all(text, 'NextMarker')[0]
    if (marker === '') break
  }
  expect(pages.map(page => page.length)).toEqual([2, 2, 2])
  expect(pages.flat().toSorted()).toEqual(NAMES.toSorted())
})

test('a delimiter gathers what is below prefixes, over pages too', async () => {
  const { text } = await list({ delimiter: '/', maxresults: '1' })
  expect(all(text, 'BlobPrefix')).toEqual(['<Name>2025/</Name>'])
  const next = await list({ delimiter: '/', maxresults: '1', marker: all(text, 'NextMarker')[0] })
  expect(all(next.text, 'BlobPrefix')).toEqual(['<Name>2026/</Name>'])
  expect(namesOf((await list({ delimiter: '/', prefix: '2026/' })).text)).toEqual(['2026/b c.jpg', '2026/ü.jpg'])
})

test('older versions come on request, with which one is current', async () => {
  const { headers } = await call(using.store, putRequest('/photos/raid.tar', 'second'))
  const { text } = await list({ prefix: 'raid', include: 'versions' })
  expect(namesOf(text)).toEqual(['raid.tar', 'raid.tar'])
  expect(all(text, 'IsCurrentVersion')).toEqual(['true'])
  const [older, newer] = all(text, 'VersionId')
  expect(newer).toBe(headers['x-ms-version-id'])
  expect((await call(using.store, { path: '/photos/raid.tar', query: { versionid: older } })).text).toBe('raid.tar')
})

test.each([
  [{ maxresults: '0' }, 'OutOfRangeQueryParameterValue'],
  [{ maxresults: 'x' }, 'InvalidQueryParameterValue'],
  [{ include: 'all' }, 'InvalidQueryParameterValue'],
  [{ marker: 'made up' }, 'OutOfRangeInput'],
])('%j is refused', async (query, code) => {
  expect(await list(query)).toMatchObject({ status: 400, code })
})
