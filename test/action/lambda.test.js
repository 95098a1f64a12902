'use strict'

/** The action as a function of AWS Lambda: its deadline, and access rules that callers cannot change. */

const { closeConnections, handler } = require('../../actions/copy-range')
const { S3, closeStores, makeTask, partSink, rangeSource, rawStore, someBytes } = require('./stores')

afterEach(closeConnections)
afterEach(closeStores)
afterEach(() => {
  delete process.env.XFER_ACCESS
})

const minute = { getRemainingTimeInMillis: () => 60_000 }

/** An event that copies ten bytes, and what it reads from. */
async function someEvent(more = {}) {
  const [source, sink] = [await rangeSource(someBytes(10)), await partSink()]
  return { source, event: { ...S3, tasks: [makeTask(source, sink, { bytes: 10 })], ...more } }
}

describe('the handler', () => {
  test('carries out tasks as main does', async () => {
    const { event } = await someEvent()
    expect(await handler(event, minute)).toMatchObject({ version: S3.version, outcomes: [{ bytes: 10 }] })
  })

  test('starts no task close to the end that the context tells', async () => {
    const { event, source } = await someEvent()
    const { outcomes } = await handler(event, { getRemainingTimeInMillis: () => 1_500 })
    expect(outcomes).toMatchObject([{ error: { code: 'NOT_STARTED' } }])
    expect(source.connections).toBe(0)
  })

  test('cuts a task off before the end', async () => {
    const [silent, sink] = [await rawStore(() => {}), await partSink()]
    const event = { ...S3, tasks: [makeTask(silent, sink, { bytes: 10 })], stallMs: 60_000 }
    const { outcomes } = await handler(event, { getRemainingTimeInMillis: () => 2_200 })
    expect(outcomes).toMatchObject([{ error: { code: 'STALLED' } }])
  })

  test('has no end where the context tells none', async () => {
    const { event } = await someEvent()
    expect(await handler(event)).toMatchObject({ outcomes: [{ bytes: 10 }] })
  })

  test.each([[undefined], [null], ['text'], [[]]])('refuses the event %p in one sentence', async event => {
    expect(await handler(event, minute)).toEqual({ error: 'The parameters are no object.' })
  })
})

describe('the access rules of the environment', () => {
  test('hold, whatever the event says', async () => {
    process.env.XFER_ACCESS = '{"hosts":["example.com"],"metadata":false}'
    const { event, source } = await someEvent({ access: { hosts: ['*'], metadata: true } })
    const { outcomes } = await handler(event, minute)
    expect(outcomes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
    expect(source.connections).toBe(0)
  })

  test('hold for a probe too', async () => {
    process.env.XFER_ACCESS = '{"hosts":["example.com"]}'
    const { source } = await someEvent()
    const event = { version: S3.version, probe: [{ url: source.url }], access: { hosts: ['*'] } }
    expect((await handler(event, minute)).probes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
  })

  test('allow what they name', async () => {
    process.env.XFER_ACCESS = '{"hosts":["127.0.0.0/8"]}'
    const { event } = await someEvent({ access: { hosts: [] } })
    expect(await handler(event, minute)).toMatchObject({ outcomes: [{ bytes: 10 }] })
  })

  test('are the usual ones where there are none: an event cannot allow metadata addresses', async () => {
    const event = { version: S3.version, probe: [{ url: 'http://169.254.169.254/' }], access: { metadata: true } }
    expect((await handler(event, minute)).probes).toMatchObject([{ error: { code: 'ADDRESS_REFUSED' } }])
  })

  test.each([[''], ['*'], ['null'], ['"*"'], ['[]'], ['{"host":["*"]}'], ['{"hosts":"*"}'], ['{"hosts":["a b"]}']])(
    'that cannot be understood (%s) refuse everything',
    async text => {
      process.env.XFER_ACCESS = text
      const { event, source } = await someEvent({ access: { hosts: ['*'] } })
      expect(await handler(event, minute)).toEqual({ error: expect.stringMatching(/access/i) })
      expect(source.connections).toBe(0)
    },
  )
})
