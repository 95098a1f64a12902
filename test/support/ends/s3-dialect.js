'use strict'

/** What a request of S3 asks for, and how S3 refuses it. */

const { operationOf } = require('../../../sandbox/store/server')

/** @type {import('../faulty-relay').Dialect} */
const S3 = {
  read(request) {
    const url = new URL(request.url ?? '/', 'http://relay')
    const [bucketName, ...rest] = url.pathname.slice(1).split('/')
    const key = rest.length > 0 ? decodeURIComponent(rest.join('/')) : undefined
    const query = new Map(url.searchParams)
    const headers = new Map(Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat()]))
    const { operation } = operationOf({ method: request.method ?? '', bucketName, key, query, headers })
    const part = query.get('partNumber')
    return {
      operation,
      bucketName,
      key,
      query,
      uploadId: query.get('uploadId'),
      partNumber: part === undefined ? undefined : Number(part),
      header: name => headers.get(name)?.join(','),
    }
  },
  refuse({ status, code = status === 503 ? 'SlowDown' : 'InternalError' }) {
    return {
      headers: { 'Content-Type': 'application/xml' },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>On purpose.</Message></Error>`,
    }
  },
}

module.exports = { S3 }
