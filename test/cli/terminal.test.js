'use strict'

const fc = require('fast-check')
const { createTerminalReporter } = require('../../cli/reporters/terminal')
const { MiB, plan, progress, done, error, retry, setUp, PLAN_TEXT, DONE_TEXT } = require('./events')
const { createScreen } = require('./screen')

describe('on a terminal', () => {
  const terminal = columns => setUp(createTerminalReporter, { isTTY: true, columns })

  test('the first block follows the plan, and each next one takes its place', () => {
    const { err, tell } = terminal(120)
    tell(plan())
    tell(progress(3))
    const first = `${'█'.repeat(15)}${'░'.repeat(35)}  30 %  300 MiB of 1000 MiB
50.0 MiB/s  ETA 14 s  parts 3/10  in flight 4  retried 0  throttled 0
`
    expect(err.text).toBe(PLAN_TEXT + first)
    err.text = ''
    tell(progress(4, { retried: 2, throttled: 1 }))
    // Two lines up, to the first column, clear to the end of the screen.
    expect(err.text).toBe(`\x1b[2A\x1b[1G\x1b[0J${'█'.repeat(20)}${'░'.repeat(30)}  40 %  400 MiB of 1000 MiB
50.0 MiB/s  ETA 12 s  parts 4/10  in flight 4  retried 2  throttled 1
`)
  })

  test('results go to standard output below the last block, which stays', () => {
    const { out, err, tell } = terminal(120)
    tell(progress(10, { etaMs: 0 }))
    err.text = ''
    tell(done())
    expect(err.text).toBe('')
    expect(out.text).toBe(DONE_TEXT)
  })

  test('an error goes to standard error below the last block', () => {
    const { out, err, tell } = terminal(120)
    tell(progress(3))
    err.text = ''
    tell(error)
    expect(err.text).toBe('xfer: It stalled.\n      Repeat the command.\n')
    expect(out.text).toBe('')
  })

  test('a repetition has no line of its own: the block counts it', () => {
    const { err, tell } = terminal(120)
    tell(progress(3))
    err.text = ''
    tell(retry)
    tell({ type: 'throttle', code: 'X', message: 'm', limit: 3, delayMs: 1 })
    tell({ type: 'part', partNumber: 1, bytes: 1, crc32: 1, attempt: 1, elapsedMs: 1 })
    expect(err.text).toBe('')
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

  test.each([
    [40, 3, 10],
    [80, 2, 40],
    [200, 1, 50],
  ])('of %i columns all figures are there, on %i lines below a bar of %i', (columns, lines, bar) => {
    const { err, tell } = terminal(columns)
    const full = { partsTotal: 10_000, partsDone: 9_999, inFlight: 1000, retried: 12, throttled: 345 }
    tell(progress(5, { ...full, bytesPerSecond: 1023 * MiB, etaMs: 3_599_000 }))
    const [first, ...rest] = err.text.trimEnd().split('\n')
    expect(first.match(/[█░]+/)[0]).toHaveLength(bar)
    expect(rest).toHaveLength(lines)
    expect(rest.join('  ').split('  ')).toEqual([
      '1023 MiB/s',
      'ETA 59 min 59 s',
      'parts 9,999/10,000',
      'in flight 1,000',
      'retried 12',
      'throttled 345',
    ])
    for (const line of [first, ...rest]) expect(line.length).toBeLessThan(columns)
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
      fc.property(
        fc.integer({ min: 20, max: 250 }),
        fc.array(counts, { minLength: 2, maxLength: 5 }),
        (columns, all) => {
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
          expect(drawn.every(line => line.length < columns)).toBe(true)
          expect(screen.lines()).toEqual([...above, ...drawn])
        },
      ),
    )
  })

  test('that becomes narrower takes back the lines that it has broken', () => {
    const { err, tell } = terminal(120)
    const screen = createScreen(120)
    tell(plan())
    tell(progress(3))
    screen.write(err.text)
    screen.resize(50)
    err.columns = 50
    err.text = ''
    tell(progress(4))
    screen.write(err.text)
    const lines = screen.lines()
    expect(lines.filter(line => line.includes('%'))).toEqual([expect.stringContaining(' 40 %')])
    expect(lines.filter(line => line.includes('parts'))).toEqual([
      '1000 MiB in 10 parts of 100 MiB, 1,000 at once',
      expect.stringContaining('parts 4/10'),
    ])
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
    expect(screen.lines()).toEqual([
      'xfer: stopping.',
      expect.stringContaining(' 40 %'),
      expect.stringContaining('parts 4/10'),
    ])
  })

  test('of an empty object is full once its part is done', () => {
    const { err, tell } = terminal(80)
    const empty = { bytesDone: 0, bytesTotal: 0, partsTotal: 1, etaMs: 0 }
    tell(progress(0, empty))
    expect(err.text).toContain('  0 %  0 B of 0 B')
    tell(progress(1, { ...empty, partsDone: 1, bytesDone: 0 }))
    expect(err.text).toContain(`${'█'.repeat(40)} 100 %  0 B of 0 B`)
  })
})
