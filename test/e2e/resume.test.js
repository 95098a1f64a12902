'use strict'

/** Copies that end early and are gone on with, so that nothing is copied again that was proved; and Ctrl-C. */

const { execFileSync } = require('node:child_process')
const { newFolder, startStore } = require('../support/opened')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { jobFiles, journalHolds } = require('../support/journals')
const { startXfer } = require('../support/run-xfer')
const { MiB, bytesOf, get, keysOf, put, uploadsOf } = require('../support/s3')

/**
 * Copies that end early and are gone on with: by the real program, against stores that say which parts were written, so that
 * nothing is copied again that was proved.
 */
const PARTS = 6
const BODY = bytesOf(PARTS * 5 * MiB)
const CHANGED = bytesOf(BODY.length).map(byte => byte ^ 1)

let server
let route
let state
let written

const journals = () => jobFiles(state).filter(name => name.endsWith('.journal'))

beforeAll(async () => {
  server = await startStore()
  route = await openRoute({ source: server })
  server.on('request', ({ operation, status, key, partNumber }) => {
    if (operation === 'UploadPart' && status === 200) written.push(`${key}#${partNumber}`)
  })
})
beforeEach(async () => {
  state = newFolder()
  written = []
  await put(route.from, 'big', BODY)
})
afterEach(() => server.faults.clear())

/** @param {string[]} args @param {Record<string, string>} [env] */
function start(args, env = {}) {
  const json = ['copy', 'resume'].includes(args[0]) ? ['--json'] : []
  return startXfer([...args, ...json], { env: { ...route.env, XDG_STATE_HOME: state, ...env } })
}

/** @param {string} key @param {string[]} flags */
const copyTo = (key, ...flags) => start(['copy', 's3://source/big', `s3://target/${key}`, '--chunk', '5', ...flags])

/** @param {{ ended: Promise<any> }} started @param {string} [stderr] what it says beside the events */
async function endOf({ ended }, stderr) {
  const run = await ended
  return expectEvents(run, { env: route.env, stderr })
}

/** Killed when three parts are there, and the next one is held back. @param {string} key @param {string[]} flags */
async function copySome(key, ...flags) {
  server.faults.add({ operation: 'UploadPart', partNumber: 4, stall: 1 * MiB })
  const held = eventOf(server, 'begin', event => event.operation === 'UploadPart' && event.partNumber === 4)
  const started = copyTo(key, '--concurrency', '1', ...flags)
  await held
  await journalHolds(state, 'part', 3)
  started.child.kill('SIGKILL')
  await started.ended
  server.faults.clear()
}

/** It is there, and neither an upload nor a journal. @param {string} key */
async function expectCopied(key, body = BODY) {
  expect([(await get(route.to, key)).equals(body), await uploadsOf(route.to, key)]).toEqual([true, []])
  expect(journals()).toEqual([])
}

test.each([
  ['SIGINT', { status: 130, signal: null }],
  ['SIGTERM', { status: 130, signal: null }],
  ['SIGHUP', { status: null, signal: 'SIGHUP' }],
])('%s lets what runs come home, and says how to go on', async (signal, end) => {
  server.faults.add({ operation: 'UploadPart', partNumber: 2, bytesPerSecond: 4 * MiB })
  const second = eventOf(server, 'begin', event => event.partNumber === 2)
  const started = copyTo('stopped', '--concurrency', '1')
  await second
  started.child.kill(signal)
  const run = await started.ended
  expect(run).toMatchObject(end)
  // A shell calls the end by SIGHUP 129; to the copy it is an interrupt as any other.
  const { last } = expectEvents(
    { ...run, status: 130 },
    {
      env: route.env,
      stderr: 'xfer: stopping; waiting up to 5 s for what is under way. Press Ctrl-C again to exit at once.\n',
    },
  )
  const [name] = journals()
  const job = name.replace('.journal', '')
  expect(last).toMatchObject({
    ...{ code: 'INTERRUPTED', exitCode: 130, job },
    hint: `What was copied is kept; go on with: xfer resume ${job}`,
  })
  expect(written).toEqual(['stopped#1', 'stopped#2'])
  server.faults.clear()
  expect((await endOf(start(['resume', job]))).last).toMatchObject({ type: 'done', resumedBytes: 10 * MiB })
  await expectCopied('stopped')
})

test('a second Ctrl-C leaves at once, whatever hangs', async () => {
  server.faults.add({ operation: 'UploadPart', stall: 1 * MiB })
  server.faults.add({ operation: 'AbortMultipartUpload', delayMs: 60_000 })
  const [atWork, aborting] = ['UploadPart', 'AbortMultipartUpload'].map(operation =>
    eventOf(server, 'begin', event => event.operation === operation),
  )
  const { child, ended } = copyTo('twice', '--on-failure', 'abort')
  await atWork
  child.kill('SIGINT')
  await aborting
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ status: 130, signal: null })
})

test('a source that was replaced ends a resume with 6, which names the command that copies it anew', async () => {
  await copySome('pinned', '--metadata-set', "it's=a 'b'", '--verify', 'full')
  await put(route.from, 'big', CHANGED)
  const job = journals()[0].replace('.journal', '')
  for (let times = 0; times < 2; times++) {
    const { status, last } = await endOf(start(['resume']))
    expect({ status, last }).toMatchObject({ status: 6, last: { code: 'SOURCE_CHANGED', job } })
    expect(last.hint).not.toMatch(/xfer resume/)
  }
  const { last } = await endOf(start(['resume', job]))
  const [, command] = / with: (xfer copy .*); or give the job up with: xfer abort \S+$/.exec(last.hint)
  expect(await keysOf(route.to, 'pinned')).toEqual([])
  // As a shell reads it.
  const shown = execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  const words = shown.split('\0').slice(1, -1)
  const again = await endOf(start(words))
  expect(again.last).toMatchObject({ type: 'done', resumedBytes: 0, parts: PARTS })
  expect(again.last.proof).toContain('read-back')
  await expectCopied('pinned', CHANGED)
})

test('a source that was replaced is copied anew by the same command', async () => {
  await copySome('anew')
  await put(route.from, 'big', CHANGED)
  const { last, events } = await endOf(copyTo('anew'))
  expect(last).toMatchObject({ type: 'done', resumedBytes: 0 })
  expect(events.filter(({ type }) => type === 'notice')).toHaveLength(1)
  await expectCopied('anew', CHANGED)
})
