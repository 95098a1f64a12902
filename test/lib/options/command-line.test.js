'use strict'

/** A job's options as the command line that gives them: what the program makes of it is what they were. */

const { execFileSync } = require('node:child_process')
const { join } = require('node:path')
const { commandLine, quoted } = require('../../../lib/options/command-line')
const { keptOptions } = require('../../../lib/options')

const XFER = join(__dirname, '..', '..', '..', 'cli', 'xfer.js')
const helpOf = command => execFileSync(process.execPath, [XFER, command, '--help'], { encoding: 'utf8' })
const ENDS = { source: { text: 's3://a/x', place: 'a' }, destination: { text: 's3://b/y', place: 'b' } }

test('of one object, without what is as usual', () => {
  const options = {
    ...{
      chunk: '100',
      concurrency: '1000',
      retries: '3',
      engine: 'auto',
      verify: 'full',
      clobber: false,
      mtime: false,
    },
    ...{ metadataSet: { team: "it's blue" }, filters: undefined },
    source: { versionId: 'v1', requestPayer: true, noSignRequest: true, sseC: true },
    destination: { endpointUrl: 'https://minio.example:9000', profile: 'new one' },
  }
  expect(commandLine({ ...ENDS, options })).toBe(
    "xfer copy s3://a/x s3://b/y --verify full --no-clobber --metadata-set 'team=it'\\''s blue' " +
      '--version-id v1 --request-payer --source-no-sign-request ' +
      "--dest-endpoint-url https://minio.example:9000 --dest-profile 'new one'",
  )
})

test('of prefixes, with the filters in their order', () => {
  const select = { filters: [{ exclude: '*' }, { include: '*.jpg' }], delete: true, sizeOnly: false, maxDelete: '10%' }
  expect(commandLine({ ...ENDS, options: { recursive: 'sync', select } })).toBe(
    "xfer sync s3://a/x s3://b/y --exclude '*' --include '*.jpg' --delete --max-delete 10%",
  )
  expect(commandLine({ ...ENDS, options: { recursive: 'copy' } })).toBe('xfer copy -r s3://a/x s3://b/y')
})

test('names no flag that the program does not have', () => {
  const names = keptOptions().job.map(({ name }) => name)
  const value = name => (name === 'mtime' ? true : name === 'clobber' ? false : 'some')
  const valuesOf = list => Object.fromEntries(list.map(name => [name, value(name)]))
  const sideNames = side =>
    keptOptions()
      .side.filter(({ sides }) => sides.includes(side))
      .map(({ name }) => name)
  const single = {
    ...valuesOf(names),
    metadataSet: ['a=b'],
    source: valuesOf(sideNames('source')),
    destination: valuesOf(sideNames('destination')),
  }
  const select = ['newerThan', 'olderThan', 'minSize', 'maxSize', 'filesFrom', 'failures', 'maxDelete']
  const flags = { ignoreExisting: true, sizeOnly: true, checksum: true, delete: true }
  for (const [command, options] of [
    ['copy', single],
    ['sync', { recursive: 'sync', select: { ...valuesOf(select), ...flags } }],
  ]) {
    const help = helpOf(command)
    const used = commandLine({ ...ENDS, options }).match(/ --[a-z-]+/g)
    expect(used.length).toBeGreaterThan(10)
    for (const flag of used) expect(help).toContain(flag.trim())
  }
})

test.each([
  ['plain', 'plain'],
  ['', "''"],
  ['$HOME `x` "y" ; *', `'$HOME \`x\` "y" ; *'`],
])('%j is one word of a shell', (word, expected) => {
  expect(quoted(word)).toBe(expected)
  expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
})

test.each([
  ['two\nlines', "$'two\\012lines'"],
  ["it's \\ \u001b[2J\u009b0", "$'it\\'s \\\\ \\033[2J\\302\\2330'"],
])('%j is shown without its control characters', (word, expected) => {
  expect(quoted(word)).toBe(expected)
  expect(execFileSync('bash', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
})
