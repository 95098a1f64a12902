'use strict'

/** Listings of uploads that no store should give, and none that `clean` must believe. Each is a real server. */

const http = require('node:http')
const { clean } = require('../../../lib')
const { ownersOf } = require('../../../lib/job')
const { listen } = require('../../support/listen')
const { newStateHome } = require('../../support/journals')
const { sideEnv } = require('../../support/run-xfer')

const HOUR_MS = 3_600_000

const initiated = `<Initiated>${new Date(Date.now() - 48 * HOUR_MS).toISOString()}</Initiated>`
const upload = (key, id, since = initiated) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId>${since}</Upload>`

/** @param {() => string} list the inner XML of a list of uploads */
async function startLister(list) {
  const deleted = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://store')
    request.resume()
    if (request.method === 'DELETE') {
      deleted.push(`${url.pathname.slice(1)} ${url.searchParams.get('uploadId')}`)
      return response.writeHead(204).end()
    }
    const xml = url.searchParams.has('uploadId')
      ? '<ListPartsResult><IsTruncated>false</IsTruncated></ListPartsResult>'
      : `<ListMultipartUploadsResult><Bucket>target</Bucket>${list()}</ListMultipartUploadsResult>`
    response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`)
  })
  const { url: endpoint } = await listen(server)
  const access = { endpoint, accessKeyId: 'id', secretAccessKey: 'secret', region: 'us-east-1' }
  const env = { XDG_STATE_HOME: newStateHome(), HOME: newStateHome(), ...sideEnv('DEST', access) }
  const cleanWith = (prefix, options = {}) => clean(`s3://target/${prefix}`, { env, yes: true, ...options })
  return { deleted, cleanWith }
}

test('an upload of which the store does not tell how old it is is never aborted', async () => {
  const { cleanWith, deleted } = await startLister(() => upload('a', 'old') + upload('b', 'undated', ''))
  const { uploads } = await cleanWith('', { olderThan: '1ms' })
  const ends = uploads.map(({ uploadId, outcome }) => `${uploadId} ${outcome}`)
  expect([ends.sort(), deleted]).toEqual([['old aborted', 'undated undated'], ['target/a old']])
})

test('an upload outside the prefix is never aborted, whatever the store lists', async () => {
  const uploaded = () => upload('dir/a', '1') + upload('other', '2') + upload('dirt', '3')
  const { cleanWith, deleted } = await startLister(uploaded)
  const { uploads } = await cleanWith('dir/')
  expect([uploads.length, deleted]).toEqual([1, ['target/dir/a 1']])
})

test('pages that never end are an error, and nothing is aborted', async () => {
  let pages = 0
  const more = () => `<IsTruncated>true</IsTruncated><NextKeyMarker>a${++pages}</NextKeyMarker>`
  const { cleanWith, deleted } = await startLister(
    () => `${upload('a', '1')}${more()}<NextUploadIdMarker>1</NextUploadIdMarker>`,
  )
  const message = expect.stringContaining('its listing of uploads does not move on')
  await expect(cleanWith('')).rejects.toMatchObject({ code: 'BAD_ANSWER', message })
  expect([pages, deleted]).toEqual([2, []])
})

const PLACE = 'the place of key'
const job = (id, more = {}) => ({ id, left: [], destination: { text: '', place: PLACE }, running: false, ...more })
const placeOf = key => (key.startsWith('dir/') ? `["h","target","${key}"]` : `the place of ${key}`)
const ask = (jobs, upload) => ownersOf(/** @type {any} */ (jobs), placeOf)(upload)
const ofPrefix = of => {
  const prefix = { objects: new Map([['key', { left: [], ...of }]]) }
  return job('j', { prefix, destination: { text: '', place: '["h","target","dir/"]*' } })
}
const at = Date.UTC(2026, 0, 1)

test.each([
  ["a job's", [job('j', { upload: { id: 'u' } })], { key: 'key', id: 'u' }, 'j'],
  ["a job's of before", [job('j', { left: [{ id: 'u' }] })], { key: 'key', id: 'u' }, 'j'],
  ["a damaged journal's", [{ id: 'j', problem: 'p', uploads: ['u'] }], { key: 'key', id: 'u' }, 'j'],
  ["one's that asked", [job('j', { creatingMs: at })], { key: 'key', id: 'u', initiatedMs: at + 5000 }, 'j'],
  ['of before', [job('j', { creatingMs: at })], { key: 'key', id: 'u', initiatedMs: at - HOUR_MS }, undefined],
  ['of a little before', [job('j', { creatingMs: at })], { key: 'key', id: 'u', initiatedMs: at - HOUR_MS / 6 }, 'j'],
  ['without a time', [job('j', { creatingMs: at })], { key: 'key', id: 'u' }, 'j'],
  ['of a prefix', [ofPrefix({ creatingMs: at })], { key: 'dir/key', id: 'u', initiatedMs: at }, 'j'],
  ['of another name of it', [ofPrefix({ creatingMs: at })], { key: 'dir/', id: 'u', initiatedMs: at }, undefined],
  ['of a range', [job('k', { ranges: [undefined, job('j', { upload: { id: 'u' } })] })], { key: 'a', id: 'u' }, 'j'],
  ['named', [job('k', { creatingMs: at }), job('j', { upload: { id: 'u' } })], { key: 'key', id: 'u' }, 'j'],
  ['of another key', [job('j', { creatingMs: at })], { key: 'other', id: 'u', initiatedMs: at }, undefined],
])('whose an upload is: %s', (_, jobs, asked, owner) => expect(ask(jobs, asked)).toBe(owner))

test('whose an upload is, is not said where a journal cannot be read', () => {
  const damaged = [{ id: 'j', path: '/j', problem: 'p' }]
  expect(() => ask(damaged, {})).toThrow(expect.objectContaining({ code: 'BAD_JOURNAL' }))
})
