'use strict'

/** The same store over HTTP, in a separate process. A bucket's name is its side. */

const http = require('node:http')
const { writeXml } = require('../../sandbox/store/xml')
const { createPages } = require('./store')

const [shape, count] = process.argv.slice(2)
/** @param {import('./store').Side} side */
const pagesOf = side => createPages({ shape, count: Number(count), side })
const PAGES = { source: pagesOf('source'), destination: pagesOf('destination') }

const server = http.createServer((request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://store')
  const side = /** @type {import('./store').Side} */ (pathname.split('/')[1])
  const prefix = query.get('prefix') ?? ''
  const { objects, next } = PAGES[side]({
    prefix,
    after: query.get('start-after') ?? undefined,
    marker: query.get('continuation-token') ?? undefined,
  })
  const body = writeXml('ListBucketResult', {
    Name: side,
    IsTruncated: next !== undefined,
    EncodingType: 'url',
    NextContinuationToken: next,
    Contents: objects.map(({ key, bytes, etag, lastModifiedMs }) => ({
      Key: encodeURIComponent(key).replaceAll('%2F', '/'),
      LastModified: new Date(lastModifiedMs ?? 0).toISOString(),
      ETag: etag,
      Size: bytes,
      StorageClass: 'STANDARD',
    })),
  })
  response.writeHead(200, { 'content-type': 'application/xml' }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.stdout.write(`${address.port}\n`)
})
process.stdin.on('end', () => process.exit()).resume()
