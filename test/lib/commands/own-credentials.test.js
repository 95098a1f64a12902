'use strict'

/** Programs that give the library's calls credentials of their own, against stores that check signatures. */

const { execFile } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { promisify, inspect } = require('node:util')
const { startStore } = require('../../../sandbox/store')
const library = require('../../../lib')
const { jobFiles, newStateHome } = require('../../support/journals')
const { bytesOf, createBuckets, get, openStore, put } = require('../../support/s3')

const { clean, copy, copyPrefix, doctor, resume, verify } = library
const MiB = 1024 ** 2
const BODY = bytesOf(16 * MiB + 1)
/** Keys that only their own bucket lets in. */
const READER = { accessKeyId: 'AKIAREADER', secretAccessKey: 'the-secret-of-the-reader', buckets: ['source'] }
const WRITER = { accessKeyId: 'AKIAWRITER', secretAccessKey: 'the-secret-of-the-writer', buckets: ['target'] }
const SECRETS = ['the-secret-of', 'a-token-of']

/** Where the source is. */
let origin
/** Where the destination is. */
let server
let from
let to
let env
beforeAll(async () => {
  // Two servers, so that no store copies by itself.
  ;[origin, server] = await Promise.all([startStore(), startStore()])
  for (const account of [READER, WRITER]) for (const one of [origin, server]) one.addAccount(account)
  await Promise.all([createBuckets(origin, 'source'), createBuckets(server, 'source', 'target')])
  from = openStore(origin, 'source')
  to = openStore(server, 'target')
  await put(from, 'large', BODY)
  await put(from, 'dir/one', BODY.subarray(0, 1000))
})
beforeEach(() => {
  env = { HOME: newStateHome(), XDG_STATE_HOME: newStateHome() }
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  for (const store of [from, to]) store?.close()
  await Promise.all([origin?.close(), server?.close()])
})

const keysOf = ({ accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey })
const options = (more = {}) => ({
  source: { endpointUrl: origin.endpoint, credentials: keysOf(READER) },
  destination: { endpointUrl: server.endpoint, credentials: keysOf(WRITER) },
  engine: 'local',
  env,
  ...more,
})
/** Those with which a job ends at its third part. */
const broken = (more = {}) => options({ chunk: 5, concurrency: 1, retries: 0, ...more })
const journals = () => {
  const folder = join(env.XDG_STATE_HOME, 'xfer', 'jobs')
  return jobFiles(env.XDG_STATE_HOME).map(name => readFileSync(join(folder, name), 'utf8'))
}
const expectDiscreet = text => {
  for (const secret of SECRETS) expect(text).not.toContain(secret)
}

let lastKey = 0
/** A provider of temporary keys: each answer is an account of its own. */
function startIssuer({ expiresMs = () => Number.POSITIVE_INFINITY, tell = true } = {}) {
  const issued = []
  const provider = async () => {
    const number = ++lastKey
    const atMs = Date.now() + expiresMs()
    const account = {
      accessKeyId: `ASIA${number}`,
      secretAccessKey: `the-secret-of-${number}`,
      sessionToken: `a-token-of-${number}`,
      buckets: ['target'],
      ...(Number.isFinite(atMs) && { expiresMs: atMs }),
    }
    issued.push(account)
    server.addAccount(account)
    const { accessKeyId, secretAccessKey, sessionToken } = account
    const expiration = tell && Number.isFinite(atMs) ? { expiration: new Date(atMs) } : {}
    return { accessKeyId, secretAccessKey, sessionToken, ...expiration }
  }
  return { issued, provider }
}

it('every call that has sides takes credentials for them', async () => {
  const events = []
  const { proof } = await copy('s3://source/large', 's3://target/plain', options({ onEvent: e => events.push(e) }))
  expect(proof.length).toBeGreaterThan(0)
  expect((await get(to, 'plain')).equals(BODY)).toBe(true)
  const { objects } = await copyPrefix('s3://source/dir/', 's3://target/dir/', options())
  expect(objects.copied).toBe(1)
  const both = { ...options().destination, credentials: keysOf(server) }
  expect(await verify('s3://source/large', 's3://target/plain', options({ destination: both }))).toMatchObject({
    bytes: BODY.length,
  })
  const { onEvent, engine, ...few } = options()
  const checks = []
  await doctor('s3://source/large', 's3://target', { ...few, onCheck: checked => checks.push(checked) })
  const ofSides = checks.filter(({ name }) => /^(source|destination) (credentials|reading|writing)$/.test(name))
  expect(ofSides.map(({ ok }) => ok)).toEqual([true, true, true, true])
  expect(await clean('s3://target', { destination: options().destination, env })).toMatchObject({ uploads: [] })
  expectDiscreet(inspect([events, checks], { depth: null }))
})

it('the keys of one side are not those of the other, though both are one server', async () => {
  const at = account => ({ endpointUrl: server.endpoint, credentials: keysOf(account) })
  const swapped = { source: at(WRITER), destination: at(READER) }
  const refused = await copy('s3://source/large', 's3://target/swapped', options(swapped)).catch(error => error)
  expect(refused).toMatchObject({ code: 'ACCESS_DENIED', facts: { side: 'source' } })
  expectDiscreet(inspect(refused, { depth: null, showHidden: true }))
})

it('credentials that the store does not know are refused, and shown nowhere', async () => {
  const credentials = { accessKeyId: 'AKIAREADER', secretAccessKey: 'the-secret-of-nobody' }
  const source = { endpointUrl: origin.endpoint, credentials }
  const refused = await copy('s3://source/large', 's3://target/refused', options({ source })).catch(error => error)
  expect(refused).toMatchObject({ code: 'CREDENTIALS_REFUSED', exitCode: 4 })
  expectDiscreet(inspect(refused, { depth: null, showHidden: true }))
})

describe('a function that returns credentials', () => {
  it('is called again before they expire in the middle of a copy, and by all parts at once only one time', async () => {
    const { issued, provider } = startIssuer({ expiresMs: () => 3_000 })
    const codes = []
    server.on('request', ({ code }) => codes.push(code))
    server.faults.add({ operation: 'UploadPart', delayMs: 1_500 })
    const destination = { endpointUrl: server.endpoint, credentials: provider }
    const copied = await copy('s3://source/large', 's3://target/renewed', options({ ...broken(), destination }))
    expect(copied).toMatchObject({ parts: 4, retried: 0 })
    expect(issued.length).toBeGreaterThan(1)
    expect(issued.length).toBeLessThan(20)
    expect(codes).not.toContain('ExpiredToken')
    expect((await get(to, 'renewed')).equals(BODY)).toBe(true)
  })

  it.each(['source', 'destination'])('of the %s and does not answer is left by an abort', async side => {
    const stop = new AbortController()
    const credentials = () => {
      stop.abort()
      return new Promise(() => {})
    }
    const given = options({ signal: stop.signal })
    given[side] = { endpointUrl: server.endpoint, credentials }
    await expect(copy('s3://source/large', 's3://target/hung', given)).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  it.each([
    ['a part', 'UploadPart'],
    ['the completion', 'CompleteMultipartUpload'],
  ])('and fails after the store has refused %s as expired: its error is told', async (_, operation) => {
    const { issued, provider } = startIssuer()
    let calls = 0
    const credentials = async () => (++calls === 1 ? await provider() : thrower())
    const destination = { endpointUrl: server.endpoint, credentials }
    const expire = ({ operation: begun }) => {
      if (begun === operation) for (const account of issued) account.expiresMs = 0
    }
    server.on('begin', expire)
    const ended = await copy('s3://source/large', 's3://target/silent', broken({ destination })).catch(e => e)
    server.off('begin', expire)
    expect(ended).toMatchObject({
      code: 'BAD_CREDENTIALS',
      message: expect.stringContaining('the vault is sealed'),
      cause: { message: 'the vault is sealed' },
      facts: { side: 'destination', job: expect.any(String) },
    })
  })

  it('and fails in the middle keeps the job, with its parts', async () => {
    let failing = false
    const { provider } = startIssuer({ expiresMs: () => 1_500 })
    const credentials = async () => (failing ? thrower() : await provider())
    const destination = { endpointUrl: server.endpoint, credentials }
    server.faults.add({ operation: 'UploadPart', delayMs: 1_000 })
    const onEvent = ({ type }) => {
      if (type === 'part') failing = true
    }
    const ended = await copy('s3://source/large', 's3://target/sealed', broken({ destination, onEvent })).catch(e => e)
    expect(['BAD_CREDENTIALS', 'CREDENTIALS_EXPIRED']).toContain(ended.code)
    expect(ended.facts.job).toEqual(expect.any(String))
    failing = false
    server.faults.clear()
    const again = await resume(ended.facts.job, { env, source: { credentials: keysOf(READER) }, destination })
    expect(again.resumedBytes).toBeGreaterThan(0)
  })
})

describe('a job with credentials of its program', () => {
  /** @returns {Promise<string>} the id of a job that ended */
  async function leaveJob(key, more) {
    server.faults.add({ operation: 'UploadPart', partNumber: 3, status: 400, code: 'InvalidArgument' })
    const error = await copy('s3://source/large', `s3://target/${key}`, broken(more)).catch(thrown => thrown)
    server.faults.clear()
    return error.facts.job
  }

  it('is written down without them, and resume takes them again', async () => {
    const { provider } = startIssuer()
    const job = await leaveJob('resumed', { destination: { endpointUrl: server.endpoint, credentials: provider } })
    const written = journals().join('')
    expectDiscreet(written)
    expect(written).not.toMatch(/AKIA|ASIA/)
    expect(written.match(/"ownCredentials":true/g)).toHaveLength(2)

    const aws = { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey }
    const refused = await resume(job, { env: { ...env, ...aws } }).catch(error => error)
    expect(refused).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('program with credentials of its'),
    })
    expect(refused.hint).toContain('source.credentials')
    const half = await resume(job, { env, source: { credentials: keysOf(READER) } }).catch(error => error)
    expect(half.message).toContain('for the destination')

    const { source, destination } = options()
    const only = ({ credentials }) => ({ credentials })
    const done = await resume(job, { env, source: only(source), destination: only(destination) })
    expect(done.resumedBytes).toBeGreaterThan(0)
    expect((await get(to, 'resumed')).equals(BODY)).toBe(true)
  })

  it('is resumed by the command with a profile, and without one told how', async () => {
    const job = await leaveJob('by-command')
    const run = promisify(execFile)
    const xfer = join(__dirname, '..', '..', '..', 'cli', 'xfer.js')
    const keys = { AWS_ACCESS_KEY_ID: server.accessKeyId, AWS_SECRET_ACCESS_KEY: server.secretAccessKey }
    origin.addAccount(keysOf(server))
    const start = (more, variables) =>
      run(process.execPath, [xfer, 'resume', job, ...more], { env: { PATH: process.env.PATH, ...env, ...variables } })
    const refused = await start([], keys).catch(error => error)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('The job was begun by a program with credentials of its own for the source')
    expect(refused.stderr).toContain('--source-profile')

    const { mkdirSync, writeFileSync } = require('node:fs')
    mkdirSync(join(env.HOME, '.aws'))
    const pair = `aws_access_key_id = ${server.accessKeyId}\naws_secret_access_key = ${server.secretAccessKey}\n`
    writeFileSync(join(env.HOME, '.aws', 'credentials'), `[mine]\n${pair}`)
    await start(['--source-profile', 'mine', '--dest-profile', 'mine'], {})
    expect((await get(to, 'by-command')).equals(BODY)).toBe(true)
  })
})

function thrower() {
  throw new Error('the vault is sealed')
}
