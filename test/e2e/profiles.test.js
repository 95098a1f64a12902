'use strict'

/** A copy from a remote of rclone to an alias of mc; `xfer profiles` lists them, and asks their stores. */

const { mkdirSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:net')
const { once } = require('node:events')
const { join } = require('node:path')
const { keep, newFolder, openStore, startStore } = require('../support/opened')
const { newStateHome } = require('../support/journals')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, createBuckets, get, put } = require('../support/s3')
const { filesOf } = require('./redaction/secrets')

const BODY = bytesOf(11 * 1024 ** 2)

let from
let to
let silent
let home
beforeAll(async () => {
  ;[from, to] = await Promise.all([startStore(), startStore()])
  await Promise.all([createBuckets(from, 'source'), createBuckets(to, 'target')])
  await put(openStore(from, 'source'), 'large', BODY)
  silent = keep(createServer(() => {}).listen(0, '127.0.0.1'))
  await once(silent, 'listening')
  home = newFolder()
  for (const folder of ['.aws', '.mc', '.config/rclone']) mkdirSync(join(home, folder), { recursive: true })
  const { endpoint, accessKeyId, secretAccessKey, region } = from
  const remote = `type = s3\nprovider = Other\naccess_key_id = ${accessKeyId}\nregion = ${region}\nendpoint = ${endpoint}\n`
  const remotes = `[old]\n${remote}secret_access_key = ${secretAccessKey}\n\n[wrong]\n${remote}secret_access_key = wrong\n`
  writeFileSync(join(home, '.config/rclone/rclone.conf'), remotes)
  const alias = ({ endpoint, accessKeyId, secretAccessKey }) => {
    return { url: endpoint, accessKey: accessKeyId, secretKey: secretAccessKey, api: 'S3v4', path: 'auto' }
  }
  const aliases = { new: alias(to), silent: alias({ ...to, endpoint: `http://127.0.0.1:${silent.address().port}` }) }
  writeFileSync(join(home, '.mc/config.json'), JSON.stringify({ version: '10', aliases }))
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  writeFileSync(join(home, '.aws/credentials'), `[aws]\n${keys}endpoint_url = ${endpoint}\nregion = ${region}\n`)
})

/** @param {string[]} words @param {Record<string, string>} [more] */
async function xfer(words, more = {}) {
  const run = await runXfer(words, { env: { HOME: home, ...more } })
  for (const { secretAccessKey } of [from, to]) expect(run.stdout + run.stderr).not.toContain(secretAccessKey)
  return run
}

test('a copy takes a remote of rclone and an alias of mc, and goes on with their names', async () => {
  const env = { XDG_STATE_HOME: newStateHome() }
  to.faults.add({ operation: 'UploadPart', partNumber: 2, status: 400, code: 'InvalidArgument' })
  const words = 'copy s3://old@source/large s3://new@target/ --engine local --chunk 5 --debug --concurrency 1'
  const first = await xfer(words.split(' '), env)
  expect(first.status).toBe(1)
  to.faults.clear()
  const kept = JSON.stringify(filesOf(env.XDG_STATE_HOME))
  expect(kept).toContain('s3://old@source/large')
  for (const { secretAccessKey } of [from, to]) expect(kept).not.toContain(secretAccessKey)
  const second = await xfer(['resume', '--json'], env)
  expect(second).toMatchObject({ status: 0, stderr: '' })
  expect(BODY.equals(await get(openStore(to, 'target'), 'large'))).toBe(true)
})

test('profiles are listed, with their files', async () => {
  const run = await xfer(['profiles', '--json'])
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const { endpoint, region } = from
  const [credentials, rclone, mc] = ['.aws/credentials', '.config/rclone/rclone.conf', '.mc/config.json']
  expect(eventsOf(run)).toMatchObject([
    { name: 'aws', from: join(home, credentials) },
    { type: 'profile', name: 'old', from: join(home, rclone), kind: 's3', endpoint, region },
    { name: 'wrong', from: join(home, rclone) },
    { name: 'new', from: join(home, mc) },
    { name: 'silent', from: join(home, mc) },
    { type: 'done', profiles: 5, failed: 0 },
  ])
})

test('each is asked, without what the environment says of one side; none is waited for long', async () => {
  const beganMs = Date.now()
  const { status, stdout } = await xfer(['profiles', '--check'], { XFER_SOURCE_ENDPOINT_URL: 'http://127.0.0.1:1' })
  // Of itself a request that nobody answers ends after half a minute.
  expect(Date.now() - beganMs).toBeLessThan(25_000)
  expect(status).toBe(1)
  const told = stdout.trim().split('\n')
  const PROFILE = /^(\S+) .*(?:credentials|rclone\.conf|config\.json) +(\w+).*/
  const found = ['aws ok', 'old ok', 'wrong failed', 'new ok', 'silent failed']
  expect(told.map(line => line.replace(PROFILE, '$1 $2'))).toEqual(found)
  expect(told[4]).toContain('did not answer within 5 seconds')
})
