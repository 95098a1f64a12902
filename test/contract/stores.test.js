'use strict'

const { createBuckets, openStore } = require('../support/s3')
const { SERVERS } = require('../support/servers')
const { storeContract } = require('./store')

for (const { name, start, traits } of SERVERS) {
  storeContract(`s3 on ${name}`, async () => {
    const server = await start()
    return {
      open: (...how) => openStore(server, ...how),
      createBucket: bucket => createBuckets(server, bucket),
      traits,
      close: server.close,
    }
  })
}
