'use strict'

/** Completion: what `xfer __complete` answers, and the script of bash in bash. */

const { execFile } = require('node:child_process')
const { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs')
const net = require('node:net')
const { delimiter, join } = require('node:path')
const { flagsOfCommand } = require('../../lib/options')
const { newFolder, openStore, startStore } = require('../support/opened')
const { eventOf } = require('../support/events')
const { listen } = require('../support/listen')
const { XFER, runXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/s3')

const JOBS = ['20261121T104500Z-4f9k2c', '20261122T104500Z-aaaaaa']

/** What would run, if a shell took it for its own. */
const ODD = 'of $(touch ran)'

let home
let store
let usual
let env
beforeAll(async () => {
  store = await startStore({ buckets: ['photos', 'photos-2', 'music'] })
  for (const key of ['2026/a.jpg', '2026/b.jpg', 'index', `odd/${ODD}`, 'odd/line\nfeed'])
    await put(openStore(store, 'photos'), key, bytesOf(10, key))
  home = newFolder()
  for (const name of ['state/xfer/jobs', 'bin', 'work']) mkdirSync(join(home, name), { recursive: true })
  for (const id of JOBS) writeFileSync(join(home, 'state', 'xfer', 'jobs', `${id}.journal`), '')
  writeFileSync(join(home, 'bin', 'xfer'), `#!/bin/sh\nexec "${process.execPath}" "${XFER}" "$@"\n`, { mode: 0o755 })
  writeFileSync(join(home, 'work', 'private key.pem'), '')
  usual = {
    // A busy machine takes its time.
    XFER_COMPLETION_MS: '60000',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    AWS_CONFIG_FILE: join(home, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
  }
  const { endpoint, accessKeyId, secretAccessKey, region } = store
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  writeFileSync(usual.AWS_CONFIG_FILE, `[profile old]\nendpoint_url = ${endpoint}\nregion = ${region}\n`)
  writeFileSync(usual.AWS_SHARED_CREDENTIALS_FILE, `[old]\n${keys}[new]\n${keys}`)
})
beforeEach(() => {
  env = { ...usual }
  rmSync(join(home, 'cache'), { recursive: true, force: true })
})

/** @param {string[]} words @returns {Promise<string[]>} without their help */
async function offered(...words) {
  const { status, stdout, stderr } = await runXfer(['__complete', ...words], { env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.match(/^[^\t\n]+/gm) ?? []
}

test.each([
  ['co', ['copy', 'completion']],
  ['cp --engine ', ['auto', 'openwhisk', 'lambda', 'http', 'local']],
  ['copy --json s3://a/b s', ['s3://']],
])('xfer %s', async (line, expected) => expect(await offered(...line.split(' '))).toEqual(expected))

test('every option of a command is offered', async () => {
  const flags = flagsOfCommand('sync').map(({ flag }) => flag)
  expect(await offered('sync', '--')).toEqual([...flags, '--help'])
})

test('profiles, their buckets, and one level of keys are offered', async () => {
  expect(await offered('copy', 's3://')).toEqual(['s3://old@', 's3://new@'])
  // Remotes of rclone are profiles too.
  env.RCLONE_CONFIG = join(home, 'rclone.conf')
  writeFileSync(env.RCLONE_CONFIG, '[theirs]\ntype = s3\n')
  expect(await offered('copy', 'gs://')).toEqual(['gs://old@', 'gs://new@', 'gs://theirs@'])
  expect(await offered('ls', 's3://old@')).toEqual(['s3://old@music/', 's3://old@photos/', 's3://old@photos-2/'])
  expect(await offered('cp', '-r', '/tmp/', 's3://old@ph')).toEqual(['s3://old@photos/', 's3://old@photos-2/'])
  const keys = ['s3://old@photos/2026/', 's3://old@photos/index', 's3://old@photos/odd/']
  expect(await offered('copy', 's3://old@photos/')).toEqual(keys)
  expect(await offered('copy', 's3://old@photos/2')).toEqual(keys.slice(0, 1))
  // A name with a line feed would be two words.
  expect(await offered('copy', 's3://old@photos/odd/')).toEqual([`s3://old@photos/odd/${ODD}`])
})

test('the settings of the side count', async () => {
  const place = ['music/', 'photos/', 'photos-2/'].map(name => `s3://${name}`)
  expect(await offered('copy', '--source-profile', 'old', 's3://m')).toEqual(place.slice(0, 1))
  expect(await offered('copy', 's3://old@photos/index', '--dest-profile', 'old', 's3://p')).toEqual(place.slice(1))
  expect(await offered('copy', '--source-profile', 'old', 's3://photos/index', 's3://p')).toEqual([])
})

test('buckets are asked for once, and the answer is for the user alone', async () => {
  const listings = () => store.requests.ListBuckets ?? 0
  const before = listings()
  for (const part of ['', 'm', 'mu']) expect(await offered('ls', `s3://old@${part}`)).toContain('s3://old@music/')
  expect(listings()).toBe(before + 1)
  const file = join(home, 'cache', 'xfer', 'buckets.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // What is older, or no such file, is asked for again.
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"atMs":\d+/, '"atMs":0'))
  await offered('ls', 's3://old@')
  writeFileSync(file, '{')
  await offered('ls', 's3://old@')
  expect(listings()).toBe(before + 3)
})

test('a store that never answers is not told of, and the shell does not wait for it', async () => {
  const silent = await listen(net.createServer())
  const connected = eventOf(silent.server, 'connection')
  env.XFER_COMPLETION_MS = '1000'
  const asked = offered('ls', '--source-endpoint-url', silent.url, 's3://old@')
  const socket = await Promise.race([connected, asked.then(() => undefined)])
  // Of itself a request that nobody answers ends after half a minute, and the connection with it.
  const beganMs = Date.now()
  expect(await asked).toEqual([])
  if (socket) expect(Date.now() - beganMs).toBeLessThan(25_000)
})

test('a store that refuses, or is asked for nothing, is not told of', async () => {
  expect([await offered('ls', 's3://none@'), await offered('ls', 's3://old@nosuch/')]).toEqual([[], []])
  for (const place of ['az://', 'az://account/', 'redis://127.0.0.1:1/0/', 'file:///', 'https://127.0.0.1:1/', 'x://'])
    expect(await offered('copy', place)).toEqual([])
})

test('bash inserts what is offered', async () => {
  // Esc * is readline's insert-completions. The signs are octal, because a terminal repeats this line.
  const echo = String.raw`xfer() { printf '\074\074'; printf '%s\n' "$@"; printf '\076\076\n'; }`
  const cases = [
    ['xfer version', ['version']],
    ['xfer copy --engine=o', ['copy', '--engine=openwhisk']],
    ['xfer copy s3:', ['copy', 's3://']],
    ['xfer copy s3://o', ['copy', 's3://old@']],
    ['xfer copy s3://old@mu', ['copy', 's3://old@music/']],
    ['xfer copy s3://old@photos/2', ['copy', 's3://old@photos/2026/']],
    ['xfer copy s3://old@photos/odd/', ['copy', `s3://old@photos/odd/${ODD}`]],
    ['xfer copy --ca-bundle p', ['copy', '--ca-bundle', 'private key.pem']],
    ['xfer resume 2026', ['resume', ...JOBS]],
  ]
  const input = ['eval "$(xfer completion bash)"', echo, ...cases.map(([line]) => `${line}\x1b*`), ''].join('\n')
  const shell = { ...env, PATH: [join(home, 'bin'), process.env.PATH].join(delimiter), TERM: 'dumb' }
  const text = await new Promise(resolve => {
    const how = { cwd: join(home, 'work'), env: shell, encoding: 'utf8', timeout: 200_000 }
    execFile('bash', ['--norc', '--noprofile', '-i'], how, (_, stdout) => resolve(stdout)).stdin.end(input)
  })
  const runs = text.replaceAll('\r', '').split('<<').slice(1)
  const inserted = runs.map(run => run.slice(0, run.indexOf('>>')).split('\n').slice(0, -1))
  expect(inserted).toEqual(cases.map(([, words]) => words))
  expect(readdirSync(join(home, 'work'))).toEqual(['private key.pem'])
})
