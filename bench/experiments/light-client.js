'use strict'

/**
 * A client of S3 for small objects with nothing but what they need: sockets that stay open, and SigV4. It repeats nothing, reads
 * no lists and no chunked answers: a bound to compare with, not a design. https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html
 */

const { createHash, createHmac } = require('node:crypto')
const net = require('node:net')
const { crc32 } = require('node:zlib')

const HEAD_END = '\r\n\r\n'
const UNSIGNED = 'UNSIGNED-PAYLOAD'

/** @param {string | Buffer} key @param {string} text */
const hmac = (key, text) => createHmac('sha256', key).update(text).digest()

/**
 * @param {Pick<import('../../sandbox/peers').Peer, 'endpoint' | 'accessKeyId' | 'secretAccessKey' | 'region'>} server by HTTP
 * @param {string} bucket
 * @returns {import('./client-strategies').Client}
 */
function createLightClient({ endpoint, accessKeyId, secretAccessKey, region }, bucket) {
  const { host, hostname, port } = new URL(endpoint)
  /** @type {Connection[]} */
  const idle = []
  let signing = { time: '', scope: '', key: Buffer.alloc(0) }

  /** The time of signatures, and the key of the day: made once a second. */
  function signer() {
    const time = `${new Date().toISOString().replace(/[-:]|\.\d+Z/g, '')}Z`
    if (time === signing.time) return signing
    const day = time.slice(0, 8)
    const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day))
    signing = { time, scope: `${day}/${region}/s3/aws4_request`, key }
    return signing
  }

  /** @param {'GET' | 'PUT'} method @param {string} name @param {Record<string, string | number>} more @returns {string} */
  function head(method, name, more) {
    const { time, scope, key } = signer()
    const path = `/${bucket}/${name}`
    const fields = Object.entries({ host, 'x-amz-content-sha256': UNSIGNED, 'x-amz-date': time, ...more }).sort()
    const names = fields.map(([field]) => field).join(';')
    const lines = fields.map(([field, value]) => `${field}:${value}\n`).join('')
    const request = createHash('sha256').update(`${method}\n${path}\n\n${lines}\n${names}\n${UNSIGNED}`).digest('hex')
    const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${request}`).toString('hex')
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
    return `${method} ${path} HTTP/1.1\r\n${lines.replaceAll('\n', '\r\n')}authorization:${authorization}${HEAD_END}`
  }

  /** @param {string} text @param {Buffer} [body] @returns {Promise<Buffer>} */
  async function send(text, body) {
    const connection = idle.pop() ?? connect({ host: hostname, port: Number(port) })
    const answer = await connection.ask(text, body)
    if (answer.status === 200 && !answer.closes) idle.push(connection)
    else connection.close()
    if (answer.status !== 200) throw new Error(`${text.slice(0, text.indexOf('\r'))}: ${answer.status} ${answer.body}`)
    return answer.body
  }

  return {
    async put(name, body) {
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(body))
      const more = { 'content-length': body.length, 'x-amz-checksum-crc32': sum.toString('base64') }
      await send(head('PUT', name, more), body)
    },
    get: name => send(head('GET', name, {})),
    close() {
      for (const { close } of idle) close()
    },
  }
}

/** @typedef {{ status: number, body: Buffer, closes: boolean }} Answer */
/** @typedef {{ ask: (head: string, body?: Buffer) => Promise<Answer>, close: () => void }} Connection one request at a time */

/** @param {{ host: string, port: number }} where @returns {Connection} */
function connect(where) {
  const socket = net.connect({ ...where, noDelay: true })
  /** @type {Buffer} */
  let received = Buffer.alloc(0)
  let length = -1
  let told = ''
  /** @type {((answer: Answer) => void) | undefined} */
  let answered
  /** @type {(error: Error) => void} */
  let failed = () => {}
  socket.on('error', error => failed(error))
  socket.on('close', () => failed(new Error('the server has closed the connection')))
  socket.on('data', piece => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece])
    if (length < 0) {
      const end = received.indexOf(HEAD_END)
      if (end < 0) return
      told = received.toString('latin1', 0, end)
      received = received.subarray(end + HEAD_END.length)
      length = Number(/\r\ncontent-length: *(\d+)/i.exec(told)?.[1] ?? 0)
    }
    if (received.length < length) return
    const answer = { status: Number(told.slice(9, 12)), body: received, closes: /\r\nconnection: *close/i.test(told) }
    received = Buffer.alloc(0)
    length = -1
    answered?.(answer)
  })
  return {
    ask: (text, body) =>
      new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.cork()
        socket.write(text, 'latin1')
        if (body) socket.write(body)
        socket.uncork()
      }),
    close: () => socket.destroy(),
  }
}

module.exports = { createLightClient }
