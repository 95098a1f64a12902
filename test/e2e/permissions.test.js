'use strict'

/** What the policies of docs/guides/permissions.md allow is enough. */

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

const account = (name, actions) => ({ accessKeyId: name, secretAccessKey: `secret-of-${name}`, actions })
const ALL = { source: account('reader', policyOf('source')), destination: account('writer', policyOf('destination')) }

let server
let platform
let root
let state

beforeAll(async () => {
  const owner = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
  ;[server, platform] = await Promise.all([startStore({ accounts: [owner, ...Object.values(ALL)] }), startDeployed()])
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

/** @param {string[]} args */
async function run(args) {
  const env = copyEnv({ ...server, ...ALL.source }, { ...server, ...ALL.destination }, platform)
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
