'use strict'

/** What every answer to bad input must be, whatever the input was. */

/** Before the error, where the plan had been announced; below a failed object stands its hint. */
const PLAN_LINE =
  /^(\s*\d+ % |(?:assembling|verifying|copying|reading) |Engine (local|openwhisk): |(?:s3:\/)?\/.* [→↔] s3:\/\/|[\d.]+ [KMGTP]?i?B(?: in | of |; reading )|Note: |With |Failed: )/

/** @type {RegExp} */
const HINT_OR_PLAN_LINE = new RegExp(`^ {8}\\S|${PLAN_LINE.source}`)

/** Commands that end with a line for logs. */
const JOBS = ['copy', 'cp', 'sync', 'resume', 'verify']
const MOVED = '\\d+ of \\d+ .*(copied|read|failed)'

/** Of a stack, of a value that nobody turned into words, of the runtime's own voice, of a signature. */
const NEVER = [
  /^\s+at .+:\d+:\d+/m,
  /\[object /,
  /\bundefined\b/,
  /node:internal|node_modules/,
  /Warning\b/,
  /X-Amz-(Signature|Credential|Security-Token)=\w/i,
  /Signature=[0-9a-f]/,
]

/** @param {string} text it does to a terminal what it seems to */
function expectPlain(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
}

/** @param {string} text */
function expectSentence(text) {
  expect(text).toMatch(/^(--)?[A-Z\d"a-z]/)
  // A command to copy and paste has no full stop.
  expect(text).toMatch(/\.$|: xfer .+$/s)
  expect(text).not.toMatch(/[.!?] [A-Z]/)
  expect(text.length).toBeLessThan(700)
}

/**
 * @param {string} text
 * @param {string[]} secrets
 * @param {RegExp[]} [never]
 */
function expectDiscreet(text, secrets, never = NEVER) {
  for (const pattern of never) expect(text).not.toMatch(pattern)
  for (const secret of secrets) expect(text).not.toContain(secret)
}

/**
 * @param {{ status: number | null, stdout: string, stderr: string }} run without --json
 * @param {{ command?: string | string[], planned?: boolean, ended?: boolean, code?: string, exit?: number, debug?: boolean, secrets?: string[] }} [how]
 * @returns {{ message: string, hint: string }}
 */
function expectTold(
  { stdout, stderr },
  { command = '', planned = false, ended = false, code, exit, debug = false, secrets = [] } = {},
) {
  expect(stdout).toBe('')
  expectPlain(stderr)
  expectDiscreet(stderr, secrets, debug ? [] : NEVER)
  const lines = stderr.split('\n')
  const at = lines.findIndex(line => line.startsWith('xfer: '))
  const [error, advice, ...rest] = lines.slice(at)
  for (const [i, line] of lines.slice(0, at).entries()) {
    expect(line).toMatch(/^Failed: /.test(lines[i - 1]) ? HINT_OR_PLAN_LINE : PLAN_LINE)
  }
  expect(at > 0).toBe(planned)
  expect(error).toMatch(/^xfer: /)
  expect(advice).toMatch(/^ {6}\S/)
  // A job ends with a line for logs, except for mistakes in the command. Whether one that was planned has moved something
  // before it was refused for such a mistake is by chance.
  const isJob = JOBS.includes([command].flat().join(' ').split(' ')[0])
  if (ended || (isJob && exit !== 2) || (planned && rest[0].startsWith('xfer: '))) {
    const done = ended ? MOVED : planned ? `(${MOVED}|nothing was done)` : 'nothing was done'
    expect(rest.shift()).toMatch(
      new RegExp(`^xfer: ended after \\d+ s with ${code} \\(exit status ${exit}\\): ${done}\\.$`),
    )
  }
  if (!debug) expect(rest).toEqual([''])
  const told = { message: error.slice(6), hint: advice.slice(6) }
  expectSentence(told.message)
  expectSentence(told.hint)
  return told
}

/**
 * @param {{ stdout: string, stderr: string }} run with --json
 * @param {{ debug?: boolean, secrets?: string[] }} [how]
 * @returns {any} the error event
 */
function expectEvents({ stdout, stderr }, { debug = false, secrets = [] } = {}) {
  if (!debug) expect(stderr).toBe('')
  expectDiscreet(stdout + stderr, secrets, debug ? [] : NEVER)
  const lines = stdout.split('\n')
  expect(lines.pop()).toBe('')
  const events = lines.map(line => JSON.parse(line))
  for (const event of events) {
    expect(event).toMatchObject({ type: expect.any(String), time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) })
  }
  expect(events.slice(0, -1).map(event => event.type)).not.toContain('done')
  expect(events.slice(0, -1).map(event => event.type)).not.toContain('error')
  const last = events.at(-1)
  const ofCopies = ['OBJECTS_FAILED', 'SOURCE_EMPTY'].includes(last.code) ? ['objects'] : []
  // Of a comparison of prefixes.
  const counts = 'pairs' in last ? ['methods', 'pairs'] : ofCopies
  expect(Object.keys(last).sort()).toEqual(['code', 'exitCode', 'hint', ...counts, 'message', 'time', 'type'].sort())
  expect(last.type).toBe('error')
  expectSentence(last.message)
  expectSentence(last.hint)
  return last
}

module.exports = { expectTold, expectEvents }
