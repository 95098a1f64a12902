'use strict'

/** What the policies of docs/guides/permissions.md allow is enough, and what each of their actions is for is as it says. */

const { mkdtempSync, readFileSync, readdirSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { copyEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put, sha256, uploadsOf } = require('../support/s3')

const TEXT = readFileSync(join(__dirname, '..', '..', 'docs', 'guides', 'permissions.md'), 'utf8')
const LARGE = bytesOf(16 * 1024 ** 2)
const SMALL = bytesOf(1000)

/** The actions of a policy in docs/guides/permissions.md. @param {'source' | 'destination'} side @returns {string[]} */
function policyOf(side) {
  const [, json] = new RegExp(`<!-- policy:${side} -->\\s+\`\`\`json\n([\\s\\S]*?)\`\`\``).exec(TEXT)
  return JSON.parse(json).Statement.flatMap(({ Action }) => Action)
}

const SOURCE = policyOf('source')
const DESTINATION = policyOf('destination')

/** An account for every set of actions that a test asks for. */
const ACCOUNTS = new Map()
function account(actions) {
  const name = actions.map(action => action.replace('s3:', '')).join('-') || 'nothing'
  const made = { accessKeyId: name, secretAccessKey: `secret of ${name}`.replaceAll(' ', '-'), actions }
  if (!ACCOUNTS.has(name)) ACCOUNTS.set(name, made)
  return ACCOUNTS.get(name)
}
const but = missing => DESTINATION.filter(action => action !== missing)

const ALL = { source: account(SOURCE), destination: account(DESTINATION) }
for (const missing of DESTINATION) account(but(missing))
const READING = { ...ALL, destination: account([...DESTINATION, 's3:GetObject']) }
const REMOVING = { ...ALL, destination: account([...DESTINATION, 's3:GetObject', 's3:DeleteObject']) }
account([])

let server
let platform
let root
let state

beforeAll(async () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
  ;[server, platform] = await Promise.all([startStore({ accounts: [owner, ...ACCOUNTS.values()] }), startDeployed()])
  root = await openRoute({ source: server })
  await put(root.from, 'large', LARGE)
  await put(root.from, 'small', SMALL)
})
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'xfer-permissions-'))
})
afterEach(() => {
  server.faults.clear()
  rmSync(state, { recursive: true })
})
afterAll(async () => {
  root?.close()
  await Promise.all([server?.close(), platform?.close()])
})

/** @param {string[]} args @param {{ source: any, destination: any }} keys */
async function run(args, { source, destination } = ALL) {
  const env = copyEnv({ ...server, ...source }, { ...server, ...destination }, platform)
  const { status, stdout, stderr } = await runXfer([...args, '--json'], { env: { ...env, XDG_STATE_HOME: state } })
  expect(stderr).toBe('')
  return { status, last: eventsOf({ stdout }).at(-1) }
}

/** @param {string} from @param {string} to @param {string[]} flags */
const copy = (from, to, ...flags) => ['copy', `s3://source/${from}`, `s3://target/${to}`, '--chunk', '5', ...flags]

/** Stores tell the time in whole seconds: until an upload looks older than that and a little. */
const age = () => new Promise(resolve => setTimeout(resolve, 1_100))

/** An upload whose job nobody knows any more. @param {string} key */
async function leave(key) {
  await begin(key)
  rmSync(join(state, 'xfer'), { recursive: true })
  await age()
}

/** Begins a copy that ends in its middle, and is kept. @param {string} key */
async function begin(key) {
  server.faults.add({ operation: 'UploadPart', partNumber: 2, key, status: 400, code: 'InvalidArgument' })
  expect(await run(copy('large', key, '--engine', 'local', '--concurrency', '1'))).toMatchObject({ status: 1 })
  server.faults.clear()
}

const jobOf = () =>
  readdirSync(join(state, 'xfer', 'jobs'))
    .find(name => name.endsWith('.journal'))
    .replace(/\.journal$/, '')
const denied = permission => ({ code: 'ACCESS_DENIED', hint: expect.stringContaining(permission) })

describe('with the policies of docs/guides/permissions.md', () => {
  it.each([
    ['in parts', 'local', 'large', LARGE, []],
    ['as a whole', 'local', 'small', SMALL, []],
    ['where nothing is', 'local', 'large', LARGE, ['--no-clobber']],
    ['in parts', 'openwhisk', 'large', LARGE, []],
    ['as a whole', 'openwhisk', 'small', SMALL, []],
  ])('an object is copied %s, by %s (%#)', async (_, engine, from, bytes, flags) => {
    const to = `all-${engine}-${from}-${flags.length}`
    expect(await run(copy(from, to, '--engine', engine, ...flags))).toMatchObject({ status: 0, last: { type: 'done' } })
    expect(sha256(await get(root.to, to))).toBe(sha256(bytes))
  })

  it('a copy that was begun is gone on with', async () => {
    await begin('resumed')
    const { status, last } = await run(['resume'])
    expect({ status, type: last.type, resumed: last.resumedBytes > 0 }).toEqual({
      status: 0,
      type: 'done',
      resumed: true,
    })
    expect(sha256(await get(root.to, 'resumed'))).toBe(sha256(LARGE))
  })

  it.each([
    ['given up', begin, () => ['abort', jobOf()]],
    ['cleaned away', leave, key => ['clean', `s3://target/${key}`, '--older-than', '0.001s', '--yes']],
    ['begun anew', begin, key => copy('large', key, '--engine', 'local', '--restart')],
  ])('a copy that was begun can be %s', async (what, prepare, args) => {
    const key = what.replace(' ', '-')
    await prepare(key)
    expect(await run(args(key))).toMatchObject({ status: 0 })
    expect(await uploadsOf(root.to, key)).toEqual([])
  })

  it('what fails is aborted where that is asked for', async () => {
    server.faults.add({ operation: 'UploadPart', partNumber: 2, status: 400, code: 'InvalidArgument' })
    const flags = ['--engine', 'local', '--on-failure', 'abort']
    expect(await run(copy('large', 'aborted', ...flags))).toMatchObject({ status: 1 })
    expect(await uploadsOf(root.to, 'aborted')).toEqual([])
  })

  it('the doctor has nothing to say against it', async () => {
    expect(await run(['doctor', 's3://source/large', 's3://target/new'])).toMatchObject({
      status: 0,
      last: { ok: true },
    })
  })
})

describe('without s3:GetObject on the source', () => {
  it.each(['large', 'small'])('a %s object is not copied', async from => {
    const refused = await run(copy(from, 'none', '--engine', 'local'), { ...ALL, source: account([]) })
    expect(refused).toEqual({ status: 4, last: expect.objectContaining(denied('s3:GetObject on the source object')) })
  })
})

describe.each(DESTINATION)('without %s on the destination', missing => {
  const keys = { ...ALL, destination: account(but(missing)) }
  const needs = action => missing === action

  it.each(['large', 'small'])('a %s object is copied, unless that writes it', async from => {
    const { status, last } = await run(copy(from, `without-${missing}-${from}`, '--engine', 'local'), keys)
    if (!needs('s3:PutObject')) return expect({ status, type: last.type }).toEqual({ status: 0, type: 'done' })
    expect({ status, last }).toEqual({
      status: 4,
      last: expect.objectContaining(denied(`${missing} on the destination`)),
    })
  })

  it('a copy that was begun is gone on with, unless that finds what is there, or writes it', async () => {
    await begin(`resumed-${missing}`)
    const { status, last } = await run(['resume'], keys)
    if (!needs('s3:PutObject') && !needs('s3:ListMultipartUploadParts')) return expect(status).toBe(0)
    expect({ status, last }).toEqual({
      status: 4,
      last: expect.objectContaining(denied(`${missing} on the destination`)),
    })
  })

  it('a copy that was begun is given up, unless that aborts it', async () => {
    await begin(`given-up-${missing}`)
    const { status, last } = await run(['abort', jobOf()], keys)
    if (!needs('s3:AbortMultipartUpload')) return expect(status).toBe(0)
    expect({ status, last }).toEqual({
      status: 4,
      last: expect.objectContaining(denied(`${missing} on the destination`)),
    })
  })

  it('what was begun is cleaned away, unless that lists or aborts it', async () => {
    await leave(`cleaned-${missing}`)
    const { status, last } = await run(
      ['clean', `s3://target/cleaned-${missing}`, '--older-than', '0.001s', '--yes'],
      keys,
    )
    if (!needs('s3:AbortMultipartUpload') && !needs('s3:ListBucketMultipartUploads')) return expect(status).toBe(0)
    expect({ status, last }).toEqual({ status: 4, last: expect.objectContaining(denied(missing)) })
  })
})

describe('beyond the policies of docs/guides/permissions.md', () => {
  const full = key => copy('large', key, '--engine', 'local', '--verify', 'full')
  const hint = expect.stringContaining('s3:GetObject on the destination object')
  const reading = expect.objectContaining({ code: 'ACCESS_DENIED', hint })

  it('--verify full and xfer verify want to read the destination', async () => {
    expect(await run(full('read-back'), READING)).toMatchObject({
      status: 0,
      last: { proof: expect.arrayContaining(['read-back']) },
    })
    expect(await run(['verify', 's3://source/large', 's3://target/read-back', '--read'], READING)).toMatchObject({
      status: 0,
    })
    const unread = { code: 'NOT_READ_BACK', hint }
    expect(await run(full('not-read-back'))).toEqual({ status: 1, last: expect.objectContaining(unread) })
    expect(await run(['verify', 's3://source/large', 's3://target/read-back'])).toEqual({ status: 4, last: reading })
  })

  it('--if-match does too', async () => {
    await put(root.to, 'matched', SMALL)
    const { etag } = await root.to.head('matched')
    expect(await run(copy('large', 'matched', '--engine', 'local', '--if-match', etag))).toEqual({
      status: 4,
      last: reading,
    })
    const matched = await run(copy('large', 'matched', '--engine', 'local', '--if-match', etag), READING)
    expect(matched).toMatchObject({ status: 0 })
  })

  it('--verify full removes what it found wrong where it may', async () => {
    const damage = { operation: 'UploadPart', on: 'stored', flipByteAt: 1000, partNumber: 1 }
    server.faults.add(damage)
    const kept = await run(full('wrong-kept'), READING)
    expect(kept).toMatchObject({
      status: 8,
      last: { code: 'WRONG_COPY', message: expect.stringContaining('is still there') },
    })
    const removed = await run(full('wrong-removed'), REMOVING)
    expect(removed).toMatchObject({
      status: 8,
      last: { code: 'WRONG_COPY', message: expect.stringContaining('was removed') },
    })
    await expect(root.to.head('wrong-removed')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
  })
})
