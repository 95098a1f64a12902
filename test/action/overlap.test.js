'use strict'

const { once } = require('node:events')
const { closeConnections, main } = require('../../actions/copy-range')
const { S3, closeStores, httpStore, makeTask, rangeSource, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)

/** A destination whose answers wait until they are let go. */
async function slowSink() {
  /** @type {Array<() => void>} */
  const answers = []
  const store = await httpStore((request, response) => {
    request.resume().on('end', () => {
      answers.push(() => response.writeHead(200, { etag: '"part-etag"' }).end())
      store.server.emit('whole')
    })
  })
  return Object.assign(store, { answers })
}

describe('tasks of one invocation', () => {
  test('are read while the one before is being acknowledged, and no further ahead', async () => {
    const data = someBytes(1000)
    const [source, sink] = [await rangeSource(data), await slowSink()]
    const tasks = [1, 2, 3].map(partNumber => makeTask(source, sink, { bytes: 1000, partNumber }))
    const running = main({ ...S3, tasks })
    // Two are written and not acknowledged: the third is not even read.
    while (sink.answers.length < 2) await once(sink.server, 'whole')
    expect(source.requests).toHaveLength(2)
    sink.answers[0]()
    while (sink.answers.length < 3) await once(sink.server, 'whole')
    sink.answers[1]()
    sink.answers[2]()
    const { outcomes } = await running
    expect(outcomes).toMatchObject([{ partNumber: 1 }, { partNumber: 2 }, { partNumber: 3 }])
    expect(outcomes.every(outcome => outcome.etag === '"part-etag"')).toBe(true)
    expect(source.connections).toBe(1)
  })
})
