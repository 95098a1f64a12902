'use strict'

/** `xfer profiles` lists profiles of AWS, remotes of rclone and aliases of mc, and asks their stores. */

const { mkdirSync, writeFileSync } = require('node:fs')
const { createServer } = require('node:net')
const { once } = require('node:events')
const { join } = require('node:path')
const { keep, newFolder, startStore } = require('../support/opened')
const { eventsOf, runXfer } = require('../support/run-xfer')

let from
let home
beforeAll(async () => {
  from = await startStore()
  const silent = keep(createServer(() => {}).listen(0, '127.0.0.1'))
  await once(silent, 'listening')
  home = newFolder()
  for (const folder of ['.aws', '.mc', '.config/rclone']) mkdirSync(join(home, folder), { recursive: true })
  const { endpoint, accessKeyId, secretAccessKey, region } = from
  const remote = `type = s3\nprovider = Other\naccess_key_id = ${accessKeyId}\nregion = ${region}\nendpoint = ${endpoint}\n`
  const remotes = `[old]\n${remote}secret_access_key = ${secretAccessKey}\n\n[wrong]\n${remote}secret_access_key = wrong\n`
  writeFileSync(join(home, '.config/rclone/rclone.conf'), remotes)
  const alias = url => ({ url, accessKey: accessKeyId, secretKey: secretAccessKey, api: 'S3v4', path: 'auto' })
  const aliases = { new: alias(endpoint), silent: alias(`http://127.0.0.1:${silent.address().port}`) }
  writeFileSync(join(home, '.mc/config.json'), JSON.stringify({ version: '10', aliases }))
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  writeFileSync(join(home, '.aws/credentials'), `[aws]\n${keys}endpoint_url = ${endpoint}\nregion = ${region}\n`)
})

/** @param {string[]} words @param {Record<string, string>} [more] */
async function xfer(words, more = {}) {
  const run = await runXfer(words, { env: { HOME: home, ...more } })
  expect(run.stdout + run.stderr).not.toContain(from.secretAccessKey)
  return run
}

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
