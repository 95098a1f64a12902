'use strict'

/** What control calls learn from refusals: the bucket's region, and new credentials. */

const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../../../sandbox/store')
const { openStore } = require('../../../support/s3')

const closings = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

/** @param {object} access @param {object} [settings] */
function open(access, settings) {
  const store = openStore(access, 'bucket', settings)
  closings.push(store.close)
  return store
}

/** @param {http.RequestListener} answer */
async function serve(answer) {
  const server = http.createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const access = { accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1' }
  return { endpoint: `http://127.0.0.1:${server.address().port}`, ...access }
}

const LIST = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix></Prefix>
<KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`

const regionIn = request => /\/(\d{8})\/([^/]+)\/s3\//.exec(request.headers.authorization)[2]

test('calls that begin together in a wrong region all learn the right one', async () => {
  const wrong = []
  const refuse = () => wrong.shift()?.writeHead(301, { 'x-amz-bucket-region': 'eu-west-1' }).end()
  const access = await serve((request, response) => {
    if (regionIn(request) === 'us-east-1') {
      if (wrong.push(response) === 2) refuse()
      return
    }
    response.end(LIST)
    // The other call is refused only now, when the region is known.
    refuse()
  })
  const store = open(access)
  const lists = await Promise.all([store.list({ prefix: '' }), store.list({ prefix: '' })])
  expect(lists.map(({ objects }) => objects)).toEqual([[], []])
})

test('a region that is none is not signed with', async () => {
  const regions = []
  const access = await serve((request, response) => {
    regions.push(regionIn(request))
    const code = '<Code>AuthorizationHeaderMalformed</Code><Message>Another one.</Message>'
    response.writeHead(400).end(`<Error>${code}<Region>a\nb</Region></Error>`)
  })
  await expect(open(access).list({ prefix: '' })).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  expect(regions).toEqual(['us-east-1'])
})

test('a region that is wrong again ends the call', async () => {
  const regions = []
  const access = await serve((request, response) => {
    regions.push(regionIn(request))
    response.writeHead(301, { 'x-amz-bucket-region': `eu-west-${regions.length}` }).end()
  })
  await expect(open(access).list({ prefix: '' })).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  expect(regions).toEqual(['us-east-1', 'eu-west-1'])
})

test('a bucket of another account in another region is taken', async () => {
  const asked = []
  const access = await serve((request, response) => {
    asked.push(`${request.method} ${regionIn(request)}`)
    const elsewhere = { 'x-amz-bucket-region': 'eu-west-1' }
    response.writeHead(regionIn(request) === 'eu-west-1' ? 403 : 301, elsewhere).end()
  })
  const failure = { code: 'DESTINATION_EXISTS', facts: { others: true } }
  await expect(open(access).makeContainer({})).rejects.toMatchObject(failure)
  expect(asked).toEqual(['HEAD us-east-1', 'HEAD eu-west-1'])
})

test('an abort ends the wait for new credentials', async () => {
  const account = { accessKeyId: 'AKIDEXPIRED', secretAccessKey: 'secret', sessionToken: 'token', expiresMs: 0 }
  const server = await startStore({ buckets: ['bucket'], accounts: [account] })
  closings.push(() => server.close())
  const abort = new AbortController()
  const renew = () => {
    abort.abort()
    return new Promise(() => {})
  }
  const store = open({ ...server, ...account }, { credentials: Object.assign(async () => account, { renew }) })
  const from = store.serverCopy.source({ key: 'from', etag: '"e"' })
  const copy = { from, key: 'to', attributes: { metadata: { headers: {}, user: {} } }, keep: { metadata: true } }
  const answer = store.serverCopy.object(copy, { signal: abort.signal })
  await expect(answer).rejects.toMatchObject({ code: 'INTERRUPTED' })
}, 10_000)
