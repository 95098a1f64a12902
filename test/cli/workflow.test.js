'use strict'

/** The reusable workflow: that nothing of its caller gets into a script, and what its script of xfer does, in bash. */

const { execFile } = require('node:child_process')
const { generateKeyPairSync, verify } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const { delimiter, join } = require('node:path')
const { parse } = require('yaml')
const { newFolder, openStore, startStore } = require('../support/opened')
const { XFER } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const FILE = join(__dirname, '..', '..', '.github', 'workflows', 'xfer-copy.yml')
const { on, jobs } = parse(readFileSync(FILE, 'utf8'))
const { steps } = jobs.xfer
const { env: asked, run: script } = steps.find(({ id }) => id === 'xfer')

test('no script has an expression in it, and each action is pinned to a commit', () => {
  const scripts = steps.flatMap(({ run = [] }) => run)
  expect(scripts).toHaveLength(2)
  for (const text of scripts) expect(text).not.toContain('${{')
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/)
})

test('what is used is declared, and what is declared is used', () => {
  const { inputs, secrets } = on.workflow_call
  const text = readFileSync(FILE, 'utf8')
  const used = kind => new Set([...text.matchAll(new RegExp(`${kind}\\.([\\w-]+)`, 'g'))].map(([, name]) => name))
  expect([...used('inputs')].sort()).toEqual(Object.keys(inputs).sort())
  expect([...used('secrets')].sort()).toEqual(Object.keys(secrets).sort())
  for (const name of Object.keys(secrets))
    expect(asked[name]).toMatch(
      new RegExp(`^\\$\\{\\{ secrets\\.${name} (?:\\|\\| steps\\.(?:source|dest)-role\\.outputs\\.[a-z-]+ )?\\}\\}$`),
    )
})

describe('its script', () => {
  let store
  let into
  let folder
  beforeAll(async () => {
    store = await startStore({ buckets: ['origin', 'into', 'state'] })
    into = openStore(store, 'into')
    const origin = openStore(store, 'origin')
    for (const key of ['a/1', 'a/2.tmp', 'a/$(touch ran) it']) await put(origin, key, bytesOf(10, key))
  })
  const deny = key => store.faults.add({ operation: 'PutObject', key, status: 403, code: 'AccessDenied' })
  beforeEach(() => {
    folder = newFolder()
    for (const name of ['bin', 'work', 'xfer-state', join('temp', 'xfer')])
      mkdirSync(join(folder, name), { recursive: true })
    const xfer = `#!/bin/sh\nexec "${process.execPath}" "${XFER}" "$@"\n`
    writeFileSync(join(folder, 'bin', 'xfer'), xfer, { mode: 0o755 })
  })
  afterEach(() => store.faults.clear())

  /** As a runner runs it: what a caller does not give is an empty text. */
  function run(inputs) {
    const { endpoint, accessKeyId, secretAccessKey, region } = store
    const env = {
      ...Object.fromEntries(Object.keys(asked).map(name => [name, ''])),
      ...{ PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter), HOME: folder, AWS_REGION: region },
      ...{ RUNNER_TEMP: join(folder, 'temp'), GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
      ...{ GITHUB_OUTPUT: join(folder, 'outputs') },
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
      ...{ COMMAND: 'copy', SOURCE: 's3://origin/a/', DESTINATION: 's3://into/b/', TIMEOUT: '1m', ...inputs },
    }
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
    const how = { env, cwd: join(folder, 'work') }
    return new Promise(resolve =>
      execFile('bash', args, how, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr })),
    )
  }
  const summary = () => readFileSync(join(folder, 'summary.md'), 'utf8')
  const journals = () =>
    readdirSync(join(folder, 'xfer-state'), { recursive: true }).filter(name => /journal$/.test(name))

  test('copies with the options as they are quoted, expands none of them, and leaves the log and the summary', async () => {
    const options = `-r --exclude '*.tmp'\n--metadata-set "note=$(touch ran) a  b"`
    expect(await run({ OPTIONS: options })).toMatchObject({ status: 0, stdout: expect.stringMatching(/proved\.\n$/) })
    expect((await into.head('b/1')).metadata.user.note).toBe('$(touch ran) a  b')
    expect([await keysOf(into, 'b/2'), readdirSync(join(folder, 'work'))]).toEqual([[], []])
    expect(readdirSync(join(folder, 'temp', 'xfer'))).toEqual(['report.html', 'xfer.log'])
    expect(summary()).toMatch(/^### ✅ [\s\S]*\| copied \| 2 \|/)
    expect(await run({ COMMAND: 'verify', OPTIONS: "-r --exclude '*.tmp'" })).toMatchObject({ status: 0 })
  })

  test('with a state it is the job that is kept there, and no folder', async () => {
    deny('kept/1')
    const failing = { OPTIONS: '-r --route engine', DESTINATION: 's3://into/kept/', XFER_STATE: 's3://state/ci' }
    expect(await run(failing)).toMatchObject({ status: 1 })
    expect(journals()).toEqual([])
    expect(await keysOf(openStore(store, 'state'), 'ci/jobs/')).not.toEqual([])
    store.faults.clear()
    expect(await run(failing)).toMatchObject({ status: 0 })
  })

  test('a copy that fails gives its status, and what the next run needs is in the folder that is kept', async () => {
    deny('c/1')
    const failing = { OPTIONS: '-r --route engine', DESTINATION: 's3://into/c/' }
    expect(await run(failing)).toMatchObject({ status: 1 })
    expect(summary()).toMatch(/^### ❌ [\s\S]*ACCESS_DENIED/)
    expect(readFileSync(join(folder, 'outputs'), 'utf8')).toMatch(/^status=1\ngo-on=xfer resume \d{8}T\d{6}Z-\w+\n$/)
    expect(journals()).toHaveLength(1)
    store.faults.clear()
    expect(await run(failing)).toMatchObject({ status: 0, stderr: expect.stringContaining('Resuming') })
    expect(journals()).toEqual([])
  })

  test('writes a manifest, and signs it with the key that it is given', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
    const manifest = { MANIFEST: 's3://into/lists/l.ndjson', XFER_MANIFEST_KEY: String(key) }
    expect(await run({ OPTIONS: '-r', DESTINATION: 's3://into/e/', ...manifest })).toMatchObject({ status: 0 })
    const list = String(await get(into, 'lists/l.ndjson')).trim()
    const { lines: count, root, result, time, signature } = JSON.parse(list.split('\n').at(-1))
    const signed = Buffer.from(`xfer manifest 1\n${count}\n${root}\n${result}\n${time}\n`)
    expect(verify(null, signed, publicKey, Buffer.from(signature, 'base64'))).toBe(true)
    expect(readdirSync(join(folder, 'temp'))).toEqual(['xfer'])
    expect(readFileSync(join(folder, 'outputs'), 'utf8')).toBe('status=0\ngo-on=\n')
  })

  test.each([
    ['another command', { COMMAND: 'rm', OPTIONS: '-r' }],
    ['a quote that does not end', { OPTIONS: `-r --exclude '*.tmp` }],
    ['an option in place of the source', { SOURCE: '--dry-run' }],
  ])('%s is an error, and nothing is done', async (_, inputs) => {
    expect((await run({ DESTINATION: 's3://into/d/', ...inputs })).status).not.toBe(0)
    expect(await keysOf(into, 'd/')).toEqual([])
    expect(existsSync(join(folder, 'work', 'ran'))).toBe(false)
  })
})
