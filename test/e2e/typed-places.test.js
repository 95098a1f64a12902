'use strict'

/** Locations with a profile, `s3://profile@bucket/key`: what xfer prints can be told apart, and can be typed again. */

const { readFileSync } = require('node:fs')
const { startStore } = require('../../sandbox/store')
const { identify } = require('../../lib/stores')
const { openJournals } = require('../../lib/journal')
const { makeHome } = require('../support/home')
const { newStateHome } = require('../support/journals')
const { bareEnv, eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, openStore, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(12 * MiB)
const TYPED = ['s3://aws@photos/raid.tar', 's3://minio@photos/']
const SHOWN = ['s3://aws@photos/raid.tar', 's3://minio@photos/raid.tar']
const PROFILES = ['--source-profile', 'aws', '--dest-profile', 'minio']

let source
let destination
let to
let env
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore({ buckets: ['photos'] }), startStore({ buckets: ['photos'] })])
  to = openStore(destination, 'photos')
  await put(openStore(source, 'photos'), 'raid.tar', BODY)
})
afterEach(() => destination.faults.clear())
afterAll(() => Promise.all([source?.close(), destination?.close()]))
beforeEach(() => {
  const section = (name, { endpoint, region, accessKeyId, secretAccessKey }) =>
    `[profile ${name}]\nendpoint_url = ${endpoint}\nregion = ${region}\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`
  const config = section('aws', source) + section('minio', destination) + section('other', source)
  env = { ...bareEnv, HOME: makeHome({ '.aws/config': config }), XDG_STATE_HOME: newStateHome() }
})

const xfer = (...args) => runXfer(args, { env })
const local = ['--engine', 'local', '--chunk', '5']

/** A copy of which one part is refused: its job stays. */
async function leaveJob() {
  destination.faults.add({ operation: 'UploadPart', partNumber: 2, status: 403, code: 'AccessDenied' })
  const { status } = await xfer('copy', ...TYPED, ...local)
  expect(status).toBe(4)
  destination.faults.clear()
  const [job] = eventsOf(await xfer('jobs', '--json'))
  return job
}

describe('locations with profiles', () => {
  test('are listed as typed, resumed by these profiles, and kept without them', async () => {
    const job = await leaveJob()
    expect(job).toMatchObject({ source: SHOWN[0], destination: SHOWN[1] })
    expect((await xfer('jobs')).stdout).toContain(`${SHOWN[0]} → ${SHOWN[1]}\n`)
    expect(readFileSync(job.path, 'utf8')).toContain('"text":"s3://photos/raid.tar"')
    const resumed = await xfer('resume', job.id, '--json')
    expect(eventsOf(resumed).at(-1)).toMatchObject({ type: 'done', source: SHOWN[0], destination: SHOWN[1] })
    expect((await get(to, 'raid.tar')).equals(BODY)).toBe(true)
  })

  test('give way to a profile that is named when the job is resumed', async () => {
    const { id } = await leaveJob()
    const resumed = await xfer('resume', id, '--source-profile', 'other', '--json')
    const [resume, plan] = ['resume', 'plan'].map(type => eventsOf(resumed).find(event => event.type === type))
    expect(resume).toMatchObject({ job: id })
    expect(plan).toMatchObject({ source: 's3://photos/raid.tar', destination: SHOWN[1] })
    expect(resumed.status).toBe(0)
  })

  test('lead nowhere else than the job: a journal in which they differ from its objects is refused', async () => {
    const end = (bucket, { endpoint }, typed) => ({
      ...{ text: `s3://${bucket}/raid.tar`, typed },
      place: identify({ scheme: 's3', container: bucket, key: 'raid.tar' }, { endpoint }).id,
    })
    const journal = await openJournals({ env }).create({
      source: end('photos', source, 's3://aws@photos/raid.tar'),
      destination: end('elsewhere', destination, 's3://minio@photos/victim'),
      options: { engine: 'local', source: { profile: 'aws' }, destination: { profile: 'minio' } },
    })
    await journal.close()
    const { status, stderr } = await xfer('resume')
    expect(stderr).toContain('other endpoints than those that are configured now')
    expect(status).toBe(2)
    expect(await keysOf(to, 'victim')).toEqual([])
  })
})

describe('locations that look alike in two stores', () => {
  const OBJECTS = ['s3://photos/raid.tar', 's3://photos/raid.tar']
  const PREFIXES = ['s3://photos/', 's3://photos/']
  const endpoints = () => ({ source: source.endpoint, destination: destination.endpoint })

  test.each([
    ['copy', [...OBJECTS, ...local, '--dry-run'], 'From', 'to'],
    ['sync', [...PREFIXES, ...local, '--dry-run'], 'From', 'to'],
    ['verify', OBJECTS, 'At', 'and'],
  ])('xfer %s says which endpoints they are', async (command, args, from, to) => {
    await put(openStore(destination, 'photos'), 'raid.tar', BODY)
    const { stderr, stdout } = await xfer(command, ...args, ...PROFILES)
    expect(stderr + stdout).toContain(`\n${from} ${source.endpoint} ${to} ${destination.endpoint}\n`)
    const [plan] = eventsOf(await xfer(command, ...args, ...PROFILES, '--json'))
    expect(plan).toMatchObject({ type: 'plan', endpoints: endpoints() })
  })
})
