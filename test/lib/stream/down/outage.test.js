'use strict'

/** A download goes on when its store is back. */

const { download } = require('../../../../lib')
const { newStateHome } = require('../../../support/journals')
const { restartableStore } = require('../../../support/restartable')
const { bytesOf, createBuckets, openStore, put, sha256 } = require('../../../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(6 * MiB)

it('waits for a store that is away, without a byte twice or missing', async () => {
  const restartable = await restartableStore()
  const { endpoint, accessKeyId, secretAccessKey } = restartable.server()
  await createBuckets(restartable.server(), 'things')
  const things = openStore(restartable.server(), 'things')
  await put(things, 'large', BODY, { checksum: true })
  things.close()
  const source = { endpointUrl: endpoint, credentials: { accessKeyId, secretAccessKey } }
  const outages = []
  const stream = download('s3://things/large', {
    ...{ source, env: { HOME: newStateHome() }, chunk: '1MiB', concurrency: 1, retries: 0 },
    onEvent({ type, over }) {
      if (type !== 'outage') return
      outages.push(over)
      if (!over) return restartable.up()
    },
  })
  const pieces = []
  for await (const piece of stream) {
    if (pieces.length === 0) await restartable.down()
    pieces.push(piece)
  }
  expect(sha256(Buffer.concat(pieces))).toBe(sha256(BODY))
  expect(outages).toEqual([false, true])
  await restartable.close()
})
