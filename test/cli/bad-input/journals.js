'use strict'

/** Journals that are wrong, for the world's folder of states. */

const { mkdir, writeFile } = require('node:fs/promises')
const { join } = require('node:path')
const { encodeLine } = require('../../../lib/journal/lines')

const AT = Date.UTC(2026, 0, 1)

/** @param {string} endpoint @param {string} bucket @param {object} [more] */
const jobOf = (endpoint, bucket, more = {}) => ({
  type: 'job',
  version: 1,
  source: { text: 's3://src/object', place: 'there' },
  destination: { text: `s3://${bucket}/new`, place: 'here' },
  options: { retries: '0', destination: { endpointUrl: endpoint, region: 'us-east-1' } },
  ...more,
})

/**
 * @param {string} dir
 * @param {{ destination: string, closed: string }} where
 * @returns {Promise<string>} for XDG_STATE_HOME
 */
async function writeJournals(dir, { destination, closed }) {
  const home = join(dir, 'state')
  const folder = join(home, 'xfer', 'jobs')
  await mkdir(folder, { recursive: true })
  const upload = { type: 'upload', id: 'an-upload', checksums: false }
  const place = (host, bucket) => JSON.stringify([host, bucket, 'new'])
  const loopback = endpoint => `loopback:${new URL(endpoint).port}`
  const ended = (endpoint, bucket) => ({
    destination: { text: `s3://${bucket}/new`, place: place(loopback(endpoint), bucket) },
  })
  /** @type {Record<string, string | object[]>} */
  const journals = {
    empty: '',
    nonsense: 'nonsense\n\u0000\u001b[31m\n',
    newer: [jobOf(destination, 'dst', { version: 2 })],
    'twin-1': [jobOf(destination, 'dst')],
    'twin-2': [jobOf(destination, 'dst')],
    'other-place': [jobOf(destination, 'dst'), upload],
    'no-bucket': [jobOf(destination, 'nowhere', ended(destination, 'nowhere')), upload],
    'no-location': [jobOf(destination, 'dst', { destination: { text: 'ftp://host/x', place: 'here' } }), upload],
    'no-profile': [
      jobOf(destination, 'dst', { options: { destination: { profile: 'nobody', endpointUrl: destination } } }),
      upload,
    ],
    'bad-endpoint': [jobOf(destination, 'dst', { options: { destination: { endpointUrl: 'not a url' } } }), upload],
    unreachable: [jobOf(closed, 'dst', ended(closed, 'dst')), upload],
  }
  for (const [id, facts] of Object.entries(journals)) {
    const text =
      typeof facts === 'string' ? facts : facts.map((fact, i) => encodeLine({ n: i + 1, at: AT, id, ...fact })).join('')
    await writeFile(join(folder, `${id}.journal`), text)
  }
  return home
}

module.exports = { writeJournals }
