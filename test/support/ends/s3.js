'use strict'

/** A server that speaks S3, as an end of copies. */

const { call } = require('../../sandbox/store/support')
const { sideEnv } = require('../run-xfer')
const { createBuckets } = require('../s3')
const { S3 } = require('./s3-dialect')
const { lookOutside, readOne, write } = require('./s3-objects')

/** @typedef {import('../../../sandbox/peers').Peer} Peer */

/**
 * The sandbox's store in its mode `google`, with a key of HMAC.
 *
 * @param {Peer} server
 * @returns {import('./index').Server}
 */
function googleServer(server) {
  const { accessKeyId, secretAccessKey } = server
  const store = s3Server(server)
  return {
    ...store,
    // It knows no checksums of S3's.
    write: (container, key, { kind, ...written }) =>
      store.write(container, key, { ...written, kind: kind?.startsWith('parts') ? 'parts' : 'put' }),
    text: (container, key) => `gs://${container}/${key}`,
    env: (side, endpoint) => ({
      [`XFER_${side}_GS_ENDPOINT_URL`]: endpoint,
      [`XFER_${side}_GS_ACCESS_KEY_ID`]: accessKeyId,
      [`XFER_${side}_GS_SECRET_ACCESS_KEY`]: secretAccessKey,
    }),
  }
}

/** @param {Peer} server @returns {import('./index').Server} */
function s3Server(server) {
  const access = { ...server, port: Number(new URL(server.endpoint).port) }
  return {
    dialect: S3,
    endpoint: server.endpoint,
    create: container => createBuckets(access, container),
    text: (container, key) => `s3://${container}/${key}`,
    env: (side, endpoint) => sideEnv(side, { ...access, endpoint }),
    async write(container, key, written) {
      // What a server does not take is left out, in the end the object.
      const { attributes = { headers: {}, user: {}, tags: [] } } = written
      const ways = [written, { ...written, attributes: { ...attributes, tags: [] } }, { bytes: written.bytes }]
      for (const way of ways) {
        const error = await write(access, container, key, way).catch(failure => failure)
        if (error === undefined) return way === written
      }
      return false
    },
    read: (container, key) => readOne(access, container, key),
    look: container => lookOutside(access, container),
    async remove(container, key) {
      await call(access, { method: 'DELETE', path: `/${container}/${key}` })
    },
    async drop(container) {
      const { objects, uploads } = await lookOutside(access, container)
      for (const { key, id } of uploads)
        await call(access, { method: 'DELETE', path: `/${container}/${key}`, query: { uploadId: id } })
      for (const key of objects.keys()) await call(access, { method: 'DELETE', path: `/${container}/${key}` })
      await call(access, { method: 'DELETE', path: `/${container}` })
    },
    stop: server.close,
  }
}

module.exports = { googleServer, s3Server }
