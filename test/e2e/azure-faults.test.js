'use strict'

/** Each fault that the sandbox's Azure store knows, met by a copy to it or from it: the copy is right, or says what happened. */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startAzureStore } = require('../../sandbox/azure')

const { KINDS, openEnd, startKinds } = require('../support/ends')
const { azureServer } = require('../support/ends/azure')
const { bareEnv, eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, sha256: sha256Of } = require('../support/stores')

const MiB = 1024 ** 2
const KiB = 1024
const BODY = bytesOf(10 * MiB + 1)
const LONGEST_MS = 120_000
const WRITES = ['PutBlock', 'PutBlockList']
const SHORT = { XFER_SILENCE_MS: '1000' }

/**
 * Met once, by the first request of these operations. `stops`: the code with which the copy may end instead of being right.
 *
 * @type {Array<{ it: string, rule: Record<string, unknown>, of: string[], from?: boolean, flags?: string[], short?: object, stops?: string[] }>}
 */
const ROWS = [
  { it: '500', rule: { status: 500 }, of: WRITES },
  { it: '500, when its work is done', rule: { status: 500, afterWork: true }, of: WRITES },
  { it: '503', rule: { status: 503, code: 'ServerBusy', retryAfter: 1 }, of: [...WRITES, 'GetBlockList'] },
  {
    it: '403',
    rule: { status: 403, code: 'AuthorizationFailure' },
    of: ['PutBlockList'],
    stops: ['ACCESS_DENIED', 'UPLOAD_LEFT'],
  },
  {
    it: '400 InvalidBlockList',
    rule: { status: 400, code: 'InvalidBlockList' },
    of: ['PutBlockList'],
    stops: ['UPLOAD_GONE'],
  },
  { it: 'a pause before the work', rule: { delayMs: 400 }, of: WRITES },
  { it: 'a pause before the answer', rule: { answerDelayMs: 400 }, of: WRITES },
  { it: 'few bytes a second, for all together', rule: { bytesPerSecond: 16 * MiB, shared: true }, of: ['PutBlock'] },
  { it: 'a write is cut', rule: { cutAfterBytes: 300 * KiB }, of: ['PutBlock'] },
  { it: 'a read is cut', rule: { cutAfterBytes: 300 * KiB, on: 'response' }, of: ['GetBlob'], from: true },
  { it: 'a byte is another one when it arrives', rule: { flipByteAt: 300 * KiB }, of: ['PutBlock'] },
  {
    it: 'a byte rots on the disk, and is read back',
    rule: { flipByteAt: 300 * KiB, on: 'stored' },
    of: ['PutBlock'],
    flags: ['--verify', 'full'],
  },
  {
    it: 'a byte is another one when it is read',
    rule: { flipByteAt: 300 * KiB, on: 'response' },
    of: ['GetBlob'],
    from: true,
    flags: ['--verify', 'full'],
  },
  { it: 'a write stops in its middle', rule: { stall: 300 * KiB }, of: ['PutBlock'], short: SHORT },
  {
    it: 'a read stops in its middle',
    rule: { stall: 300 * KiB, on: 'response' },
    of: ['GetBlob'],
    from: true,
    short: SHORT,
  },
  {
    it: 'it tells another ETag',
    rule: { etag: '"0x0123456789ABCDE"' },
    of: ['GetBlob'],
    from: true,
    stops: ['SOURCE_CHANGED'],
  },
  { it: 'a range is answered with everything', rule: { ignoreRange: true }, of: ['GetBlob'], from: true },
  { it: 'a range is said to be another one', rule: { wrongContentRange: true }, of: ['GetBlob'], from: true },
  { it: 'conditions are ignored', rule: { ignoreIfMatch: true }, of: ['GetBlob'], from: true },
  { it: 'the work is done, and its answer lost', rule: { loseAnswer: true }, of: WRITES },
  { it: 'half of a document', rule: { truncateXml: true }, of: ['GetBlockList'], stops: ['BAD_ANSWER'] },
  {
    it: 'a document without end',
    rule: { endless: true },
    of: ['GetBlockList'],
    stops: ['BAD_ANSWER', 'STORE_UNREACHABLE'],
  },
  { it: 'a wrong CRC-64 in the answer', rule: { crc: 'wrong' }, of: ['PutBlock'] },
  { it: 'no CRC-64 in the answer', rule: { crc: 'none' }, of: ['PutBlock'] },
  { it: 'the work is done twice', rule: { twice: true }, of: ['PutBlockList'] },
]
const CASES = ROWS.flatMap(row => row.of.map(operation => [row.it, operation, row]))

describe('a copy that meets once', () => {
  let servers
  let azure
  let ends
  let state
  let count = 0
  beforeAll(async () => {
    azure = await startAzureStore()
    servers = [...(await startKinds([KINDS[0]])), { ...azureServer(azure), name: 'sandbox-azure' }]
  }, LONGEST_MS)
  afterAll(() => Promise.all(servers.map(server => server.stop())))
  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'xfer-azure-faults-'))
  })
  afterEach(async () => {
    azure.faults.clear()
    for (const end of ends) await end.close()
    await rm(state, { recursive: true, force: true })
  })

  test.each(CASES)(
    '%s, of %s',
    async (_, operation, { rule, from = false, flags = [], short = {}, stops = [] }) => {
      const order = from ? [1, 0] : [0, 1]
      ends = await Promise.all(order.map((at, i) => openEnd(servers[at], `${i === 0 ? 'from' : 'to'}-${++count}`)))
      const [source, destination] = ends
      await source.write('object', { bytes: BODY })
      const bucket = ends[order.indexOf(1)].container
      const fault = azure.faults.add({ bucket, operation, first: 1, ...rule })
      const places = [source.text('object'), destination.text('copy')]
      const ended = await startXfer(['copy', ...places, '--json', '--engine', 'local', '--chunk', '5', ...flags], {
        env: { ...bareEnv, XDG_STATE_HOME: state, ...source.env('SOURCE'), ...destination.env('DEST'), ...short },
      }).ended
      const last = eventsOf(ended).at(-1)
      expect(fault.hits).toBeGreaterThan(0)
      expect(ended.stderr).toBe('')
      const copy = await destination.read('copy')
      if (ended.status === 0) {
        expect(sha256Of(copy.bytes)).toBe(sha256Of(BODY))
      } else {
        expect({ code: last.code, message: last.message, copy }).toEqual({
          code: expect.stringMatching(new RegExp(`^(${stops.join('|') || 'none'})$`)),
          message: expect.any(String),
          copy: undefined,
        })
      }
    },
    LONGEST_MS,
  )
})
