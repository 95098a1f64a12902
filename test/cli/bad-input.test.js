'use strict'

const { existsSync } = require('node:fs')
const { openStore } = require('../../lib/stores')
const { mistakeIn, wordsOf } = require('../support/command-lines')
const { runShell } = require('../support/run-shell')
const { XFER, bareEnv } = require('../support/run-xfer')
const { ROWS } = require('./bad-input')
const { expectEvents, expectTold } = require('./bad-input/expect')
const { BOUND_MS, inTurn, runRow } = require('./bad-input/run')
const { startWorld } = require('./bad-input/world')
const { createHosts } = require('./hosts')

const AT_ONCE = 4

/** An event is made of its error alone, so the first row of each kind, every fifth and the odd ones also run with --json. */
const TOLD_AS_EVENTS = new Set(
  ROWS.filter((row, i) => {
    const kind = ({ code, planned, exit }) => `${code} ${exit} ${planned}`
    return row.json || row.debug || ROWS.findIndex(other => kind(other) === kind(row)) === i || i % 5 === 0
  }),
)

/** One row in so many has a process of its own; so has the first of each exit status, and what a process has but once. */
const OWN_EVERY = 40
const OWN_PROCESS = new Set(
  ROWS.filter((row, i) => row.debug || i % OWN_EVERY === 0 || ROWS.findIndex(one => one.exit === row.exit) === i),
)

let world
let runs = []
const hosts = createHosts()

beforeAll(async () => {
  world = await startWorld()
  runs = inTurn(ROWS, AT_ONCE, row =>
    runRow(row, world, { asJson: TOLD_AS_EVENTS.has(row), ...(!OWN_PROCESS.has(row) && { hosts }) }),
  )
  // A row that fails fails its own test, later.
  for (const run of runs) run.catch(() => {})
})

afterAll(async () => {
  await Promise.allSettled(runs)
  await hosts.close()
  await world?.close()
})

/** What must not be printed: the values of variables that hold secrets, and what the table marks as one. */
function secretsOf(env) {
  const values = Object.entries(env).filter(([name]) => /SECRET|TOKEN|AUTH/.test(name))
  return ['hunter2', ...values.map(([, value]) => value).filter(value => value.length > 3)]
}

test('every row is named once', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(50)
  expect(new Set(ROWS.map(row => row.it)).size).toBe(ROWS.length)
})

describe.each(ROWS.map((row, i) => [row.it, row, i]))('%s', (_, row, i) => {
  test(`ends with ${row.exit}, ${row.code}, and says so in two sentences`, async () => {
    const { plain, env } = await runs[i]
    expect(plain.elapsedMs).toBeLessThan(row.boundMs ?? BOUND_MS)
    expect({ status: plain.status, stderr: plain.stderr }).toEqual({ status: row.exit, stderr: plain.stderr })
    const { message, hint } = expectTold(plain, { ...row, secrets: secretsOf(env) })
    if (row.says) expect(message).toContain(row.says)
    if (row.advises) expect(hint).toContain(row.advises)
    // The command of a hint, to copy and paste.
    const [, command] = /: xfer (.+)$/.exec(hint) ?? []
    if (command && !hint.endsWith('.')) expect({ command, mistake: mistakeIn(wordsOf(command)) }).toEqual({ command })
  })

  const testEvents = TOLD_AS_EVENTS.has(row) ? test : () => {}
  testEvents('its last event says so too', async () => {
    const { json, env } = await runs[i]
    expect(json.elapsedMs).toBeLessThan(row.boundMs ?? BOUND_MS)
    const { code, exitCode, message } = expectEvents(json, { ...row, secrets: secretsOf(env) })
    expect({ code, exitCode, status: json.status, message }).toEqual({
      code: row.code,
      exitCode: row.exit,
      status: row.exit,
      message,
    })
    if (row.says && !row.json) expect(message).toContain(row.says)
  })
})

describe('afterwards', () => {
  test('nothing was printed but by the commands', async () => {
    await Promise.all(runs)
    expect(await hosts.close()).toBe('')
  })

  /** @param {string} bucket */
  const open = bucket => {
    const { endpoint, accessKeyId, secretAccessKey, region } = world.destination
    const credentials = async () => ({ accessKeyId, secretAccessKey })
    const settings = { side: 'destination', endpoint, region, addressing: 'path', credentials, requestPayer: false }
    return openStore({ scheme: 's3', container: bucket, key: '' }, settings)
  }

  test('no upload is left at the destination, but for those whose id nobody was told', async () => {
    await Promise.all(runs)
    const store = open('dst')
    const { uploads } = await store.upload.pending({ prefix: '' })
    store.close()
    const left = ROWS.filter(row => row.leaves).map(row => String(row.command))
    expect(left.length).toBeGreaterThan(0)
    expect(uploads.filter(({ key }) => !left.some(command => command.includes(`s3://dst/${key}`)))).toEqual([])
  })

  test('nothing is there that was not there before, but for what was told to be wrong', async () => {
    await Promise.all(runs)
    const store = open('dst')
    const { objects } = await store.list({ prefix: '' })
    store.close()
    expect(objects.map(({ key }) => key)).toEqual(['existing'])
  })
})

describe('output that goes nowhere', () => {
  const onLinux = existsSync('/dev/full') ? test : test.skip

  /** @param {string} command for a shell; `$XFER` is the program */
  function shell(command) {
    const env = { ...bareEnv, ...world.base, XFER: `${process.execPath} ${XFER}` }
    return runShell(command, { env, set: ['-o', 'pipefail'] })
  }

  test.each([
    ['standard output closed', 'head -c 0'],
    ['standard output and error closed', 'head -c 0 2>&1', '2>&1'],
  ])('a copy goes on with %s', async (_, reader, merge = '2>/dev/null') => {
    const key = `s3://elsewhere/closed${merge.length}`
    const { status } = await shell(
      `$XFER copy s3://src/object ${key} --json ${merge} | ${reader}; exit \${PIPESTATUS[0]}`,
    )
    expect(status).toBe(0)
  })

  onLinux('a full disk is told, without a stack', async () => {
    const { status, output } = await shell('$XFER copy s3://src/object s3://elsewhere/full > /dev/full')
    expect(status).toBe(1)
    expect(output).toContain('xfer: Standard output cannot be written (ENOSPC).')
    expect(output).not.toMatch(/^\s+at /m)
  })

  onLinux.each(['version', 'copy --help', 'jobs', 'jobs --json', 'sync s3://src/tree/ s3://elsewhere/full/ --dry-run'])(
    'a full disk is told by xfer %s',
    async command => {
      const { status, output } = await shell(`$XFER ${command} > /dev/full`)
      expect(status).toBe(1)
      expect(output).toMatch(/xfer: Standard output cannot be written \(ENOSPC\)\.\n {6}Check where/)
    },
  )

  onLinux('an error keeps its status where nobody can read it', async () => {
    expect(await shell('$XFER copy s3://src/none s3://dst/new > /dev/full 2>&1')).toEqual({ status: 3, output: '' })
    expect(await shell('$XFER copy --nonsense > /dev/full 2>&1')).toEqual({ status: 2, output: '' })
  })
})
