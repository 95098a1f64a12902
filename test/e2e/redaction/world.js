'use strict'

/** A store and a platform that are listened in on: what they were sent, what they said, and who was there. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { startDeployed } = require('../../support/platform')
const { startRelay } = require('../../support/relay')
const { serve } = require('../../support/serving')
const { SECRETS, commandLinesOf } = require('./secrets')

const MAIN = join(__dirname, '..', '..', '..', 'sandbox', 'main.js')

/** What goes wrong with keys of that name. */
const FAULTS = [
  { key: 'refused', operation: 'UploadPart', partNumber: 2, status: 403, code: 'AccessDenied' },
  { key: 'failing', operation: 'UploadPart', partNumber: 2, status: 500 },
  { key: 'incomplete', operation: 'CompleteMultipartUpload', status: 403, code: 'AccessDenied' },
  { key: 'slow', operation: 'UploadPart', partNumber: 3, bytesPerSecond: 1024 ** 2 },
]

/** The store as a process of its own: what it prints are its logs. */
async function startStore() {
  const temporary = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: SECRETS.key, sessionToken: SECRETS.token }
  const options = { accounts: [temporary], buckets: ['source', 'target'], faults: FAULTS }
  const child = spawn(process.execPath, [MAIN, 'store', JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'pipe'] })
  let logs = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    logs += text
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  // The first line is for whoever started it, and tells the keys.
  lines.on('line', text => {
    logs += `${text}\n`
  })
  return {
    ...JSON.parse(line),
    sessionToken: SECRETS.token,
    logs: () => logs,
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const AWS_SIGNATURES = /Signature=([0-9a-f]{64})/g

/** Passes on what is sent to a store, and keeps every signature that is among it. @param {number} port */
async function startListener(port, pattern = AWS_SIGNATURES) {
  /** @type {Set<string>} */
  const signatures = new Set()
  const rests = new WeakMap()
  let heard = () => {}
  const relay = await startRelay(port, undefined, (bytes, socket) => {
    const rest = `${rests.get(socket) ?? ''}${bytes.toString('latin1')}`.slice(-70_000)
    rests.set(socket, rest)
    for (const [, signature] of rest.matchAll(pattern)) signatures.add(signature)
    heard()
  })
  return {
    endpoint: `http://127.0.0.1:${relay.port}`,
    signatures,
    /** @param {() => void} listener told whenever something is sent */
    onSent(listener) {
      heard = listener
    },
    close: relay.close,
  }
}

/** Answers every request with an error that repeats all that it was sent. @param {(sent: string) => { status: number, type: string, body: string }} answer */
const startEcho = answer =>
  serve(
    http.createServer((request, response) => {
      request.resume()
      const { status, type, body } = answer(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`)
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body)
    }),
  )

const xml = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A store whose errors quote the request. @param {number} status @param {string} code */
const echoStore = (status, code) =>
  startEcho(sent => ({
    status,
    type: 'application/xml',
    body: `<Error><Code>${code}</Code><Message>You sent ${xml(sent)}</Message><CanonicalRequest>${xml(sent)}</CanonicalRequest><SignatureProvided>${xml(sent)}</SignatureProvided></Error>`,
  }))

/** A platform whose errors quote the request. @param {number} status */
const echoPlatform = status =>
  startEcho(sent => ({ status, type: 'application/json', body: JSON.stringify({ error: `Sent: ${sent}`, code: 'x' }) }))

async function startWorld() {
  const [store, platform, refusing, failing, denying, broken, barred] = await Promise.all([
    startStore(),
    startDeployed({ auth: SECRETS.platform }),
    echoStore(400, 'InvalidRequest'),
    echoStore(500, 'InternalError'),
    echoStore(403, 'SignatureDoesNotMatch'),
    echoPlatform(500),
    echoPlatform(400),
  ])
  const listener = await startListener(Number(new URL(store.endpoint).port))
  /** @type {string[]} */
  const records = []
  platform.activations.on('activation', activation => records.push(JSON.stringify(activation)))
  platform.activations.on('output', text => records.push(text))
  return {
    store: { ...store, endpoint: listener.endpoint },
    platform,
    echoes: { refusing, failing, denying, broken, barred },
    signatures: listener.signatures,
    /** What activation records hold, and what the function has written. */
    records: () => records.join('\n'),
    /** What the store printed. */
    logs: store.logs,
    /** Collects the command lines of a process, its children and the containers while they work. @param {number} pid */
    watch(pid) {
      const seen = new Set()
      listener.onSent(() => seen.add(commandLinesOf([pid, ...platform.containers()])))
      return seen
    },
    async close() {
      await Promise.all([refusing, failing, denying, broken, barred, platform].map(member => member.close()))
      await listener.close()
      await store.close()
    },
  }
}

module.exports = { echoStore, startListener, startWorld }
