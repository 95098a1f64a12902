'use strict'

/** A service that streams uploads into an object store: see README.md. */

const { randomUUID } = require('node:crypto')
const multipart = require('@fastify/multipart')
const fastify = require('fastify')
const { createClient } = require('xfer')

/** @param {string} name @param {number} fallback */
const setting = (name, fallback) => Number(process.env[name] ?? fallback)

/** Where the objects go, such as s3://bucket/uploads/ */
const { DESTINATION = '', HOST = '127.0.0.1' } = process.env
/** More uploads at once than these are asked to come again. */
const MOST_UPLOADS = setting('MOST_UPLOADS', 2000)
const MOST_BYTES = setting('MOST_BYTES', 5 * 1024 ** 3)
/** A client may send nothing for so long, or stay so far behind the rate. */
const PATIENCE_MS = setting('PATIENCE_MS', 10_000)
const BYTES_PER_SECOND = setting('BYTES_PER_SECOND', 32 * 1024)
const RETRY_AFTER_SECONDS = 1

/** @param {number} statusCode @param {string} code @param {string} message */
const refusal = (statusCode, code, message) => Object.assign(new Error(message), { statusCode, code })

const app = fastify({ logger: { level: process.env.LOG_LEVEL ?? 'warn' }, forceCloseConnections: 'idle' })
app.register(multipart, { limits: { files: 1, fileSize: MOST_BYTES }, throwFileSizeLimit: false })

const xfer = createClient({ outageTimeout: '30s' })
app.addHook('onClose', () => xfer.close())

let uploads = 0

app.post('/uploads', async (request, reply) => {
  if (uploads >= MOST_UPLOADS) throw refusal(503, 'FULL', 'Too many uploads at once: try again.')
  uploads++
  const stop = new AbortController()
  // Not the request's event: that comes once its body has been read, while the object is still being written.
  const onClose = () => !reply.raw.writableFinished && stop.abort(refusal(499, 'GONE', 'The client has gone.'))
  reply.raw.once('close', onClose)
  let part
  try {
    part = await request.file()
    if (!part) throw refusal(400, 'NO_FILE', 'The form has no file.')
    // A file that is too large would only end early, and look like one of just this size.
    part.file.once('limit', () => stop.abort(refusal(413, 'TOO_LARGE', `A file has ${MOST_BYTES} bytes at most.`)))
    const key = randomUUID()
    const pieces = paced(part.file, () => stop.abort(refusal(408, 'TOO_SLOW', 'The client was too slow.')))
    const options = { contentType: part.mimetype, signal: stop.signal }
    const { bytes, etag, crc32, proof } = await xfer.upload(pieces, `${DESTINATION}${key}`, options)
    return reply.code(201).send({ key, bytes, etag, crc32, proof })
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error
  } finally {
    uploads--
    part?.file.destroy()
  }
})

/**
 * The pieces of a file, while they come fast enough. Only the time counts in which the client is waited for: not that in which
 * the upload waits for its turn, or for the store.
 *
 * @param {import('node:stream').Readable} file @param {() => void} tooSlow
 */
async function* paced(file, tooSlow) {
  let leftMs = PATIENCE_MS
  let askedMs = performance.now()
  let timer = setTimeout(tooSlow, leftMs)
  try {
    for await (const piece of file) {
      clearTimeout(timer)
      leftMs += (piece.length / BYTES_PER_SECOND) * 1000 - (performance.now() - askedMs)
      leftMs = Math.min(PATIENCE_MS, leftMs)
      yield piece
      askedMs = performance.now()
      timer = setTimeout(tooSlow, leftMs)
    }
  } finally {
    clearTimeout(timer)
  }
}

app.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? (error.code === 'INPUT_FAILED' ? 400 : error.retryable ? 503 : 502)
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  if (error.name === 'XferError') request.log.warn({ upload: error }, 'upload failed')
  // Most clients read an answer only when they have sent all, so the rest is read and dropped, for a while.
  request.raw.resume()
  setTimeout(() => request.raw.destroy(), PATIENCE_MS).unref()
  reply
    .code(status)
    .send({ code: error.code, message: status === 502 ? 'The store refused the object.' : error.message })
})

async function main() {
  if (!/^\w+:\/\/.+\/$/.test(DESTINATION)) throw new Error('Set DESTINATION, such as s3://bucket/uploads/')
  // As many connections may wait to be accepted as there may be uploads.
  const address = await app.listen({ host: HOST, port: setting('PORT', 8080), backlog: MOST_UPLOADS })
  process.stdout.write(`${address}\n`)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => app.close())
}

main().catch(error => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
