'use strict'

const { inspect } = require('node:util')
const { proxyOfRequest } = require('../../lib/http')
const { STORES, openStore, parsePlace, resolveSettings } = require('../../lib/stores')
const { openAzureStore } = require('../../lib/stores/azure/store')
const { startAzureStore } = require('../../sandbox/azure')
const { call } = require('../support/ends/azure-objects')
const { createBuckets, openStore: openS3Store } = require('../support/s3')
const { SERVERS, startAzurite, startRedis } = require('../support/servers')
const { startStore } = require('../../sandbox/store')
const { openGoogleStore } = require('../support/google')
const { storeContract } = require('./store')
const { s3LeakContract } = require('./store-leaks')
const { fileWorld } = require('./file-store')
const { redisWorld } = require('./redis-store')

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** Credentials of those whom a server does not let in. */
const strangersTo = ({ accessKeyId }) =>
  [
    { accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'not-a-secret' },
    { accessKeyId, secretAccessKey: 'wrong' },
  ].map(credentials => ({ settings: { credentials: async () => credentials }, secret: credentials.secretAccessKey }))

for (const { name, start, traits } of SERVERS) {
  const setUp = async () => {
    const server = await start()
    return {
      open: (...how) => openS3Store(server, ...how),
      createBucket: bucket => createBuckets(server, bucket),
      strangers: () => strangersTo(server),
      traits: { conditions: true, lacks: [], ...traits, ...(!traits.encodesLists && { unlistable: NOT_IN_XML }) },
      close: server.close,
    }
  }
  storeContract(`s3 on ${name}`, setUp, [s3LeakContract])
}

/** Any key is a plain name, and conditions are heeded. */
const HEEDING = { pathKeys: true, conditions: true, conditionalRemoval: true }

/** Google keeps no such header. */
const withoutExpires = ({ headers: { expires: _, ...headers }, user }) => ({ headers, user })

for (const completionHash of [true, false]) {
  storeContract(`gs, completions ${completionHash ? 'with' : 'without'} a checksum`, async () => {
    const server = await startStore({ mode: 'google', completionHash })
    return {
      open: (...how) => openGoogleStore(server, ...how),
      createBucket: server.createBucket,
      strangers: () => strangersTo(server),
      traits: { ...HEEDING, uploadConditions: false, keeps: withoutExpires, lacks: ['partSize', 'tags'] },
      close: server.close,
    }
  })
}

/** What the settings of every kind of store need at least. */
const ENV = {
  ...{ HOME: '/nowhere', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
  ...{ GS_ACCESS_KEY_ID: 'id', GS_SECRET_ACCESS_KEY: 'secret' },
  AZURE_STORAGE_KEY: Buffer.alloc(64).toString('base64'),
}

describe.each(STORES.map(factory => [factory.schemes[0], factory]))('the factory of %s', (_, factory) => {
  // Files and keys of Redis are reached through none.
  const overNetwork = factory.paths || (factory.single && !factory.sourceOnly) ? test.skip : test
  overNetwork('takes the proxy of a side, which every data request is noted with, and none contains', async () => {
    const proxy = 'http://me:hunter2@proxy.example:3128'
    const side = factory.sourceOnly ? 'source' : 'destination'
    const place = parsePlace(`${factory.schemes[0]}://container/key`, side)
    const settings = await resolveSettings(place, side, { proxy }, ENV)
    const store = openStore(place, settings)
    const attributes = { metadata: { headers: {}, user: {} } }
    const write = { key: 'key', bytes: 1, checksum: false }
    const part = { ...write, uploadId: 'id', partNumber: 1 }
    const writes = () => [store.put({ ...write, attributes }), store.upload.part(part)]
    const read = store.read({ key: 'key', etag: '"etag"' })
    const transfers = await Promise.all([read, ...(factory.sourceOnly ? [] : writes())])
    store.close()
    for (const { request } of transfers) expect(proxyOfRequest(request)).toBe(proxy)
    expect(inspect([settings, store, transfers], { depth: null, showHidden: true })).not.toContain('hunter2')
    // What a platform gets is JSON.
    expect(JSON.stringify(transfers)).not.toContain('hunter2')
  })
})

/** It has no `expires`, names of metadata are identifiers, and a tag has no @. */
const OF_AZURE = {
  ...HEEDING,
  lacks: ['partSize', 'serverCopy'],
  keeps(metadata) {
    const { headers, user } = withoutExpires(metadata)
    return { headers, user: Object.fromEntries(Object.entries(user).filter(([name]) => /^[a-z_]\w*$/.test(name))) }
  },
  tagSigns: 'a+b-c=d._:/e',
}

const OF_AZURITE = { silentPuts: true, ageless: true, denies: true, late: true, utf16: true, tame: true }

/** @type {Array<[name: string, start: (() => Promise<any>) | undefined, traits: object]>} */
const AZURE_SERVERS = [
  // What a URL's path means to Azure is no matter of requests: such keys are refused before (lib/stores/azure/index.js).
  ['the sandbox', () => startAzureStore({ resolvesPaths: false }), {}],
  ['Azurite', startAzurite, OF_AZURITE],
]

for (const [name, start, traits] of AZURE_SERVERS) {
  if (!start) continue
  storeContract(`az on ${name}`, async () => {
    const server = await start()
    const { account, endpoint } = server
    const access = { port: Number(new URL(endpoint).port), account, key: server.key }
    const keyed = key => ({ credentials: { kind: 'sharedKey', key: () => Buffer.from(key, 'base64') } })
    const settings = { side: 'destination', account, endpoint, endpointFrom: null, ...keyed(server.key), keep: {} }
    const another = Buffer.alloc(64, 'x').toString('base64')
    return {
      open: (container, more, now) => openAzureStore({ place: { container }, settings: { ...settings, ...more }, now }),
      async createBucket(container) {
        await call(access, { method: 'PUT', path: `/${container}`, query: { restype: 'container' } })
      },
      strangers: () => [{ settings: keyed(another), secret: another }],
      traits: { ...OF_AZURE, ...traits },
      close: server.close,
    }
  })
}

storeContract('file', fileWorld, [], { signedNever: true })

if (startRedis) storeContract('redis', redisWorld, [], { signedNever: true, listsNever: true })
