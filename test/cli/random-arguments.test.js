'use strict'

/**
 * No list of arguments makes the program crash, hang, or end with 0 for what it has not done. Every tenth list has a process
 * of its own, the others share a few (hosts/). No store and no platform answers, so nothing can be done but to list jobs.
 * 150 lists of another seed each time; for a thousand, or for those of a seed again:
 *
 *     XFER_RANDOM_RUNS=1000 XFER_RANDOM_SEED=7 npx jest test/cli/random-arguments
 */

const { mkdtempSync, readdirSync, rmSync } = require('node:fs')
const { randomInt } = require('node:crypto')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const fc = require('fast-check')
const { openJournals } = require('../../lib/journal')
const { freePort } = require('../support/servers')
const { inTurn, runBounded } = require('./bad-input/run')
const { createHosts } = require('./hosts')
const { askProgram, commandLines, plainLines } = require('./random-arguments/command-lines')

const SEED = Number(process.env.XFER_RANDOM_SEED ?? randomInt(1, 1_000_000))
const RUNS = Number(process.env.XFER_RANDOM_RUNS ?? 150)
const SECRET = 'hunter2-SECRET'
const BOUND_MS = 60_000

/** Of a stack, of a value that nobody turned into words, of the runtime's own voice, of a signature. */
const NEVER = /^\s+at .+:\d+:\d+|\[object |\bundefined\b|node:internal|node_modules|Warning\b|Signature=[0-9a-f]/m
const NEVER_EVEN_IN_STACKS = /\[object |Warning\b|Signature=[0-9a-f]/

/** An error, its hint, and the line of a job for logs. */
const SENTENCES = /(^|\n)xfer: .+\n {6}\S.*\n(xfer: ended after .+\n)?$/

/** An unfinished job, with an upload that only its store could end. @param {NodeJS.ProcessEnv} env */
async function leaveJob(env, endpoint) {
  const side = name => ({
    text: `s3://${name}/object`,
    place: JSON.stringify([new URL(endpoint).host, name, 'object']),
  })
  const journal = await openJournals({ env }).create({ source: side('from'), destination: side('to'), options: {} })
  await journal.write({ type: 'object', bytes: 20_000_000, etag: '"e"' })
  await journal.write({ type: 'plan', route: 'multipart', partBytes: 5_242_880, parts: 4 })
  await journal.write({ type: 'upload', id: 'an-upload', checksums: true })
  await journal.close()
  return journal.state.id
}

/** Those before `--`: behind it there are no options. @param {string[]} args */
const flagsIn = args => args.slice(0, args.includes('--') ? args.indexOf('--') : undefined)

/** The sentences of errors, as they are printed without --json. @param {string} stderr */
function messagesOf(stderr) {
  return stderr.replace(/^{"type":"error",.+$/gm, line => {
    const { message, hint } = JSON.parse(line)
    return `xfer: ${message}\n      ${hint}`
  })
}

/** @param {string[]} args @param {{ status: number | null, stdout: string, stderr: string }} run @param {string} job */
function complaintOf(args, { status, stdout, stderr }, job) {
  if (status === null) return 'it hangs'
  const printed = stdout + stderr
  const flags = flagsIn(args)
  const never = flags.includes('--debug') ? NEVER_EVEN_IN_STACKS : NEVER
  // What was typed may be said again.
  const ownWords = args.reduce((text, word) => (word.length > 3 ? text.replaceAll(word, '') : text), printed)
  const found = never.exec(ownWords)
  if (found) return `it prints ${JSON.stringify(found[0])}`
  if (printed.includes(SECRET)) return 'it prints a secret'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(printed)) return 'it prints control characters'
  if (status === 0) return args[0] === 'jobs' && stdout.includes(job) ? undefined : 'it ends with 0'
  if (![1, 2, 3, 4, 5, 124].includes(status)) return `it ends with ${status}`
  // What prints bytes tells its errors on standard error, also as JSON.
  const sentences = flags.includes('--json') && stdout === '' ? messagesOf(stderr) : stderr
  if (stderr !== '' && !flags.includes('--debug') && !SENTENCES.test(sentences)) return 'it says no sentence'
  if (stdout !== '' && flags.includes('--json')) {
    const events = stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
    if (!['done', 'error'].includes(events.at(-1).type)) return 'its last line is neither done nor error'
  }
  return printed === '' && !flags.includes('--quiet') ? 'it says nothing' : undefined
}

test(`no list of arguments makes it crash, hang or succeed (${RUNS} of seed ${SEED})`, async () => {
  const state = mkdtempSync(join(tmpdir(), 'xfer-random-'))
  const hosts = createHosts()
  try {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const side = prefix => ({
      [`${prefix}_ENDPOINT_URL`]: endpoint,
      [`${prefix}_ACCESS_KEY_ID`]: 'key-id',
      [`${prefix}_SECRET_ACCESS_KEY`]: SECRET,
    })
    const platform = { APIHOST: endpoint, AUTH: `some:${SECRET}` }
    // With a token that is none no worker starts.
    const worker = { XFER_TOKEN: `${SECRET} in two words` }
    const env = { ...side('XFER_SOURCE'), ...side('XFER_DEST'), ...platform, ...worker, XDG_STATE_HOME: state }
    const job = await leaveJob(env, endpoint)
    const program = await askProgram()
    const samples = [
      ...plainLines(program, job),
      ...fc.sample(commandLines(program, job), { seed: SEED, numRuns: RUNS }),
    ]
    const turns = samples.map((args, i) => ({ args, own: i % 10 === 0 }))
    const run = ({ args, own }) => runBounded(args, env, { boundMs: BOUND_MS, ...(!own && { hosts }) })
    const runs = await Promise.all(inTurn(turns, 4, run))
    const failures = samples.flatMap((args, i) => {
      const complaint = complaintOf(args, runs[i], job)
      return complaint ? [{ complaint, args, run: runs[i] }] : []
    })
    expect(failures).toEqual([])
    expect(await hosts.close()).toBe('')
    // Nothing was done: the job is there still, and no other.
    expect(readdirSync(join(state, 'xfer', 'jobs'))).toEqual([`${job}.journal`])
    // Some got past the command line, and as far as the network.
    expect(runs.map(run => run.status)).toEqual(expect.arrayContaining([1, 2, 5]))
  } finally {
    await hosts.close()
    rmSync(state, { recursive: true, force: true })
  }
}, 1_200_000)
