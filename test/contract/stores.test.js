'use strict'

const { createBuckets, openStore } = require('../support/s3')
const { SERVERS } = require('../support/servers')
const { s3LeakContract } = require('./s3-leaks')
const { s3WireContract } = require('./s3-wire')
const { storeContract } = require('./store')

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
      open: (...how) => openStore(server, ...how),
      createBucket: bucket => createBuckets(server, bucket),
      strangers: () => strangersTo(server),
      traits: {
        ...{ conditions: true, partSizes: true, ...traits },
        ...(!traits.encodesLists && { unlistable: NOT_IN_XML }),
      },
      close: server.close,
    }
  }
  storeContract(`s3 on ${name}`, setUp, [s3WireContract, s3LeakContract])
}
