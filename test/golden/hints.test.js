'use strict'

/**
 * What the likeliest wrong commands are answered: those of people who know another tool. Recorded is the message alone. A change is
 * recorded anew with `npx jest test/golden/hints -u`.
 */

const { putRandom } = require('../../sandbox/objects')
const { wordsOf } = require('../support/command-lines')
const { runHere } = require('../support/in-process')
const { startStore } = require('../support/opened')
const { copyEnv } = require('../support/run-xfer')

const COMMANDS = `
  s3 cp s3://src/object s3://dst/new
  s3 sync s3://src/tree/ s3://dst/new/ --delete
  cp s3://src s3://dst/new --recursive=true
  cp s3://src/tree s3://dst/new
  cp s3://src/tree/ s3://dst/new/ --chunk 8M
  cp s3://src/*.jpg s3://dst/
  cp s3://src/tree/* s3://dst/
  cp -r s3://src/tree/*.jpg s3://dst/new
  sync s3://src/object/ s3://dst/new/
  s3://src/object s3://dst/new
  Copy s3://src/object s3://dst/new
  cpoy s3://src/object s3://dst/new
  --profile x cp s3://src/object s3://dst/new
  --chunk 5 cp s3://src/object s3://dst/new
  -v
  cp s3://src/object s3://dst/new --profile x
  cp s3://src/object s3://dst/new --acl public-read
  cp s3://src/object s3://dst/new --metadata team=blue
  cp s3://src/object s3://dst/new --sse
  cp s3://src/object s3://dst/new --storage-class standard_ia
  cp s3://src/object s3://dst/new --access-key-id hunter2
  cp s3://src/object s3://dst/new s3://dst/more
  cp s3://src/object s3://dst/new --size-only
  cp s3://src/object
  ls
  copyto one:src/x two:dst/y
  copy one:src/x two:dst
  copy s3://src/object s3://dst/new --update
  sync s3://src/tree/ s3://dst/new/ -r
  check s3://src/object s3://dst/new
  config
  mirror alias/src alias/dst
  mirror --remove s3://src/tree/ s3://dst/new/
  cp alias/src/object other/dst/new
  sync s3://src/tree/ s3://dst/new/ --overwrite
  cp -n s3://src/object s3://dst/new
  cp -p 64 s3://src/object s3://dst/new
  du s3://src s3://dst
  mv s3://src/tree s3://dst/new
  rm s3://src/tree/
  copy s3://src/object https://acc.blob.core.windows.net/con/x?sv=1&sig=hunter2
  copy s3://src/object az://con/x
  copy s3://src/object https://bkt.s3.eu-west-1.amazonaws.com/key
  copy s3://src/object https://storage.googleapis.com/bkt/x
  copy gcs://src/x s3://dst/new
  copy wasbs://con@acc.blob.core.windows.net/a s3://dst/new
  copy s3:src/object s3://dst/new
  copy ftp://host/x s3://dst/new
  copy 'C:\\x' s3://dst/new
  copy s3://src/object s3://dst/new --sas-token hunter2
  jobs list
  undeploy
  clean s3://dst --force
  rsync -r s3://src s3://dst
`
  .trim()
  .split('\n')
  .map(line => line.trim())

/** @type {Awaited<ReturnType<typeof startStore>>} */
let store

beforeAll(async () => {
  store = await startStore({ buckets: ['src', 'dst'] })
  for (const key of ['object', 'tree/a']) await putRandom(store, { bucket: 'src', key, bytes: 10 })
})

test('what the likeliest wrong commands are answered', async () => {
  const lines = []
  for (const command of COMMANDS) {
    const { stderr: text } = await runHere(wordsOf(command), copyEnv(store, store))
    const said = text.split('\n').filter(line => /^(xfer: (?!ended)| {6}\S)/.test(line))
    lines.push(`$ xfer ${command}`, ...said.map(line => line.trim().replace(/^xfer: /, '')), '')
  }
  expect(`\n${lines.join('\n')}`).toMatchSnapshot()
})
