'use strict'

/**
 * Who gives credentials for a sandbox's store, in the ways in which AWS does: a program (`credential_process`), STS for a
 * web identity, SSO, a file of profiles. One HTTP server plays all services; keys are good until they are told otherwise.
 */

const { createHash, randomBytes } = require('node:crypto')
const { once } = require('node:events')
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')

const HOUR_MS = 3_600_000
const START_URL = 'https://login.example/start'

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
  let told = expiresMs => expiresMs

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
      const expiration = told(expiresMs)
      const iso = expiration && new Date(expiration).toISOString()
      if (request.url.startsWith('/process')) {
        const keys = { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, SessionToken: sessionToken }
        return response.end(JSON.stringify({ Version: 1, ...keys, ...(iso && { Expiration: iso }) }))
      }
      if (request.url.startsWith('/federation/credentials')) {
        const roleCredentials = { accessKeyId, secretAccessKey, sessionToken, expiration }
        return response.setHeader('content-type', 'application/json').end(JSON.stringify({ roleCredentials }))
      }
      response.setHeader('content-type', 'text/xml')
      response.end(
        '<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult>' +
          `<Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey>` +
          `<SessionToken>${sessionToken}</SessionToken><Expiration>${iso}</Expiration></Credentials>` +
          '</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
      )
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${server.address().port}`

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
    'web identity'() {
      const token = write('token', 'a.web.identity')
      const role = `role_arn = arn:aws:iam::123456789012:role/copier\nrole_session_name = xfer\nweb_identity_token_file = ${token}`
      write('.aws/config', `[default]\nregion = us-east-1\n${role}\n`)
    },
    SSO() {
      const login = `sso_start_url = ${START_URL}\nsso_region = us-east-1\nsso_account_id = 123456789012\nsso_role_name = copier`
      write('.aws/config', `[default]\n${login}\n`)
      const name = createHash('sha1').update(START_URL).digest('hex')
      const expiresAt = new Date(Date.now() + HOUR_MS).toISOString()
      write(`.aws/sso/cache/${name}.json`, JSON.stringify({ accessToken: 'token', expiresAt, startUrl: START_URL }))
    },
    file: writeKeys,
  }

  return {
    ways: Object.keys(PROFILES),
    /** The environment of a copy whose sides get their credentials so. @param {string} way */
    configure(way) {
      for (const path of ['.aws/config', '.aws/credentials']) rmSync(join(home, path), { force: true })
      PROFILES[way]()
      asked = 0
      issued = issued.slice(-1)
      broken = false
      told = expiresMs => expiresMs
      const services = { AWS_ENDPOINT_URL_STS: url, AWS_ENDPOINT_URL_SSO: url }
      return {
        HOME: home,
        ...services,
        XFER_SOURCE_ENDPOINT_URL: store.endpoint,
        XFER_DEST_ENDPOINT_URL: store.endpoint,
      }
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
    /** What is told of when they expire. @param {(expiresMs: number) => number | undefined} change */
    tell(change) {
      told = change
    },
    writeKeys,
    asked: () => asked,
    secrets: () => issued.flatMap(({ secretAccessKey, sessionToken }) => [secretAccessKey, sessionToken]),
    async close() {
      server.close()
      server.closeAllConnections()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

module.exports = { startIssuer }
