'use strict'

/** The contract of stores, held by `az://` on the sandbox's server, and on Azurite where its program is found. */

const { openAzureStore } = require('../../lib/stores/azure/store')
const { startAzureStore } = require('../../sandbox/azure')
const { call } = require('../support/ends/azure-objects')
const { startAzurite } = require('../support/azure-servers')
const { storeContract } = require('./store')

/** It has no `expires`, names of metadata are identifiers, and a tag has no @. */
const TRAITS = {
  conditions: true,
  conditionalRemoval: true,
  lacks: ['partSize', 'serverCopy'],
  keeps: ({ headers: { expires: _, ...headers }, user }) => ({
    headers,
    user: Object.fromEntries(Object.entries(user).filter(([name]) => /^[a-z_]\w*$/.test(name))),
  }),
  tagSigns: 'a+b-c=d._:/e',
}

const AZURITE = { silentPuts: true, ageless: true, denies: true, late: true, utf16: true, tame: true }

/** @type {Array<[name: string, start: (() => Promise<any>) | undefined, traits: object]>} */
const SERVERS = [
  // What a URL's path means to Azure is no matter of requests: such keys are refused before (place.js).
  ['the sandbox', () => startAzureStore({ resolvesPaths: false }), { pathKeys: true }],
  ['Azurite', startAzurite, { pathKeys: true, ...AZURITE }],
]

for (const [name, start, traits] of SERVERS) {
  if (!start) continue
  storeContract(`az on ${name}`, async () => {
    const server = await start()
    const { account, endpoint } = server
    const access = { port: Number(new URL(endpoint).port), account, key: server.key }
    const keyed = key => ({ credentials: { kind: 'sharedKey', key: () => Buffer.from(key, 'base64') } })
    const another = Buffer.alloc(64, 'x').toString('base64')
    return {
      open: (container, more, now) =>
        openAzureStore({
          place: { container },
          settings: {
            side: 'destination',
            account,
            endpoint,
            endpointFrom: null,
            ...keyed(server.key),
            keep: {},
            ...more,
          },
          now,
        }),
      async createBucket(container) {
        await call(access, { method: 'PUT', path: `/${container}`, query: { restype: 'container' } })
      },
      strangers: () => [{ settings: keyed(another), secret: another }],
      traits: { ...TRAITS, ...traits },
      close: server.close,
    }
  })
}
