'use strict'

/** The same as redaction.test.js for Azure and Google: no secret is in what is printed, kept, or given to a platform. */

const { existsSync, mkdtempSync } = require('node:fs')
const { join } = require('node:path')
const { call, putRequest } = require('../sandbox/azure/support')
const { keep, newFolder, startAzureStore, startDeployed, startStore } = require('../support/opened')
const { PRINCIPAL, loggedIn } = require('../support/azure-cli')
const { containerSas } = require('../support/azure-sas')
const { openGoogleStore } = require('../support/google')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { MiB, bytesOf } = require('../support/s3')
const gs = require('../support/stores')
const { filesOf, formsOf } = require('./redaction/secrets')
const { echoStore, startListener } = require('./redaction/world')

let platform
beforeAll(async () => {
  platform = await startDeployed()
})

/** What is to become of a copy, and its exit status, by the key that is written. */
const OUTCOMES = [
  ['that succeeds', 'copy', 0],
  ['that fails in a part', 'failing', 1],
  ['that is not completed', 'incomplete', 4],
]

/**
 * Runs the program, and searches what it prints, writes down, or gives to a platform's records.
 *
 * @param {{ listener: any, secrets: string[], telltale: RegExp }} how telltale: what no output may hold, whoever's it is
 */
function openSearch({ listener, secrets, telltale }) {
  /** @type {string[]} */
  const records = []
  const dir = newFolder()
  platform.activations.on('activation', activation => records.push(JSON.stringify(activation)))
  platform.activations.on('output', text => records.push(text))

  /** @param {string} text */
  function expectNoLeak(text) {
    const forms = [...secrets, ...listener.signatures].flatMap(formsOf)
    expect([forms.filter(form => text.includes(form)), telltale.exec(text)?.[0]]).toEqual([[], undefined])
  }

  return {
    records,
    dir,
    forget: () => void records.splice(0),
    /** @param {string[]} args @param {Record<string, string>} env */
    async run(args, env) {
      const state = mkdtempSync(join(dir, 'state-'))
      const surroundings = { XDG_STATE_HOME: state, APIHOST: platform.apihost, AUTH: platform.auth, ...env }
      const ended = await startXfer(args, { env: surroundings }).ended
      for (const text of [ended.stdout, ended.stderr, records.join('\n')]) expectNoLeak(text)
      if (existsSync(state)) expectNoLeak(filesOf(state))
      return { ...ended, events: args.includes('--json') ? eventsOf(ended) : [] }
    },
  }
}

/**
 * The same as redaction.test.js for Azure: whatever becomes of a copy, no account key, SAS, client secret, token, connection
 * string or signature is in what it prints, writes down, or gives to a platform's records. And who gets what: a function
 * has a signature for one request, and never gets a SAS of the user.
 */
describe('of Azure', () => {
  const APP = { ...PRINCIPAL, clientSecret: 'xCl1ent~SECRET-of-the.application0123456' }
  /** What is secret of a request: the signature of a key or of a SAS, and a token. */
  const SIGNED = /(?:SharedKey \w+:|[?&]sig=|Bearer )([^\s&]{20,})/g
  /** What no output may hold, whoever's it is. */
  const TELLTALE = /[?&]sig=[^…]|SharedKey \w+:|Bearer \S|AccountKey=[^…]|SharedAccessSignature=[^…]/

  let azure
  let listener
  let echo
  let sas
  /** @type {ReturnType<typeof openSearch>} */
  let search
  /** The operations that the store was asked for, by who asked. @type {Array<{ operation: string, identity: string }>} */
  let requests = []

  beforeAll(async () => {
    ;[azure, echo] = await Promise.all([
      startAzureStore({
        containers: ['con'],
        principals: [APP],
        faults: [
          { key: 'failing', operation: 'PutBlock', status: 500 },
          { key: 'incomplete', operation: 'PutBlockList', status: 403, code: 'AuthenticationFailed' },
        ],
      }),
      keep(echoStore(403, 'AuthenticationFailed')),
    ])
    listener = await keep(startListener(Number(new URL(azure.endpoint).port), SIGNED))
    azure.on('request', request => requests.push(request))
    sas = containerSas(azure, 'con', { permissions: 'racwdlt', untilMs: Date.now() + 3_600_000 })
    const secrets = [azure.key, APP.clientSecret, String(new URLSearchParams(sas).get('sig'))]
    search = openSearch({ listener, secrets, telltale: TELLTALE })
    expect((await call(azure, putRequest('/con/object', bytesOf(6 * MiB)))).status).toBe(201)
  })
  beforeEach(() => {
    requests = []
    search.forget()
  })

  /** By kind of credentials: what sets them. */
  const KINDS = {
    key: () => ({ AZURE_STORAGE_KEY: azure.key }),
    connection: () => ({
      AZURE_STORAGE_CONNECTION_STRING: `BlobEndpoint=${listener.endpoint}/${azure.account};AccountName=${azure.account};AccountKey=${azure.key}`,
    }),
    SAS: () => ({ AZURE_STORAGE_SAS_TOKEN: sas }),
    // The Azure CLI is run in the user's folder.
    token: () => {
      const path = loggedIn(new URL(azure.endpoint).origin, APP, search.dir)
      return { HOME: search.dir, PATH: `${path}:${process.env.PATH}` }
    },
  }

  /** @param {string[]} args @param {Record<string, string>} env */
  function run(args, env) {
    const at = `${listener.endpoint}/${azure.account}`
    return search.run(args, { XFER_SOURCE_ENDPOINT_URL: at, XFER_DEST_ENDPOINT_URL: at, ...env })
  }

  const place = key => `az://${azure.account}/con/${key}`
  const copyArgs = (key, ...flags) => [
    ...`copy ${place('object')} ${place(key)} --chunk 2 --retries 1 --debug --json`.split(' '),
    ...flags,
  ]
  const identities = of => [
    ...new Set(requests.flatMap(({ operation, identity }) => (operation === of ? [identity] : []))),
  ]

  describe.each(Object.keys(KINDS))('with a %s', kind => {
    test.each(OUTCOMES)('a copy %s tells none', async (_, key, status) => {
      expect(await run(copyArgs(key), KINDS[kind]())).toMatchObject({ status })
    })

    test('an answer that quotes the request is not repeated', async () => {
      const at = `${echo.endpoint}/${azure.account}`
      const quoting = { ...KINDS[kind](), XFER_SOURCE_ENDPOINT_URL: at, XFER_DEST_ENDPOINT_URL: at }
      for (const args of [copyArgs('new'), ['doctor', place('object'), place('new'), '--debug', '--json']]) {
        expect((await run(args, quoting)).status).toBeGreaterThan(0)
      }
    })
  })

  describe('functions', () => {
    test('get a SAS bound to one request with a token, and never the token', async () => {
      expect((await run(copyArgs('by-token', '--engine', 'openwhisk'), KINDS.token())).status).toBe(0)
      expect(['PutBlock', 'GetBlob', 'PutBlockList'].map(identities)).toEqual([['sas'], ['sas'], ['token']])
    })

    test('do not get the SAS of the user: this machine copies, and the plan says why', async () => {
      const { status, events } = await run(copyArgs('by-sas'), KINDS.SAS())
      expect([status, search.records]).toEqual([0, []])
      expect(events.find(({ type }) => type === 'plan')).toMatchObject({
        engine: 'local',
        why: expect.stringMatching(/no function may have the SAS of the source/),
      })
    })
  })
})

/**
 * The same as redaction.test.js for Google: whatever becomes of a copy, neither the secret of the HMAC key, nor its access id, nor a
 * signature is in what xfer prints, writes down, or gives to a platform's records.
 */
describe('of Google', () => {
  const KEY = { accessKeyId: 'GOOG1EXACCESS7ID', secretAccessKey: 'xK3y/SECRET+of=google/0123456789abcdefgh' }
  const OTHER = { accessKeyId: 'GOOG1EXNOBODYS8ID', secretAccessKey: 'xWr0ng/SECRET+of=nobody/0123456789abcdef' }
  /** The signature of a request in its header. */
  const SIGNATURE = /Signature=([0-9a-f]{64})/g
  /** What no output may hold, whoever's it is. */
  const TELLTALE = /GOOG4-HMAC-SHA256|(?<!_)Signature=|goog4_request|x-goog-signature[^\w…]{1,8}\w/i

  let google
  let echo
  let listener
  /** @type {ReturnType<typeof openSearch>} */
  let search

  beforeAll(async () => {
    ;[google, echo] = await Promise.all([
      startStore({
        mode: 'google',
        accounts: [KEY],
        buckets: ['bucket'],
        faults: [
          { key: 'failing', operation: 'UploadPart', partNumber: 2, status: 500 },
          { key: 'incomplete', operation: 'CompleteMultipartUpload', status: 403, code: 'AccessDenied' },
        ],
      }),
      keep(echoStore(403, 'SignatureDoesNotMatch')),
    ])
    listener = await keep(startListener(google.port, SIGNATURE))
    const secrets = [KEY, OTHER].flatMap(key => Object.values(key))
    search = openSearch({ listener, secrets, telltale: TELLTALE })
    const store = keep(openGoogleStore(google, 'bucket'))
    await gs.put(store, 'object', bytesOf(11 * MiB))
  })
  beforeEach(() => search.forget())

  /** @param {string[]} args */
  function run(args, endpoint = listener.endpoint) {
    return search.run(args, {
      ...{ GS_ACCESS_KEY_ID: KEY.accessKeyId, GS_SECRET_ACCESS_KEY: KEY.secretAccessKey },
      ...{ XFER_SOURCE_GS_ENDPOINT_URL: endpoint, XFER_DEST_GS_ENDPOINT_URL: endpoint },
    })
  }

  const copyArgs = (key, ...flags) => [
    ...`copy gs://bucket/object gs://bucket/${key} --chunk 5 --retries 1 --debug --json`.split(' '),
    ...flags,
  ]

  test.each(OUTCOMES)('a copy by functions %s tells none', async (_, key, status) => {
    expect(await run(copyArgs(key, '--engine', 'openwhisk'))).toMatchObject({ status })
    expect(listener.signatures.size).toBeGreaterThan(0)
    expect(search.records.length).toBeGreaterThan(0)
  })

  test('an answer that quotes the request is not repeated', async () => {
    for (const words of ['doctor gs://bucket/object gs://bucket/x', 'clean gs://bucket/'])
      expect((await run([...words.split(' '), '--debug', '--json'], echo.endpoint)).status).toBeGreaterThan(0)
    expect((await run(copyArgs('x'), echo.endpoint)).status).toBeGreaterThan(0)
  })
})
