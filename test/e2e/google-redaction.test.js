'use strict'

/**
 * The same as redaction.test.js for Google: whatever becomes of a copy, neither the secret of the HMAC key, nor its access id, nor a
 * signature is in what xfer prints, writes down, or gives to a platform's records.
 */

const { existsSync, mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { openGoogleStore } = require('../support/google')
const { startDeployed } = require('../support/platform')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, put } = require('../support/stores')
const { filesOf } = require('./redaction/secrets')
const { echoStore, startListener } = require('./redaction/world')

const MiB = 1024 ** 2
const LONGEST_MS = 60_000
const KEY = { accessKeyId: 'GOOG1EXACCESS7ID', secretAccessKey: 'xK3y/SECRET+of=google/0123456789abcdefgh' }
const OTHER = { accessKeyId: 'GOOG1EXNOBODYS8ID', secretAccessKey: 'xWr0ng/SECRET+of=nobody/0123456789abcdef' }
/** The signature of a request in its header. */
const SIGNATURE = /Signature=([0-9a-f]{64})/g
/** What no output may hold, whoever's it is. */
const TELLTALE = /GOOG4-HMAC-SHA256|(?<!_)Signature=|goog4_request|x-goog-signature[^\w…]{1,8}\w/i

let google
let echo
let listener
let platform
let dir
/** @type {string[]} */
let records = []

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'xfer-google-redaction-'))
  ;[google, echo, platform] = await Promise.all([
    startStore({
      mode: 'google',
      accounts: [KEY],
      buckets: ['bucket'],
      faults: [
        { key: 'refused', operation: 'UploadPart', partNumber: 2, status: 403, code: 'AccessDenied' },
        { key: 'failing', operation: 'UploadPart', partNumber: 2, status: 500 },
        { key: 'incomplete', operation: 'CompleteMultipartUpload', status: 403, code: 'AccessDenied' },
      ],
    }),
    echoStore(403, 'SignatureDoesNotMatch'),
    startDeployed(),
  ])
  listener = await startListener(google.port, SIGNATURE)
  platform.activations.on('activation', activation => records.push(JSON.stringify(activation)))
  platform.activations.on('output', text => records.push(text))
  const store = openGoogleStore(google, 'bucket')
  await put(store, 'object', bytesOf(11 * MiB))
  store.close()
}, LONGEST_MS)
beforeEach(() => {
  records = []
})
afterAll(async () => {
  await Promise.all([google, echo, platform].map(one => one?.close()))
  await listener?.close()
  rmSync(dir, { recursive: true, force: true })
})

/** @param {string} text */
function expectNoLeak(text) {
  const secrets = [...[KEY, OTHER].flatMap(key => Object.values(key)), ...listener.signatures]
  const forms = secrets.flatMap(secret => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
  expect(forms.filter(form => text.includes(form))).toEqual([])
  expect(TELLTALE.exec(text)?.[0]).toBe(undefined)
}

/**
 * @param {string[]} args
 * @param {{ key?: typeof KEY, endpoint?: string }} [how]
 */
async function run(args, { key = KEY, endpoint = listener.endpoint } = {}) {
  const state = mkdtempSync(join(dir, 'state-'))
  const env = {
    ...{ XDG_STATE_HOME: state, APIHOST: platform.apihost, AUTH: platform.auth },
    ...{ GS_ACCESS_KEY_ID: key.accessKeyId, GS_SECRET_ACCESS_KEY: key.secretAccessKey },
    ...{ XFER_SOURCE_GS_ENDPOINT_URL: endpoint, XFER_DEST_GS_ENDPOINT_URL: endpoint },
  }
  const { status, stdout, stderr } = await startXfer(args, { env }).ended
  for (const text of [stdout, stderr, records.join('\n')]) expectNoLeak(text)
  if (existsSync(state)) expectNoLeak(filesOf(state))
  return { status, stderr }
}

const copyArgs = (key, ...flags) => [
  ...['copy', 'gs://bucket/object', `gs://bucket/${key}`, '--chunk', '5', '--retries', '1', '--debug'],
  ...flags,
]

test('the search finds what is there', () => {
  for (const text of [KEY.accessKeyId, KEY.secretAccessKey, encodeURIComponent(OTHER.secretAccessKey)]) {
    expect(() => expectNoLeak(`before ${text} after`)).toThrow()
  }
  expect(() => expectNoLeak('Authorization: GOOG4-HMAC-SHA256 …')).toThrow()
})

describe.each([
  ['local', []],
  ['openwhisk', ['--json']],
])('with the engine %s', (engine, flags) => {
  test.each([
    ['that succeeds', 'copy', 0],
    ['that is refused a part', 'refused', 4],
    ['that fails in a part', 'failing', 1],
    ['that is not completed', 'incomplete', 4],
  ])(
    'a copy %s tells none',
    async (_, key, status) => {
      const result = await run(copyArgs(key, '--engine', engine, ...flags))
      expect({ status: result.status, stderr: result.stderr }).toEqual({ status, stderr: result.stderr })
      expect(listener.signatures.size).toBeGreaterThan(0)
      if (engine === 'openwhisk') expect(records.length).toBeGreaterThan(0)
    },
    LONGEST_MS,
  )
})

test(
  'a wrong key is told without it',
  async () => {
    for (const key of [
      OTHER,
      { ...KEY, secretAccessKey: OTHER.secretAccessKey },
      { ...KEY, secretAccessKey: `${KEY.secretAccessKey}\n` },
      { ...KEY, accessKeyId: `${KEY.accessKeyId}\n` },
    ]) {
      expect((await run(copyArgs('x', '--json'), { key })).status).toBe(4)
    }
  },
  LONGEST_MS,
)

test(
  'an answer that quotes the request is not repeated',
  async () => {
    for (const args of [
      copyArgs('x'),
      ['doctor', 'gs://bucket/object', 'gs://bucket/x', '--debug', '--json'],
      ['clean', 'gs://bucket/', '--debug', '--json'],
    ]) {
      expect((await run(args, { endpoint: echo.endpoint })).status).toBeGreaterThan(0)
    }
  },
  LONGEST_MS,
)
