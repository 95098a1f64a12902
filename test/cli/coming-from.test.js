'use strict'

/** What docs/coming-from.md shows: every command of xfer's is run, and every one of another tool's is typed at xfer. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { putRandom } = require('../../sandbox/objects')
const { startStore } = require('../../sandbox/store')
const { makeHome } = require('../support/home')
const { wordsOf } = require('../support/command-lines')
const { bareEnv } = require('../support/run-xfer')
const { createHosts } = require('./hosts')
const { openStore } = require('../support/s3')

const PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'coming-from.md'), 'utf8')
const BIG = 'big.tar'
const MiB = 1024 ** 2
const BOUND_MS = 20_000

/** By heading: the rows of its table, without those that are its head. */
const TABLES = PAGE.split(/^## /m).map(section => ({
  title: section.split('\n')[0],
  rows: [...section.matchAll(/^\| (.*) \| (.*) \|$/gm)].slice(2).map(([, theirs, ours]) => ({ theirs, ours })),
}))
const TOOLS = TABLES.filter(({ title }) => title.startsWith('From '))

/** @param {string} text */
const spansIn = text => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span)
/** Options alone, and commands. @param {{ theirs: string, ours: string }} row */
const oursIn = ({ theirs, ours }) =>
  spansIn(ours.startsWith('the same') ? theirs : ours).filter(span => /^(?:-|xfer )/.test(span))
/** @param {{ theirs: string }} row */
const theirsIn = ({ theirs }) => spansIn(theirs).filter(span => /^(?:-|(?:aws s3|rclone|s5cmd|azcopy|mc) )/.test(span))

/** Two stores, a home with their profiles and with two files that commands name, and processes that run commands. */
async function startWorld() {
  const aws = await startStore({ buckets: [{ name: 'photos', publicRead: true, versions: true }] })
  const minio = await startStore({ buckets: ['backup'] })
  for (const key of ['raid.tar', '2026/a.jpg', '2026/b/c.png', '2026/d.tmp']) {
    await putRandom(aws, { bucket: 'photos', key, bytes: 2000 })
  }
  await putRandom(aws, { bucket: 'photos', key: BIG, bytes: 6 * MiB })
  const photos = openStore(aws, 'photos')
  const { versionId } = await photos.head('raid.tar')
  photos.close()
  const home = makeHome({
    '.aws/config': [profile('profile aws', aws), profile('profile minio', minio), profile('default', aws)].join('\n'),
    'names.txt': '2026/a.jpg\n',
    key: 'k'.repeat(32),
  })
  const env = { ...bareEnv, HOME: home, XDG_STATE_HOME: join(home, 'state') }
  const hosts = createHosts()
  return {
    minio,
    /** What stands for a place of one's own. */
    own: {
      'https://minio.example:9000': minio.endpoint,
      ID: versionId,
      'names.txt': join(home, 'names.txt'),
      key: join(home, 'key'),
    },
    /** @param {string} command as for a shell @returns {Promise<{ command: string, status: number, stdout: string, stderr: string }>} */
    async run(command) {
      const [, ...args] = wordsOf(command)
      return { command, ...(await hosts.run(args, env, BOUND_MS)) }
    },
    close: () => Promise.all([hosts.close(), aws.close(), minio.close()]),
  }
}

/** @param {string} name @param {any} store */
function profile(name, { endpoint, region, accessKeyId, secretAccessKey }) {
  const keys = `aws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}`
  return `[${name}]\n${keys}\nendpoint_url = ${endpoint}\nregion = ${region}\n`
}

/** A copy that failed and can be resumed. @returns {Promise<string>} the job */
async function failedJob({ minio, run }) {
  const rule = minio.faults.add({ bucket: 'backup', key: BIG, operation: 'UploadPart', status: 500 })
  await run(`xfer copy s3://aws@photos/${BIG} s3://minio@backup/ --chunk 5 --retries 0`)
  rule.remove()
  return JSON.parse((await run('xfer jobs --json')).stdout.split('\n')[0]).id
}

/** A command of the page with what exists here. @param {string} span */
async function filled(span) {
  const words = { ...world.own, JOB: span.includes('JOB') ? await failedJob(world) : '' }
  return span.replace(/https:\/\/minio\.example:9000|\bID\b|\bJOB\b|(?<= )(?:names\.txt|key)$/g, word => words[word])
}

/** An option alone goes behind a command that takes it. @param {string} span */
function commandsOf(span) {
  if (!span.startsWith('-')) return [span]
  return ['copy -r s3://aws@photos', 'copy s3://aws@photos/raid.tar', 'sync --delete s3://aws@photos'].map(
    command => `xfer ${command} s3://minio@backup/options/ ${span}`,
  )
}

/** What somebody types who only changes the name of the program. @param {string} span */
function typedOf(span) {
  if (span.startsWith('-')) return commandsOf(span)
  return [span.replace(/^(?:aws|rclone|s5cmd|azcopy|mc) /, 'xfer ').replace('SRC DEST', 's3://photos/ s3://backup/')]
}

let world
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.close())

test('there is a table of at least eight rows for each tool', () => {
  const titles = ['the AWS CLI', 'rclone', 's5cmd', 'azcopy', 'mc'].map(tool => `From ${tool}`)
  expect(TOOLS.map(({ title }) => title)).toEqual(titles)
  expect(TOOLS.filter(({ rows }) => rows.length < 8)).toEqual([])
})

const ALL = TOOLS.flatMap(({ rows }) => rows)

const OURS = new Set(ALL.flatMap(oursIn))

test.each([...OURS])('%s ends with exit status 0', async span => {
  const answers = []
  for (const command of commandsOf(await filled(span))) {
    answers.push(await world.run(command))
    if (answers.at(-1).status === 0) return
  }
  expect(answers).toEqual([])
})

/** Its hint only names the help. @param {{ status: number, stderr: string }} answer */
const helpless = ({ status, stderr }) => status !== 0 && /^ {6}(?:.*: run|Run) xfer .*--help/m.test(stderr)

const THEIRS = new Set(ALL.flatMap(theirsIn).filter(span => !OURS.has(span)))

test.each([...THEIRS])('%s is answered with what to use', async span => {
  const answers = []
  for (const command of typedOf(await filled(span))) {
    answers.push(await world.run(command))
    if (!helpless(answers.at(-1))) return
  }
  expect(answers).toEqual([])
})
