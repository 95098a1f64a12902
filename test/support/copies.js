'use strict'

/**
 * Copies by the real program, each held to what every copy must keep, however it ends: nothing but events on standard
 * output, nothing on standard error, no secret and no signature on either, and no upload left at the destination untold. A copy
 * that ends early aborts its upload here; test/e2e/resume.test.js has what is kept.
 */

const { keeping } = require('./opened')
const { createBuckets, openStore, uploadsOf } = require('./s3')
const { copyEnv, eventsOf, startXfer } = require('./run-xfer')

const TYPES = 'plan resume notice part retry throttle hedge outage object failure phase progress done error'.split(' ')
/** Not a code of Node's, such as UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const SIGNED = /(?<!_)Signature|AWS4-HMAC|Credential=|x-amz-|uploadId=|https?:\/\/\S*\?/i

/** What must never be printed. @param {Record<string, string>} env */
function secretsOf(env) {
  return Object.entries(env)
    .filter(([name]) => /SECRET|TOKEN|^AUTH$/.test(name))
    .flatMap(([, value]) => [value, ...value.split(':')])
}

/** @param {{ stdout: string, stderr: string }} run @param {Record<string, string>} env */
function expectDiscreet({ stdout, stderr }, env) {
  const printed = stdout + stderr
  expect(secretsOf(env).filter(secret => printed.includes(secret))).toEqual([])
  expect(SIGNED.exec(printed)?.[0]).toBeUndefined()
}

/**
 * @param {{ status: number, stdout: string, stderr: string }} run with --json
 * @param {{ env: Record<string, string>, stderr?: any }} of stderr: what it says beside the events
 */
function expectEvents(run, { env, stderr = '' }) {
  expectDiscreet(run, env)
  expect(run.stderr).toEqual(stderr)
  const events = eventsOf(run)
  const last = events.at(-1)
  expect(last.type).toBe(run.status === 0 ? 'done' : 'error')
  expect(events.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1)
  for (const event of events) {
    expect(TYPES).toContain(event.type)
    expect(new Date(event.time).toISOString()).toBe(event.time)
  }
  if (last.type === 'error') expect(last).toMatchObject({ exitCode: run.status })
  return { ...run, events, last, plan: events.find(({ type }) => type === 'plan') }
}

/**
 * A source and a destination to copy between, each a bucket of a server.
 *
 * @param {object} ends
 * @param {any} ends.source a server
 * @param {any} [ends.destination] the same one when absent
 * @param {any} [ends.platform] for the openwhisk engine
 * @param {string} [ends.engine] default: openwhisk with a platform, else local
 * @param {{ from: string, to: string }} [ends.buckets] made here
 */
async function openRoute({
  source,
  destination = source,
  platform,
  engine = platform ? 'openwhisk' : 'local',
  buckets = { from: 'source', to: 'target' },
}) {
  await createBuckets(source, buckets.from)
  await createBuckets(destination, buckets.to)
  const from = openStore(source, buckets.from)
  const to = openStore(destination, buckets.to)
  const env = copyEnv(source, destination, platform)

  /** @param {string} key @param {string} target @param {string[]} flags @param {object} [options] */
  function start(key, target, flags, options = {}) {
    const args = ['copy', `s3://${buckets.from}/${key}`, `s3://${buckets.to}/${target}`, '--json']
    args.push('--on-failure', 'abort')
    return startXfer([...args, '--engine', engine, '--chunk', '5', ...flags], { env: { ...env, ...options.env } })
  }

  /** @param {any} run @param {string} target @param {any} [stderr] */
  async function check(run, target, stderr) {
    const checked = expectEvents(run, { env, stderr })
    // A key that the store refuses as such has no uploads.
    const refused = error => {
      if (error.code !== 'STORE_REFUSED' || checked.status === 0) throw error
      return []
    }
    const uploads = await uploadsOf(to, target).catch(refused)
    // What nothing tells from somebody else's upload is told and left.
    const told = checked.events.map(({ message }) => message).join('\n')
    expect(uploads.filter(({ id }) => !told.includes(`the upload ${id},`))).toEqual([])
    return checked
  }

  return {
    from,
    to,
    env,
    buckets,
    start,
    check,
    /** @param {string} key @param {string} [target] @param {string[]} [flags] @param {object} [options] of startXfer */
    async copy(key, target = key, flags = [], options = {}) {
      return check(await start(key, target, flags, options).ended, target)
    },
    close() {
      from.close()
      to.close()
    },
  }
}

module.exports = { openRoute: keeping(openRoute), expectDiscreet, expectEvents }
