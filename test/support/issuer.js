'use strict'

/** A program (`credential_process`) that gives credentials for a sandbox's store, which are good until they are told otherwise. */

const { randomBytes } = require('node:crypto')
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
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

  const program = join(home, 'program.js')
  writeFileSync(program, PROGRAM)
  const command = `"${process.execPath}" "${program}" ${url}`
  mkdirSync(join(home, '.aws'))
  writeFileSync(join(home, '.aws/config'), `[default]\ncredential_process = ${command}\n`)

  return {
    /** The environment of a copy whose sides get their credentials so. */
    configure() {
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
    asked: () => asked,
    secrets: () => issued.flatMap(({ secretAccessKey, sessionToken }) => [secretAccessKey, sessionToken]),
    async close() {
      await close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

module.exports = { startIssuer }
