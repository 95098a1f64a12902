'use strict'

const fc = require('fast-check')
const { createTextReporter } = require('../../cli/reporters')
const { ENDED_TEXT, ERROR_TEXT, plan, progress, error, setUp, PLAN_TEXT } = require('./events')
const { createScreen } = require('./screen')

const terminal = (columns, how, more) =>
  setUp(createTextReporter, { isTTY: true, columns, ...more }, { redraws: true, ...how })
const ERASED = '\x1b[2A\x1b[1G\x1b[0J'
const MESSAGES = ['It has no ETag, and none can be made of it. ', 'Ask whoever runs the store for one. ']

test('the first block follows the plan, and each next one takes its place', () => {
  const { err, tell } = terminal(120)
  tell(plan())
  tell(progress(3))
  const first = `${'█'.repeat(15)}${'░'.repeat(35)}  30 %  300 MiB of 1000 MiB
copying  50.0 MiB/s  ETA 14 s  elapsed 6 s  parts 3/10  in flight 4
`
  expect(err.text).toBe(PLAN_TEXT + first)
  err.text = ''
  tell(progress(4, { retried: 2, throttled: 1 }))
  // Two lines up, to the first column, clear to the end of the screen.
  expect(err.text).toBe(`${ERASED}${'█'.repeat(20)}${'░'.repeat(30)}  40 %  400 MiB of 1000 MiB
copying  50.0 MiB/s  ETA 12 s  elapsed 8 s  parts 4/10  in flight 4  retried 2  throttled 1
`)
})

test('an error goes to standard error in the place of the last block, and says last how far it was', () => {
  const { out, err, tell } = terminal(120)
  tell(progress(3))
  err.text = ''
  tell(error)
  expect(err.text).toBe(ERASED + ERROR_TEXT + ENDED_TEXT)
  expect(out.text).toBe('')
})

test('it is not redrawn more often than five times a second, but for the last time', () => {
  const { err, tell } = terminal(120)
  tell(progress(1))
  err.text = ''
  tell(progress(2), 199)
  expect(err.text).toBe('')
  tell(progress(10, { etaMs: 0 }), 0)
  expect(err.text).toContain('100 %')
})

test('of any width no line reaches the last column, and the last block is all that is left', () => {
  const counts = fc.record({
    bytesDone: fc.integer({ min: 0, max: 2 ** 50 }),
    partsDone: fc.integer({ min: 0, max: 10_000 }),
    inFlight: fc.integer({ min: 0, max: 10_000 }),
    bytesPerSecond: fc.integer({ min: 0, max: 2 ** 40 }),
    etaMs: fc.option(fc.integer({ min: 0, max: 10 ** 10 }), { nil: undefined }),
  })
  const key = '日本語の鍵😀'.repeat(30)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 250 }), fc.array(counts, { minLength: 2, maxLength: 5 }), (columns, all) => {
      const { err, tell } = terminal(columns)
      tell(plan({ source: `s3://src/${key}` }))
      const screen = createScreen(columns)
      screen.write(err.text)
      const above = screen.lines()
      for (const each of all) {
        err.text = ''
        tell(progress(0, { bytesTotal: 2 ** 50, partsTotal: 10_000, ...each }))
        screen.write(err.text)
      }
      const drawn = err.text.split('\x1b[0J').at(-1).trimEnd().split('\n')
      expect(drawn.every(line => line.length < Math.max(columns, 1))).toBe(true)
      expect(screen.lines()).toEqual([...above, ...drawn].filter(line => line !== ''))
    }),
  )
})

test.each([50, 120])('of %i columns messages are wrapped between words', columns => {
  const { err, tell, note } = terminal(columns)
  const [message, hint] = MESSAGES.map(text => text.repeat(5).trim())
  tell({ type: 'failure', name: 'd000/o00000.json', code: 'NO_ETAG', message, hint })
  tell({ type: 'notice', code: 'X', message })
  tell({ ...error, message, hint })
  note(`xfer: ${message}`)
  const lines = err.text.trimEnd().split('\n')
  for (const line of lines) expect(line.length).toBeLessThan(columns)
  expect(lines.map(line => line.trim()).join(' ')).toBe(
    `Failed: d000/o00000.json: ${message} (NO_ETAG) ${hint} Note: ${message} NO_ETAG: 1 (first: d000/o00000.json) xfer: ${message} ${hint} xfer: ${message}`,
  )
  // So that they are told from what follows.
  const begins = lines.filter(line => !line.startsWith(' ')).map(line => line.split(' ')[0])
  expect(begins).toEqual(['Failed:', 'Note:', 'NO_ETAG:', 'xfer:', 'xfer:'])
})

test('a note takes the place of the block, which is drawn anew below it', () => {
  const { err, tell, note } = terminal(120)
  const screen = createScreen(120)
  tell(progress(3))
  // What the terminal shows of the key itself.
  screen.write(`${err.text}^C`)
  err.text = ''
  note('xfer: stopping.')
  tell(progress(4))
  screen.write(err.text)
  const block = [' 40 %', 'parts 4/10'].map(text => expect.stringContaining(text))
  expect(screen.lines()).toEqual(['xfer: stopping.', ...block])
})
