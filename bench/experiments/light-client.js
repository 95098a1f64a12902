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
 * @param {import('./client-strategies').Server} server by HTTP
 * @param {string} bucket
 * @returns {import('./client-strategies').Client}
 */
function createLightClient({ endpoint, accessKeyId, secretAccessKey, region }, bucket) {
  const { host, hostname, port } = new URL(endpoint)
  /** @type {ReturnType<typeof connect>[]} */
  const idle = []
  /** The key of the day. */
  let signing = { day: '', key: Buffer.alloc(0) }

  /** @param {'GET' | 'PUT'} method @param {string} name @param {Record<string, string | number>} [more] @returns {string} */
  function headOf(method, name, more) {
    const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const day = time.slice(0, 8)
    const scope = [region, 's3', 'aws4_request']
    if (day !== signing.day) signing = { day, key: scope.reduce(hmac, hmac(`AWS4${secretAccessKey}`, day)) }
    const path = `/${bucket}/${name}`
    const fields = Object.entries({ host, 'x-amz-content-sha256': UNSIGNED, 'x-amz-date': time, ...more }).sort()
    const names = fields.map(([field]) => field).join(';')
    const lines = fields.map(([field, value]) => `${field}:${value}\n`).join('')
    const request = createHash('sha256').update(`${method}\n${path}\n\n${lines}\n${names}\n${UNSIGNED}`).digest('hex')
    const whole = [day, ...scope].join('/')
    const signature = hmac(signing.key, `AWS4-HMAC-SHA256\n${time}\n${whole}\n${request}`).toString('hex')
    const signed = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${whole}, SignedHeaders=${names}, Signature=${signature}`
    return `${method} ${path} HTTP/1.1\r\n${lines.replaceAll('\n', '\r\n')}authorization:${signed}${HEAD_END}`
  }

  /** @param {string} head @param {Buffer} [body] @returns {Promise<Buffer>} */
  async function send(head, body) {
    const connection = idle.pop() ?? connect({ host: hostname, port: Number(port) })
    const answer = await connection.ask(head, body)
    if (answer.status === 200 && !answer.closes) idle.push(connection)
    else connection.close()
    if (answer.status !== 200) throw new Error(`${head.slice(0, head.indexOf('\r'))}: ${answer.status} ${answer.body}`)
    return answer.body
  }

  return {
    async put(name, body) {
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(body))
      const more = { 'content-length': body.length, 'x-amz-checksum-crc32': sum.toString('base64') }
      await send(headOf('PUT', name, more), body)
    },
    get: name => send(headOf('GET', name)),
    close() {
      for (const { close } of idle) close()
    },
  }
}

/** A connection, for one request at a time. @param {{ host: string, port: number }} where */
function connect(where) {
  const socket = net.connect({ ...where, noDelay: true })
  /** @type {Buffer} */
  let received = Buffer.alloc(0)
  let answered = (/** @type {{ status: number, body: Buffer, closes: boolean }} */ _answer) => {}
  let failed = (/** @type {Error} */ _error) => {}
  socket.on('error', error => failed(error)).on('close', () => failed(new Error('the connection was closed')))
  socket.on('data', piece => {
    received = received.length === 0 ? piece : Buffer.concat([received, piece])
    const end = received.indexOf(HEAD_END)
    const head = received.toString('latin1', 0, Math.max(end, 0))
    const body = received.subarray(end + HEAD_END.length)
    if (end < 0 || body.length < Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)) return
    received = Buffer.alloc(0)
    answered({ status: Number(head.slice(9, 12)), body, closes: /\r\nconnection: *close/i.test(head) })
  })
  return {
    /** @param {string} head @param {Buffer} [body] @returns {Promise<Parameters<typeof answered>[0]>} */
    ask: (head, body) =>
      new Promise((resolve, reject) => {
        ;[answered, failed] = [resolve, reject]
        socket.cork()
        socket.write(head, 'latin1')
        if (body) socket.write(body)
        socket.uncork()
      }),
    close: () => socket.destroy(),
  }
}

module.exports = { createLightClient }
