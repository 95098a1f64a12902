'use strict'

const { once } = require('node:events')
const net = require('node:net')
const { Readable } = require('node:stream')
const { text } = require('node:stream/consumers')
const xfer = require('../../../lib')

const { copy, jobs, resume } = xfer
const { bareEnv, copyEnv, sideOptions } = require('../../support/run-xfer')
const { listen } = require('../../support/listen')
const { newStateHome } = require('../../support/journals')
const { openStore, startStore } = require('../../support/opened')
const { MiB, bytesOf, get, keysOf, put } = require('../../support/s3')

describe('the reason of an abort', () => {
  /** What a signal was aborted with is the cause of the error, and the same object. */

  let server
  let env
  beforeEach(async () => {
    server = net.createServer(socket => socket.resume())
    const { url: endpoint } = await listen(server)
    const store = { endpoint, accessKeyId: 'id', secretAccessKey: 'key', region: 'us-east-1' }
    env = { ...bareEnv, ...copyEnv(store, store, { apihost: endpoint, auth: 'id:key' }) }
  })

  const [A, B] = ['s3://source/x', 's3://target/x']

  /** What a program may abort with. */
  class OwnReason {
    why = 'the user went away'
  }

  const CALLS = {
    copy: options => xfer.copy(A, B, { ...options, engine: 'local' }),
    upload: options => xfer.upload(Readable.from([Buffer.from('a')]), B, options),
    download: options => text(xfer.download(A, options)),
    head: options => xfer.head(A, options),
    deploy: options => xfer.deploy({ ...options, engine: 'openwhisk' }),
  }

  const REASONS = [new OwnReason(), new DOMException('late', 'TimeoutError'), Object.assign(new Error('x'), { a: 1 })]

  test.each(Object.keys(CALLS))('of %s, aborted before it began', async name => {
    for (const reason of REASONS) {
      const error = await CALLS[name]({ env, signal: AbortSignal.abort(reason) }).catch(error => error)
      expect(error).toMatchObject({ code: 'INTERRUPTED' })
      expect(error.cause).toBe(reason)
    }
  })

  test.each(['head', 'deploy'])(
    'of %s, aborted while its peer keeps silent',
    async name => {
      const [reason] = REASONS
      const controller = new AbortController()
      const ended = CALLS[name]({ env, signal: controller.signal }).catch(error => error)
      const [socket] = await once(server, 'connection')
      await once(socket, 'data')
      controller.abort(reason)
      const error = await ended
      expect(error).toMatchObject({ code: 'INTERRUPTED' })
      expect(error.cause).toBe(reason)
    },
    30_000,
  )
})

describe('functions of the caller', () => {
  /** Functions of the caller (onEvent, onCheck, onUpload) that fail: the call stops, keeps what is copied, and says so. */

  const BODY = bytesOf(16 * MiB + 1)

  class Mine extends Error {}

  let to
  let sides
  let env
  beforeAll(async () => {
    const origin = await startStore({ buckets: ['source'] })
    const server = await startStore({ buckets: ['target'] })
    sides = { source: sideOptions(origin), destination: sideOptions(server) }
    to = openStore(server, 'target')
    await put(openStore(origin, 'source'), 'large', BODY)
  })
  beforeEach(() => {
    env = { HOME: newStateHome(), XDG_STATE_HOME: newStateHome() }
  })
  /** @param {string} target @param {object} more */
  const copyTo = (target, more) =>
    copy('s3://source/large', `s3://target/${target}`, { ...sides, engine: 'local', env, ...more })

  function fail(now) {
    if (now) throw new Mine('my database is away.')
  }
  const expectMine = error => {
    expect(error).toMatchObject({ code: 'HANDLER_FAILED', exitCode: 1 })
    expect(error.cause).toBeInstanceOf(Mine)
    expect(error.message).toContain('my database is away.')
  }

  describe.each([
    ['throws', fits => event => fail(fits(event))],
    ['rejects', fits => async event => fail(fits(event))],
  ])('an onEvent that %s', (way, handler) => {
    it('in the middle of a copy stops it, is called no more, and keeps what is copied', async () => {
      const seen = []
      const failing = handler(({ type }) => type === 'part')
      const onEvent = event => {
        seen.push(event.type)
        return failing(event)
      }
      const target = `middle ${way}`
      const error = await copyTo(target, { onEvent, chunk: 5, concurrency: 1 }).catch(thrown => thrown)
      expectMine(error)
      expect(error.hint).toContain('xfer resume')
      expect([seen.filter(type => type === 'error'), await keysOf(to, target)]).toEqual([[], []])
      expect(await jobs({ env })).toMatchObject([{ id: error.facts.job, ended: { code: 'HANDLER_FAILED' } }])
      expect((await resume(error.facts.job, { ...sides, env })).resumedBytes).toBeGreaterThan(0)
      expect((await get(to, target)).equals(BODY)).toBe(true)
    })

    it('at the end says that everything else is done', async () => {
      const onEvent = handler(({ type }) => type === 'done')
      const target = `end ${way}`
      const error = await copyTo(target, { onEvent }).catch(thrown => thrown)
      expectMine(error)
      expect(error).toMatchObject({ facts: { done: true }, hint: expect.stringContaining('everything else is done') })
      expect([(await get(to, target)).equals(BODY), await jobs({ env })]).toEqual([true, []])
    })
  })
})

describe('arguments', () => {
  /** What the library's functions are called with by mistake: each says what is wrong, and asks nothing. */

  const FROM = 's3://bucket-a/key'
  const TO = 's3://bucket-b/key'
  const env = { HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' }

  /** Each function, called with options alone. */
  const CALLS = {
    copy: options => xfer.copy(FROM, TO, options),
    resume: options => xfer.resume('20260101T000000Z-aaaaaa', options),
    jobs: options => xfer.jobs(options),
    clean: options => xfer.clean(TO, options),
    deploy: options => xfer.deploy(options),
    doctor: options => xfer.doctor(FROM, TO, options),
  }
  const HANDLER = { copy: 'onEvent', resume: 'onEvent', clean: 'onUpload', doctor: 'onCheck' }

  /** @param {Promise<unknown>} call @param {string} message @param {RegExp} [hint] */
  async function expectUsage(call, message, hint = /./) {
    const error = { name: 'XferError', code: 'USAGE', exitCode: 2, message, hint: expect.stringMatching(hint) }
    await expect(call).rejects.toMatchObject(error)
  }

  test.each(Object.keys(CALLS))('%s refuses options that are no object', async name => {
    await expectUsage(CALLS[name](null), `${name}: the options are null, not an object.`)
  })

  test.each(Object.entries(HANDLER))('%s refuses a side, a signal and %s of another kind', async (name, handler) => {
    const refused = (options, message, hint) =>
      expectUsage(CALLS[name]({ env, ...options }), `${name}: the option ${message}.`, hint)
    await refused({ destination: 's3' }, 'destination is a string, not an object')
    const signal = new AbortController()
    const hint = /^Give its signal: controller\.signal\.$/
    await refused({ signal }, 'signal is an AbortController object, not an AbortSignal', hint)
    await refused({ [handler]: 'console.log' }, `${handler} is a string, not a function`)
  })

  test('what is wrong in a call is an event, too, if it can be', async () => {
    const events = []
    await xfer.copy(undefined, TO, { env, onEvent: event => events.push(event) }).catch(() => {})
    expect(events).toMatchObject([{ type: 'error', code: 'USAGE', message: 'copy: the source is missing.' }])
  })
})
