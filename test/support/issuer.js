'use strict'

/** Who gives credentials for a sandbox's store: a program (`credential_process`), or a file of profiles. Keys are good until they are told otherwise. */

const { randomBytes } = require('node:crypto')
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { serve } = require('./serving')

const HOUR_MS = 3_600_000

/** Prints what the issuer gives, and ends with 1 where it gives nothing. */
const PROGRAM = `
require('node:http').get(process.argv[2], response => {
  let text = ''
  response.on('data', piece => (text += piece)).on('end', () => {
    if (response.statusCode !== 200) return process.exit(1)
    process.stdout.write(text)
  })
})`

/**
 * @param {any} store of the sandbox, in this process
 */
async function startIssuer(store) {
  const home = mkdtempSync(join(tmpdir(), 'xfer-test-issuer-'))
  let issued = []
  let asked = 0
  let broken = false

  /** New ones, good for an hour unless `expire` comes before. */
  function issue() {
    const account = {
      accessKeyId: `ASIA${randomBytes(8).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(20).toString('hex'),
      sessionToken: randomBytes(40).toString('base64'),
      expiresMs: Date.now() + HOUR_MS,
    }
    store.addAccount(account)
    issued.push(account)
    return account
  }

  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      asked++
      if (broken) return response.writeHead(400).end('{}')
      const { accessKeyId, secretAccessKey, sessionToken, expiresMs } = issue()
      const keys = { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken }
      response.end(JSON.stringify({ Version: 1, ...keys, Expiration: new Date(expiresMs).toISOString() }))
    })
  })
  const { endpoint: url, close } = await serve(server)

  /** @param {string} path @param {string} text */
  function write(path, text) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
    return join(home, path)
  }

  /** The default profile, which is the file's own keys. */
  function writeKeys() {
    const { accessKeyId, secretAccessKey, sessionToken } = issue()
    write(
      '.aws/credentials',
      `[default]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\naws_session_token = ${sessionToken}\n`,
    )
  }

  /** What configures the default profile, by the way in which it gets its credentials. @type {Record<string, () => void>} */
  const PROFILES = {
    process() {
      const program = write('program.js', PROGRAM)
      write('.aws/config', `[default]\ncredential_process = "${process.execPath}" "${program}" ${url}/process\n`)
    },
    file: writeKeys,
  }

  return {
    /** The environment of a copy whose sides get their credentials so. @param {string} way */
    configure(way) {
      for (const path of ['.aws/config', '.aws/credentials']) rmSync(join(home, path), { force: true })
      PROFILES[way]()
      asked = 0
      issued = issued.slice(-1)
      broken = false
      return { HOME: home, XFER_SOURCE_ENDPOINT_URL: store.endpoint, XFER_DEST_ENDPOINT_URL: store.endpoint }
    },
    /** Nothing that was given so far is good any more. */
    expire() {
      for (const account of issued) account.expiresMs = 0
    },
    /** From now on there are none to be had. */
    breakDown() {
      broken = true
    },
    mend() {
      broken = false
    },
    writeKeys,
    asked: () => asked,
    secrets: () => issued.flatMap(({ secretAccessKey, sessionToken }) => [secretAccessKey, sessionToken]),
    async close() {
      await close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

module.exports = { startIssuer }
