'use strict'

/**
 * The same as redaction.test.js for the ends that are no object stores: the query of an address, and headers for a source with
 * their passwords, are in nothing that is printed, kept or told; paths of files are shown; and only `presign`
 * prints a signed URL.
 */

const { existsSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { startHttpsHost } = require('../support/https-host')

const { copyEnv, startXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')
const { filesOf } = require('./redaction/secrets')

const MiB = 1024 ** 2
const BODY = bytesOf(11 * MiB)
const QUERY = 'xQu3ry/SECRET+of=the/address'
const HEADER = 'xH3ader/SECRET+of=the/source'
const PASSWORD = 'xN3trc/SECRET+of=the/host'
const BASIC = Buffer.from(`user:${PASSWORD}`).toString('base64')
/** Of a signed URL. */
const SIGNED = /X-Amz-Signature=|Signature=[0-9a-f]{8}/i

let host
let elsewhere
let store
let dir
let env
let count = 0
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-web-redaction-'))
  ;[host, elsewhere, store] = await Promise.all([startHttpsHost(), startHttpsHost(), startStore()])
  await createBuckets(store, 'target')
  const to = openStore(store, 'target')
  await put(to, 'there', BODY)
  to.close()
  writeFileSync(join(dir, 'headers'), `X-Secret: ${HEADER}\nAuthorization: Basic ${BASIC}\n`)
  env = copyEnv(store, store)
})
afterEach(() => store.faults.clear())
afterAll(async () => {
  await Promise.all([host?.close(), elsewhere?.close(), store?.close()])
  rmSync(dir, { recursive: true, force: true })
})

/** @param {string} text */
function expectNoLeak(text) {
  const forms = [QUERY, HEADER, PASSWORD, BASIC].flatMap(secret => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  expect(forms.filter(form => text.includes(form))).toEqual([])
  expect(SIGNED.exec(text)?.[0]).toBeUndefined()
}

/**
 * Runs the program, and searches what it printed and kept.
 *
 * @param {string[]} args
 * @param {{ state?: string, act?: (child: any) => void }} [how]
 */
async function run(args, { state = join(dir, `state-${++count}`), act } = {}) {
  const { child, ended } = startXfer(args, { env: { ...env, XDG_STATE_HOME: state } })
  act?.(child)
  const { status, stdout, stderr } = await ended
  expectNoLeak(stdout + stderr)
  if (existsSync(state)) expectNoLeak(filesOf(state))
  return { status, stdout, stderr, state }
}

/** @param {string} name @param {object} [page] of a web server @returns {string} an address with a secret */
const address = (name, page) => host.put(`/${name}?token=${encodeURIComponent(QUERY)}`, { body: BODY, ...page })
const FLAGS = ['--engine', 'local', '--chunk', '5', '--retries', '0', '--debug', '--json']
const HEADERS = () => ['--source-header', `@${join(dir, 'headers')}`]

describe('an address with a secret in its query, a header and a password', () => {
  const echo = `the request was ?token=${encodeURIComponent(QUERY)} X-Secret: ${HEADER} Authorization: Basic ${BASIC}`

  test.each([
    ['is copied', {}, 0],
    ['is not there', { status: 404, body: Buffer.from(echo) }, 3],
    ['is refused', { status: 403, body: Buffer.from(echo) }, 4],
    ['wants other credentials', { status: 401, body: Buffer.from(echo) }, 4],
    ['fails', { status: 500, body: Buffer.from(echo) }, 1],
    ['breaks off', { sends: 100 }, 1],
    ['changes', { later: { etag: '"two"' } }, 6],
    ['is encoded', { headers: { 'content-encoding': 'gzip' } }, undefined],
  ])('that %s', async (name, page, status) => {
    const url = address(encodeURIComponent(name), page)
    const copied = await run(['copy', url, `s3://target/${encodeURIComponent(name)}`, ...FLAGS, ...HEADERS()])
    if (status !== undefined) expect({ status: copied.status, out: copied.stdout }).toMatchObject({ status })
    else expect(copied.status).toBeGreaterThan(0)
    expect(host.requests.some(({ headers }) => headers['x-secret'] === HEADER)).toBe(true)
  })

  test('that leads to another with a secret', async () => {
    const to = elsewhere.put(`/object?X-Amz-Signature=${encodeURIComponent(QUERY)}`, { body: BODY })
    const url = address('moved', { location: to })
    const { status } = await run(['copy', url, 's3://target/moved', ...FLAGS, ...HEADERS()])
    expect(status).toBe(0)
    expect(elsewhere.requests.filter(({ headers }) => headers['x-secret'] !== undefined)).toEqual([])
  })

  test('in the other commands', async () => {
    const url = address('asked')
    for (const args of [
      ['doctor', url, 's3://target/x', '--debug', '--json'],
      ['head', url, '--json', '--debug'],
      ['verify', url, 's3://target/there', ...FLAGS],
    ]) {
      const { status, stdout, stderr } = await run([...args, ...HEADERS()])
      expect({ args, status, stderr, stdout }).toMatchObject({ status: 0 })
    }
  })

  test('typed at a wrong place', async () => {
    const url = address('wrong')
    for (const args of [
      ['copy', 's3://target/there', url],
      ['copy', '-r', url, 's3://target/x'],
      ['copy', url, 's3://target/x', '--source-header', HEADER],
      ['sync', url, 's3://target/x'],
    ]) {
      for (const flags of [[], ['--debug', '--json']]) {
        const { status } = await run([...args, ...flags])
        expect({ args, status }).toEqual({ args, status: 2 })
      }
    }
  })
})
