'use strict'

const { createTextReporter, createReporter } = require('../../cli/reporters')
const { plan, progress, done, error, retry, sink, setUp, PLAN_TEXT, DONE_TEXT, ERROR_TEXT } = require('./events')

const dry = { recursive: 'sync', dryRun: true }
const last = done({ ...dry, objects: { chosen: 250, skipped: 0, filtered: 0, deleted: 101 }, bytes: 250 })
const SUM = 'Would copy 250 objects with 250 B from s3://src/big to s3://dest/big, delete 101, and skip 0.'

/** @param {object} flags @returns {string[]} what it prints of 250 objects to copy, and 101 to delete */
function printed(flags) {
  const out = sink()
  const { onEvent } = createReporter(flags, { out, err: sink(), env: {} })
  onEvent(plan(dry))
  for (let i = 0; i < 250; i++) onEvent({ type: 'object', action: 'copy', name: `c${i}`, bytes: 1, why: 'new' })
  for (let i = 0; i < 101; i++) onEvent({ type: 'object', action: 'delete', name: `d${i}`, bytes: 1, why: 'extra' })
  onEvent(last)
  return out.text.trimEnd().split('\n')
}

test('a dry run of many objects prints the first hundred of each action, how many more there are, and the sum', () => {
  const lines = printed({})
  expect(lines).toHaveLength(202)
  expect([lines[99], lines[100]]).toEqual(['copy c99 (1 B, new)', 'delete d0 (1 B, not at the source)'])
  expect(lines.slice(200)).toEqual(['and 150 more to copy and 1 more to delete (--verbose prints all)', SUM])
})

test('a dry run of many objects prints all with --verbose and with --json, and with --quiet the sum alone', () => {
  expect(printed({ verbose: true })).toHaveLength(352)
  expect(printed({ json: true })).toHaveLength(353)
  expect(printed({ quiet: true })).toEqual([SUM])
})

const log = how => setUp(createTextReporter, {}, { everyMs: 5000, ...how })
const line = (percent, more) => `copying ${percent} %  ${more}  in flight 4\n`

test('without a terminal a line comes every five seconds, however many events there are', () => {
  const { err, tell } = log()
  tell(plan(), 0)
  for (let ms = 500; ms <= 16_000; ms += 500) tell(progress(1 + Math.floor(ms / 5000)))
  expect(err.text).toBe(
    PLAN_TEXT +
      line(' 20', '200 MiB of 1000 MiB  50.0 MiB/s  ETA 16 s  elapsed 4 s  parts 2/10') +
      line(' 30', '300 MiB of 1000 MiB  50.0 MiB/s  ETA 14 s  elapsed 6 s  parts 3/10') +
      line(' 40', '400 MiB of 1000 MiB  50.0 MiB/s  ETA 12 s  elapsed 8 s  parts 4/10'),
  )
})

test('without a terminal a phase that waits is told when it begins, and every minute', () => {
  const { err, tell } = log({ everyMs: 30_000 })
  const assembling = ms => progress(10, { phase: 'assembling', partsAssembling: 10, phaseMs: ms, elapsedMs: ms })
  for (let ms = 0; ms <= 130_000; ms += 500) tell(assembling(ms))
  const lines = ['1 s', '1 min 01 s', '2 min 01 s'].map(time => `assembling 10 parts for ${time}`)
  expect(err.text.split('\n').map(line => line.split('  ')[0])).toEqual([...lines, ''])
})

test('without a terminal, and with --verbose, each part is a line, and what happens to it', () => {
  const { err, tell } = log({ verbose: true })
  tell(plan())
  err.text = ''
  tell({ type: 'part', partNumber: 3, bytes: 1024, attempt: 1, elapsedMs: 1200 })
  tell({ type: 'part', partNumber: 4, bytes: 1024, attempt: 2, elapsedMs: 1200 })
  tell(retry)
  tell({ type: 'retry', call: 'head', side: 'source', attempt: 1, code: 'X', message: 'It is busy.' })
  tell({ type: 'hedge', partNumber: 5, bytes: 1, elapsedMs: 9000 })
  tell({ type: 'phase', phase: 'assembling', parts: 10 })
  tell({ type: 'part', name: 'a\u001b', partNumber: 1, bytes: 1024, attempt: 1, elapsedMs: 10 })
  expect(err.text.trimEnd().split('\n')).toEqual([
    'part 3 of 10: 1.00 KiB in 1.2 s',
    'part 4 of 10: 1.00 KiB in 1.2 s, attempt 2',
    'part 3 of 10: It stalled. Again in 300 ms.',
    'head (source): It is busy.',
    'part 5 of 10: started a second time after 9.0 s',
    'assembling 10 parts',
    'part 1 of a\\u001b: 1.00 KiB in 10 ms',
  ])
})

/** What a copy that is done says, by line. @param {object} more */
function doneLines(more) {
  const { out, tell } = setUp(createTextReporter)
  tell(done(more), 0)
  return out.text.split('\n')
}

test('the words of a resumed copy: what is copied now, and what was there', () => {
  expect(doneLines({ resumedBytes: 400 * 1024 ** 2 }).at(-2)).toBe(
    'Copied 600 MiB (400 MiB were there already) from s3://src/big to s3://dest/big in 20.0 s, 50.0 MiB/s: proved.',
  )
})

test('the words of a copy that was not to be proved say so, and tell no CRC-32', () => {
  const [etag, proof, sum] = doneLines({ proof: ['size'], crc32: undefined })
  expect(proof).toBe('Proof: what is stored is known by its size alone, because no checksum was asked for.')
  expect([etag, sum]).toEqual(['ETag "e-10"', expect.stringMatching(/: known by the size alone\.$/)])
})

const words = require('../../cli/reporters/prefix-words')
const none = { listed: 0, chosen: 0, copied: 0, skipped: 0, filtered: 0, deleted: 0, failed: 0 }

const LARGER = { action: 'copy', bytes: 20, why: 'size', bytesThere: 10, newerThere: true }
test.each([
  [{ action: 'copy', bytes: 1024, why: 'new' }, 'copy a (1.00 KiB, new)'],
  [{ action: 'copy', bytes: 1, why: 'size', bytesThere: 10 }, 'copy a (1 B, smaller than what is there, 10 B)'],
  [{ action: 'copy', bytes: 1, why: 'all', newerThere: true }, 'copy a (1 B, replaces a newer one)'],
  [LARGER, 'copy a (20 B, larger than what is there, 10 B, replaces a newer one)'],
  [{ action: 'delete', why: 'extra' }, 'delete a (not at the source)'],
  [{ action: 'skip', bytes: 1024, why: 'same-etag' }, undefined],
])('the words of a dry run of many objects, of the object %p', (event, line) => {
  expect(words.objectLine({ ...event, name: 'a' }, { dryRun: true })).toBe(line)
})

test('the words of many objects, of failures: each with its code, the hint once for each kind, and in the end what was done', () => {
  const { err, tell } = setUp(createTextReporter)
  tell(plan({ recursive: 'copy' }))
  err.text = ''
  for (const [name, code] of Object.entries({ a: 'DENIED', b: 'DENIED', c: 'GONE', d: 'DENIED' }))
    tell({ type: 'failure', name, code, message: `It is ${code}.`, hint: `Mend ${code}.` })
  tell({ ...progress(1), objectsDone: 3, objectsTotal: 7, bytesDone: 2048, listing: false })
  const objects = { ...none, listed: 8, chosen: 7, copied: 3, failed: 4, skipped: 1 }
  tell({ ...error, code: 'OBJECTS_FAILED', objects })
  expect(err.text.trimEnd().split('\n')).toEqual([
    'Failed: a: It is DENIED. (DENIED)',
    '        Mend DENIED.',
    'Failed: b: It is DENIED. (DENIED)',
    'Failed: c: It is GONE. (GONE)',
    '        Mend GONE.',
    'Failed: d: It is DENIED. (DENIED)',
    'DENIED: 3 (first: a)',
    'GONE: 1 (first: c)',
    'xfer: It stalled.',
    '      Repeat the command.',
    'xfer: ended after 2 s with OBJECTS_FAILED (exit status 1): 3 of 7 objects with 2.00 KiB copied, 4 failed, 1 skipped.',
  ])
})

test('the words of many objects, of a job that is split: what becomes of it without this process', () => {
  const { err, tell } = setUp(createTextReporter, {}, { startedMs: 0 })
  tell({ ...error, code: 'JOB_SPLIT', exitCode: 75 })
  expect(err.text).toMatch(/ with JOB_SPLIT \(exit status 75\): its ranges are left to workers\.\n$/)
})

test('the words of many objects, of many failures: the first five of each code, and in the end how many there were', () => {
  const fail = (how, name) => {
    const { err, tell } = setUp(createTextReporter, {}, how)
    tell(plan({ recursive: 'copy' }))
    err.text = ''
    for (let n = 0; n < 1_000; n++)
      tell({ type: 'failure', name: name(n), code: 'NO_ETAG', message: 'It has no ETag.', hint: 'Ask.' })
    tell({ ...error, code: 'INTERRUPTED' })
    return err.text.trimEnd().split('\n')
  }
  const lines = fail({}, n => `d000/o${String(n).padStart(5, '0')}.json`)
  expect(lines.filter(line => line.startsWith('Failed:'))).toHaveLength(5)
  expect(lines).toContain('NO_ETAG: 1,000 (first: d000/o00000.json)')
  expect(fail({}, () => 'a\u001b')).toContain('NO_ETAG: 1,000 (first: a\\u001b)')
  expect(fail({ verbose: true }, n => `o${n}`).filter(line => line.startsWith('Failed:'))).toHaveLength(1_000)
})

describe('a reporter is chosen', () => {
  const events = [plan(), progress(1), retry, done()]
  /** What is printed of these, or of what is told instead. */
  function run(options, isTTY, { env = {}, told = events } = {}) {
    const [out, err] = [sink(), sink({ isTTY, columns: 80 })]
    const { onEvent, note } = createReporter(options, { out, err, env: { NO_COLOR: '1', ...env } })
    for (const event of told) onEvent(event)
    return { out: out.text, err: err.text, note, stderr: err }
  }

  test('for a terminal, which is standard error, not standard output', () => {
    expect(run({}, true).err).toContain('█')
    expect(run({}, false).err).not.toContain('█')
  })

  test.each([true, false])('with --json: one event a line on standard output, nothing else (terminal: %p)', isTTY => {
    const { out, err } = run({ json: true }, isTTY)
    expect(out.trimEnd().split('\n').map(JSON.parse)).toEqual(JSON.parse(JSON.stringify(events)))
    expect(err).toBe('')
  })

  test.each([true, false])('with --quiet: errors alone (terminal: %p)', isTTY => {
    expect(run({ quiet: true }, isTTY)).toMatchObject({ out: '', err: '' })
    expect(run({ quiet: true }, isTTY, { told: [error] }).err).toBe(ERROR_TEXT)
  })

  test.each([
    ['on a dumb terminal', {}, { TERM: 'dumb' }],
    ['with --no-progress', { progress: false }, {}],
  ])('nothing is drawn %s', (_, options, env) => {
    expect(run(options, true, { env })).toMatchObject({ out: DONE_TEXT, err: PLAN_TEXT })
  })

  test('with --json nothing of a key controls the terminal', () => {
    const event = { type: 'object', action: 'copy', name: 'a\u001b[2J\n\u007f\u009b0m\u202eb' }
    const { out } = run({ json: true }, true, { told: [event] })
    expect(out).toMatch(/^[\x20-\x7e]+\n$/)
    expect(JSON.parse(out)).toEqual(event)
  })

  test.each([{ json: true }, { quiet: true }, {}])('a note is a line on standard error with %j', options => {
    const { note, stderr } = run(options, false, { told: [] })
    note('xfer: stopping.')
    expect(stderr.text).toBe('xfer: stopping.\n')
  })
})

test.each([
  [{ matchable: true }, /--chunk match copies its own parts, --verify full reads it twice/],
  [{}, /^The source has no checksum to compare with what was read; --verify full reads it a second time.$/],
])('of a copy that was compared with nothing, advice that would help: %j', (found, text) => {
  expect(doneLines({ proof: ['store-crc32'], uncompared: true, ...found })[2]).toMatch(text)
})
