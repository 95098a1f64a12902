'use strict'

/** What bad input answers: each command ends with the status of its error, and says in two sentences what is wrong and what to do. */

const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const lib = require('../../lib')
const { putRandom } = require('../../sandbox/objects')
const { newFolder, startStore } = require('../support/opened')
const { wordsOf } = require('../support/command-lines')
const { runHere } = require('../support/in-process')
const { copyEnv } = require('../support/run-xfer')

const NO_SOURCE_KEYS = { XFER_SOURCE_ACCESS_KEY_ID: '', XFER_SOURCE_SECRET_ACCESS_KEY: '' }
/** COPY, -r and SYNC in a row are these; FOLDER is an empty one but for its files. */
const COPY = 'copy s3://src/object s3://dst/new'
const PREFIX = 'copy -r s3://src/tree/ s3://dst/new/'
const IN_PLACE = 'copy s3://src/object s3://src/object --content-type a/c --dest-endpoint-url ENDPOINT'
const SYNC = 'sync s3://src/tree/ s3://dst/new/'

/** @type {Array<[command: string, code: string, says: string, env?: Record<string, string>]>} */
const ROWS = [
  [`${COPY} --chunk`, 'USAGE', '--chunk'],
  [`${COPY} --source-secret=hunter2`, 'USAGE', 'Unknown option "--source-secret"'],
  [`${COPY} $'--no\\nsuch'`, 'USAGE', 'Unknown option'],
  ['copy https://user:hunter2@minio.example/key', 'USAGE', 'DEST'],
  [`${COPY} --chunk https://user:hunter2@host/?X-Amz-Signature=hunter2`, 'USAGE', '"https://host/" is not a size'],
  [`${COPY} --if-match 9b2cf5 --no-clobber`, 'USAGE', '--if-match wants one'],

  ['copy s3://src/object dst/new', 'BAD_LOCATION', 'there is no folder "dst"'],
  ['ls -lh s3://src', 'USAGE', 'Unknown option "-l"'],
  [`${COPY} --exclude x`, 'USAGE', '--exclude applies to a prefix'],
  ['copy s3:/old@src/object s3://dst/new', 'BAD_LOCATION', 'Write it as s3://old@src/object'],
  ['copy /etc s3://dst/new', 'NO_SUCH_KEY', '/etc/: it is a folder'],
  ['head FOLDER/to', 'NO_SUCH_KEY', 'xfer ls lists that'],
  ['copy -r FOLDER/names s3://dst/new', 'NOTHING_FOUND', '/names is a file, not a folder; copy it with: xfer copy'],
  ['copy https://user:hunter2@host/object s3://dst/new', 'BAD_LOCATION', ''],
  ['copy s3://src/object https://host/o?X-Amz-Signature=hunter2', 'BAD_LOCATION', 'for sources only'],
  ['copy s3://owner-key-id:hunter2@src/object s3://dst/new', 'BAD_LOCATION', 'not the name of a profile'],
  ["copy $'s3://s\\u001b[31mrc/object' s3://dst/new", 'BAD_LOCATION', ''],
  [`${IN_PLACE} --verify full`, 'USAGE', '--verify full'],
  [`${IN_PLACE} --route engine`, 'SAME_OBJECT', ''],
  ['copy -r s3://src/tree s3://src/tree/deeper --dest-endpoint-url ENDPOINT', 'SAME_OBJECT', 'overlap'],
  ['copy -r s3://src/tree/ s3://src --dest-endpoint-url ENDPOINT', 'SAME_OBJECT', 'overlap'],

  [`${COPY} --content-type $'a\\r\\nx-amz-acl: public-read'`, 'USAGE', 'holds a line end'],
  [`${COPY} --source-sse-c-key-file /nonexistent/key`, 'USAGE', 'cannot be read (ENOENT)'],

  [`${COPY} --source-endpoint-url nonsense`, 'USAGE', '"nonsense" is not an http or https URL'],
  [`${COPY} --source-profile nobody`, 'BAD_CREDENTIALS', 'source names the profile "nobody"'],
  [COPY, 'BAD_CREDENTIALS', '"nobody"', { ...NO_SOURCE_KEYS, AWS_PROFILE: 'nobody' }],
  [COPY, 'NO_CREDENTIALS', 'source', NO_SOURCE_KEYS],
  [COPY, 'CREDENTIALS_REFUSED', '', { XFER_SOURCE_SECRET_ACCESS_KEY: 'wrong-hunter2' }],
  [`${COPY} --engine openwhisk`, 'NO_PLATFORM', ''],

  [`${SYNC} --delete --files-from FOLDER/names`, 'USAGE', '--delete and --files-from'],
  [`${PREFIX} --files-from FOLDER/none`, 'USAGE', 'cannot be read (ENOENT)'],
  ['mv s3://src/object s3://dst/new --verify size', 'USAGE', '--verify size proves no copy'],
  ['mv https://example.com/x s3://dst/new', 'USAGE', 'cannot be moved'],
  ['mv -r s3://src/tree/ s3://src/tree/deeper/ --dest-endpoint-url ENDPOINT', 'SAME_OBJECT', 'overlap'],
  ['copy -r FOLDER/in FOLDER/to', 'SAME_OBJECT', 'overlap'],
  ['copy -r FOLDER/in FOLDER/root', 'SAME_OBJECT', 'overlap'],
  ['mv -r FOLDER/in s3://dst/ --follow-links', 'USAGE', '--follow-links'],
  [`${PREFIX} --max-cost 5 --files-from -`, 'USAGE', 'can be read only once'],
  ['probe s3://src/ --yes --users 1 --expect put.p99<1s', 'USAGE', '--expect'],
  ['probe s3://dst/', 'USAGE', 'has to ask first'],
  ['probe s3://dst/ --yes --objects 5', 'USAGE', 'takes two locations'],
  ['probe s3://dst/ --yes --expect put.p99<2', 'USAGE', 'cannot be read'],
  ['probe s3://dst/ --yes --max-bytes 10B', 'USAGE', ''],
  ['probe s3://dst/ --yes --users 1,x', 'USAGE', 'no list of numbers of users'],
  ['probe s3://dst/ --yes --users 1 --size 1GiB', 'USAGE', 'more than --max-bytes'],
  ['probe s3://dst/ --yes --from functions', 'USAGE', 'No functions can make the requests'],
  ['copy -r redis://127.0.0.1:1/0/x/ FOLDER', 'USAGE', 'redis://'],
  ['rm -r redis://127.0.0.1:1/0/x/', 'USAGE', 'redis://'],
  ['rm -r s3://src', 'USAGE', 'add --yes, and for a whole bucket --max-delete N'],
  ['rm -r s3://src --yes', 'USAGE', 'add --max-delete 3'],
  ['rm -r s3://src/tree/a --yes', 'NOTHING_FOUND', 'is one object, not a prefix'],
  // -R is the same as -r.
  ['rm -R s3://src/tree/', 'USAGE', 'xfer has to ask, and there is no terminal'],

  ['jobs 2026', 'USAGE', 'expected 0 arguments'],
  ['resume', 'NO_SUCH_JOB', 'no unfinished job'],
  ['resume https://user:hunter2@host/?X-Amz-Signature=hunter2', 'NO_SUCH_JOB', 'job "https://host/"'],
  ['abort FOLDER/names', 'BAD_JOURNAL', ''],
]

let store
let folder
beforeAll(async () => {
  folder = newFolder()
  writeFileSync(join(folder, 'names'), 'a\n')
  mkdirSync(join(folder, 'in'))
  symlinkSync('in', join(folder, 'to'))
  symlinkSync('/', join(folder, 'root'))
  store = await startStore({ buckets: ['src', 'dst'] })
  for (const key of ['object', 'other', 'tree/a']) await putRandom(store, { bucket: 'src', key, bytes: 10 })
})

/** @param {string} text */
function expectSentence(text) {
  expect(text).toMatch(/^(--)?[A-Z\d"a-z/]/)
  // A command to copy and paste has no full stop.
  expect(text).toMatch(/\.$|: xfer .+$/s)
  expect(text).not.toMatch(/[.!?] [A-Z]|\[object |\bundefined\b|node:internal|hunter2/)
}

test.each(ROWS)('xfer %s: %s, %s', async (command, code, says, env = {}) => {
  const words = wordsOf(command).map(word => word.replace('ENDPOINT', store.endpoint).replace('FOLDER', folder))
  // `$'…'` of a shell.
  const args = words.map(word => word.replace(/\\(n|r|u001b)/g, (_, c) => ({ n: '\n', r: '\r', u001b: '\u001b' })[c]))
  const all = { ...copyEnv(store, store), XDG_STATE_HOME: join(folder, 'state'), ...env }
  const { status, stdout } = await runHere([args[0], '--json', ...args.slice(1)], all)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  const { type, message, hint, ...event } = JSON.parse(stdout.trim().split('\n').at(-1))
  expect({ type, code: event.code, status, message }).toEqual({ type: 'error', code, status: event.exitCode, message })
  expect(event.exitCode).toBe(new lib.XferError(code, {}).exitCode)
  expect(`${message} ${hint}`).toContain(says)
  expectSentence(message)
  expectSentence(hint)
})

test.each([
  ['src', 3],
  ['dst', 0],
])('nothing was written or deleted in %s', async (bucket, objects) => {
  const { stdout } = await runHere(['du', `s3://${bucket}`, '--json'], copyEnv(store, store))
  expect(JSON.parse(stdout.trim().split('\n').at(-1))).toMatchObject({ objects })
})
