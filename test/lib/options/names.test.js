'use strict'

const { execFileSync } = require('node:child_process')
const lib = require('../../../lib')
const { commandLine, quoted } = require('../../../lib/options/command-line')

const FROM = 's3://bucket-a/key'
const TO = 's3://bucket-b/key'
const EMPTY = { env: { HOME: '/nowhere' } }

test.each([
  [{ concurency: 3 }, 'Perhaps you mean "concurrency".'],
  [{ retry: 3 }, 'Perhaps you mean "retries".'],
  [{ profile: 'work' }, 'Give it as source: { profile }, or destination: { profile }.'],
  [{ versionId: 'v' }, 'Give it as source: { versionId }.'],
  [{ expires: '1h' }, 'It is an option of presign.'],
  [{ destination: { reigon: 'x' } }, 'Perhaps you mean "region".'],
  [{ source: { chunk: 8 } }, 'Give it beside source, and not within it.'],
  [{ destination: { endpointURL: 'http://127.0.0.1:1' } }, 'Perhaps you mean "endpointUrl".'],
  [{ xyz: 1 }, expect.stringMatching(/^It has /)],
  [{ hasOwnProperty: 1 }, expect.stringMatching(/^It has /)],
  [{ ['c'.repeat(100_000)]: 1 }, expect.stringMatching(/^It has /)],
])('a misspelt option is answered with the nearest, a misplaced one with its place: %#', async (options, hint) => {
  const message = expect.stringMatching(/^copy(: (source|destination))? has no option "\w+"\.$/)
  await expect(lib.copy(FROM, TO, { ...EMPTY, ...options })).rejects.toMatchObject({ code: 'USAGE', message, hint })
})

test('an undefined option counts as absent, and null does not', async () => {
  const refused = lib.copy(FROM, TO, { ...EMPTY, nonsense: undefined, concurrency: 'x' })
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('concurrency') })
  const message = 'copy: the option concurrency is null, not a string or a number.'
  await expect(lib.copy(FROM, TO, { ...EMPTY, concurrency: null })).rejects.toMatchObject({ code: 'USAGE', message })
})

/** A job's options as the command line that gives them: what the program makes of it is what they were. */

const ENDS = { source: { text: 's3://a/x', place: 'a' }, destination: { text: 's3://b/y', place: 'b' } }

test('the command line of a job of one object, without what is as usual', () => {
  const options = {
    ...{ chunk: '100', concurrency: '1000', retries: '3', engine: 'auto', verify: 'full', clobber: false },
    ...{ mtime: false, metadataSet: { team: "it's blue" }, filters: undefined },
    source: { versionId: 'v1', requestPayer: true, noSignRequest: true, sseC: true },
    destination: { endpointUrl: 'https://minio.example:9000', profile: 'new one' },
  }
  expect(commandLine({ ...ENDS, options })).toBe(
    "xfer copy s3://a/x s3://b/y --verify full --no-clobber --metadata-set 'team=it'\\''s blue' " +
      '--version-id v1 --request-payer --source-no-sign-request ' +
      "--dest-endpoint-url https://minio.example:9000 --dest-profile 'new one'",
  )
})

test.each([
  ['sh', 'plain', 'plain'],
  ['sh', '', "''"],
  ['sh', '$HOME `x` "y" ; *', `'$HOME \`x\` "y" ; *'`],
  ['bash', 'two\nlines', "$'two\\012lines'"],
  ['bash', "it's \\ \u001b[2J\u009b0", "$'it\\'s \\\\ \\033[2J\\302\\2330'"],
])('the command line of a job one word of %s is %j, without its control characters', (shell, word, expected) => {
  expect(quoted(word)).toBe(expected)
  expect(execFileSync(shell, ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
})
