'use strict'

/** Jobs that an earlier run left, without the run: their journals, and their uploads with a few parts. */

const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { setImmediate: soon } = require('node:timers/promises')
const { identify } = require('../../lib/stores')
const { openJournals } = require('../../lib/journal')
const { makeHome } = require('./home')
const { bytesOf, play } = require('./s3')

const MiB = 1024 ** 2

/** A folder for journals, that goes when the tests of the file have ended. @returns {string} */
const newStateHome = () => makeHome({})

const LONGEST_MS = 60_000

/**
 * What is kept of jobs. No folder is kept without any.
 *
 * @param {string} home XDG_STATE_HOME
 * @returns {string[]} names of files
 */
function jobFiles(home) {
  const folder = join(home, 'xfer', 'jobs')
  return existsSync(folder) ? readdirSync(folder) : []
}

/**
 * Once what was done is written down, which is a moment later: a process that is killed in between knows nothing of it.
 *
 * @param {string} home
 * @param {string} type of lines
 * @param {number} [many] of them at least
 */
async function journalHolds(home, type, many = 1) {
  const folder = join(home, 'xfer', 'jobs')
  const lines = () =>
    readdirSync(folder)
      .filter(name => name.endsWith('.journal'))
      .flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
  const endMs = Date.now() + LONGEST_MS
  while (lines().filter(line => line.includes(`"type":"${type}"`)).length < many) {
    if (Date.now() > endMs) throw new Error(`no journal in ${folder} holds ${many} lines of the type ${type}`)
    await soon()
  }
}

const create = (store, key) =>
  store.upload.create({ key, attributes: { metadata: { headers: {}, user: {} } }, checksum: false })

/**
 * @param {any} store
 * @param {string} key
 * @param {number} [parts] that were uploaded
 * @param {number} [bytes] of each
 * @returns {Promise<{ id: string, parts: any[] }>}
 */
async function leaveUpload(store, key, parts = 1, bytes = 5 * MiB) {
  const { id } = await create(store, key)
  const body = bytesOf(bytes)
  const written = []
  for (let partNumber = 1; partNumber <= parts; partNumber++) {
    const { request } = await store.upload.part({ key, uploadId: id, partNumber, bytes, checksum: false })
    const { status, headers } = await play(request, body)
    if (status !== 200) throw new Error(`part ${partNumber} of "${key}" was answered ${status}`)
    written.push({ partNumber, bytes, etag: headers.etag, sums: { crc32: '00000000' } })
  }
  return { id, parts: written }
}

/**
 * The journal of a job that was to write a key.
 *
 * @param {string} home of the state
 * @param {object} job
 * @param {{ endpoint: string, region: string }} job.server
 * @param {string} job.bucket
 * @param {string} job.key
 * @param {{ id: string, parts: any[] }} [job.upload]
 * @param {any[]} [job.facts] that follow
 */
async function openJob(home, { server, bucket, key, upload, facts = [] }) {
  const { endpoint, region } = server
  const place = identify({ scheme: 's3', container: bucket, key }, { endpoint }).id
  const journal = await openJournals({ env: { XDG_STATE_HOME: home } }).create({
    source: { text: 's3://source/big', place: 'the source' },
    destination: { text: `s3://${bucket}/${key}`, place },
    options: { destination: { endpointUrl: endpoint, region, addressing: 'auto' } },
  })
  const begun = upload && [
    { type: 'object', bytes: 100 * MiB, etag: '"e"' },
    { type: 'plan', route: 'multipart', partBytes: 5 * MiB, parts: 20 },
    { type: 'upload', id: upload.id, checksums: false },
    ...upload.parts.map(part => ({ type: 'part', upload: upload.id, ...part })),
  ]
  for (const fact of [...(begun ?? []), ...facts]) journal.note(fact)
  await journal.flush()
  return journal
}

/** As openJob, and its run has ended. @param {string} home @param {Parameters<typeof openJob>[1]} job @returns {Promise<{ id: string, path: string }>} */
async function leaveJob(home, job) {
  const journal = await openJob(home, job)
  await journal.close()
  return { id: journal.state.id, path: journal.path }
}

module.exports = { jobFiles, newStateHome, journalHolds, leaveUpload, openJob, leaveJob }
