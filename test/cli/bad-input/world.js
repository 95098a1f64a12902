'use strict'

/** What the table's commands meet: two stores, six platforms, rogue servers, and files that are wrong. */

const { mkdir, mkdtemp, rm, symlink, writeFile } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { deploy } = require('../../../lib')
const { putRandom } = require('../../../sandbox/objects')
const { startPlatform } = require('../../../sandbox/platform')
const { startStore } = require('../../../sandbox/store')
const { copyEnv } = require('../../support/run-xfer')
const { freePort } = require('../../support/servers')
const { writeJournals } = require('./journals')
const { startRogues } = require('./rogues')

const MiB = 1024 ** 2

/** @param {string} name @returns {import('../../../sandbox/store/types').Account} */
const account = (name, more = {}) => ({ accessKeyId: `${name}-key-id`, secretAccessKey: `${name}-SECRET-x9`, ...more })

const ACCOUNTS = {
  owner: account('owner'),
  guest: account('guest', { buckets: ['elsewhere'] }),
  reader: account('reader', { readOnly: true }),
  temporary: account('temporary', { sessionToken: 'the-right-TOKEN-q7' }),
}

/** Keys of the source bucket whose reading goes wrong. @type {import('../../../sandbox/store/types').FaultRule[]} */
const SOURCE_FAULTS = [
  { key: 'expired', status: 400, code: 'ExpiredToken' },
  { key: 'slow-down', status: 503 },
  { key: 'broken', status: 500 },
  { key: 'cut', operation: 'GetObject', cutAfterBytes: 1000 },
  { key: 'wrong-range', operation: 'GetObject', wrongContentRange: true },
  { key: 'changing', operation: 'GetObject', ignoreIfMatch: true, etag: '"00000000000000000000000000000000"' },
  { key: 'denied-later', operation: 'GetObject', status: 403, code: 'AccessDenied' },
  { bucket: 'huge', key: 'flipped', operation: 'GetObject', flipByteAt: 10 },
]

/** Keys of the destination bucket whose writing goes wrong. @type {import('../../../sandbox/store/types').FaultRule[]} */
const DESTINATION_FAULTS = [
  { key: 'no-parts', operation: 'UploadPart', status: 403, code: 'AccessDenied' },
  { key: 'no-complete', operation: 'CompleteMultipartUpload', status: 403, code: 'AccessDenied' },
  { key: 'error-in-body', operation: 'CompleteMultipartUpload', errorInBody: true },
  { key: 'half-xml', operation: 'CreateMultipartUpload', truncateXml: true },
  { key: 'stored-wrong', on: 'stored', operation: 'PutObject', flipByteAt: 10 },
  { key: 'full', operation: ['PutObject', 'UploadPart'], status: 507, code: 'InsufficientStorage' },
]

/** What stands in the action's place on the platform of that name. @type {Record<string, string>} */
const ACTIONS = {
  old: 'exports.main = () => ({ version: 0, outcomes: [] })',
  refuses: "exports.main = () => ({ error: 'The version 1 is not understood.' })",
  crashes: 'exports.main = () => process.exit(3)',
  throws: "exports.main = () => { throw new Error('this action always throws') }",
  mute: 'exports.main = () => ({ version: 2, outcomes: [] })',
}

/** @param {string} dir @param {string} name @param {string} code @returns {Promise<string>} path of a manifest */
async function writeAction(dir, name, code) {
  const folder = join(dir, name)
  await mkdir(folder)
  await writeFile(join(folder, 'index.js'), code)
  await writeFile(join(folder, 'package.json'), '{ "main": "index.js" }')
  const manifest = join(dir, `${name}.yaml`)
  await writeFile(
    manifest,
    `packages: { xfer: { actions: { copy-range: { function: ${name}, runtime: 'nodejs:20' } } } }`,
  )
  return manifest
}

async function startPlatforms(dir) {
  const limits = { concurrent: 100, perMinute: 10_000 }
  const names = ['empty', ...Object.keys(ACTIONS)]
  const platforms = await Promise.all(names.map(() => startPlatform({ limits, containers: 2 })))
  await Promise.all(
    Object.entries(ACTIONS).map(async ([name, code]) => {
      const { apihost: APIHOST, auth: AUTH } = platforms[names.indexOf(name)]
      await deploy({ manifest: await writeAction(dir, name, code), env: { APIHOST, AUTH, HOME: dir } })
    }),
  )
  return Object.fromEntries(names.map((name, i) => [name, platforms[i]]))
}

/** Files that a setting may point to. @param {string} dir */
async function writeFiles(dir) {
  const files = {
    malformed: '[default\nregion us-east-1\n]]=[[\n\u0000\u0001',
    halfCredentials: '[half]\naws_access_key_id = owner-key-id\n[empty]\nregion = us-east-1\n',
    looping:
      '[profile a]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = b\n[profile b]\nrole_arn = arn:aws:iam::1:role/y\nsource_profile = a\n',
    badProcess: '[profile helper]\ncredential_process = /nonexistent/helper --secret hunter2-SECRET\n',
    badStyle: '[profile styled]\ns3 =\n  addressing_style = sideways\n',
    badEndpoint: '[profile pointed]\nendpoint_url = not a url\n',
    wskprops: 'APIHOST=http://127.0.0.1:1\n',
    badBundle: '[profile bundled]\nca_bundle = /nonexistent/ca.pem\n',
    brokenBundle: '-----BEGIN CERTIFICATE-----\nMIIBgTCCASigAwIBAgIU\n-----END CERTIFICATE-----\n',
    badNames: 'a\n"b\n',
    loneNames: '"\\ud800"\n',
    longName: `${'n'.repeat(70_000)}\n`,
    missingNames: 'none\nnone-either\n',
    keyAlone: '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  await writeFile(join(dir, 'binaryNames'), Buffer.from([0x61, 0xff, 0x0a]))
  await symlink('loop', join(dir, 'loop'))
  await mkdir(join(dir, 'folder'))
  await mkdir(join(dir, 'fileState', 'xfer'), { recursive: true })
  await writeFile(join(dir, 'fileState', 'xfer', 'jobs'), '')
  const names = [...Object.keys(files), 'binaryNames', 'folder', 'fileState', 'loop']
  return Object.fromEntries(names.map(name => [name, join(dir, name)]))
}

/**
 * @returns {Promise<{ words: Record<string, string>, base: Record<string, string>, source: any, destination: any, close: () => Promise<void> }>}
 *   words: what stands for `{name}` in a command or a variable; base: the environment in which a good command would succeed
 */
async function startWorld() {
  const dir = await mkdtemp(join(tmpdir(), 'xfer-bad-input-'))
  const accounts = Object.values(ACCOUNTS)
  const huge = { 'huge/object': 60 * 1e12, 'huge/flipped': 2000 }
  const [source, destination, platforms, rogues, files, closed] = await Promise.all([
    startStore({
      accounts,
      buckets: ['src', 'elsewhere', { name: 'west', region: 'us-west-2' }, { name: 'open', publicRead: true }],
      synthetic: huge,
    }),
    startStore({ accounts, buckets: ['dst', 'elsewhere'] }),
    startPlatforms(dir),
    startRogues(),
    writeFiles(dir),
    freePort(),
  ])
  const small = [
    'object',
    ...SOURCE_FAULTS.filter(({ bucket }) => !bucket).map(({ key }) => key),
    'folder/',
    'tree/a',
    'tree/b',
    `${'k'.repeat(1000)}`,
  ]
  for (const key of small) await putRandom(source, { bucket: 'src', key, bytes: 2000 })
  await putRandom(source, { bucket: 'src', key: 'large', bytes: 11 * MiB })
  await putRandom(source, { bucket: 'src', key: 'wrong-range', bytes: 6 * MiB })
  await putRandom(destination, { bucket: 'dst', key: 'existing', bytes: 1 })
  for (const rule of SOURCE_FAULTS) source.faults.add({ bucket: 'src', ...rule })
  for (const rule of DESTINATION_FAULTS) destination.faults.add({ bucket: 'dst', ...rule })

  const state = await writeJournals(dir, { destination: destination.endpoint, closed: `http://127.0.0.1:${closed}` })
  const local = Object.entries(rogues.ports).map(([name, port]) => [name, `127.0.0.1:${port}`])
  const hosts = Object.entries(platforms).flatMap(([name, { apihost, auth }]) => [
    [`${name}Host`, apihost],
    [`${name}Auth`, auth],
  ])
  return {
    source,
    destination,
    base: copyEnv(source, destination),
    words: {
      source: source.endpoint,
      destination: destination.endpoint,
      sourcePort: String(source.port),
      closed: `127.0.0.1:${closed}`,
      state,
      ...Object.fromEntries([...local, ...hosts]),
      ...files,
    },
    async close() {
      await Promise.all([source, destination, rogues, ...Object.values(platforms)].map(member => member.close()))
      await rm(dir, { recursive: true, force: true })
    },
  }
}

module.exports = { startWorld, ACCOUNTS }
