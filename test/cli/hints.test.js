'use strict'

/** What wrong command lines are answered, and that every command that is shown can be typed. */

const { readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { ANSWERS, hintFor } = require('../../cli/hints')
const { specOf } = require('../../cli/hints/line')
const { helps, mistakeIn, wordsOf } = require('../support/command-lines')

/** A sentence may name a command without its places. */
const UNFINISHED = [undefined, 'commander.missingArgument']

/** The table of foreign words is right, and hints beyond those of test/golden/hints.test.js. */

const NAMES = [
  ...['copy', 'cp', 'sync', 'mv', 'resume', 'verify', 'jobs', 'abort', 'clean', 'deploy', 'doctor', 'completion'],
  ...['ls', 'du', 'head', 'cat', 'presign', 'mb', 'rm', 'help', 'version', 'serve', 'profiles'],
]
const ROWS = [...ANSWERS].flatMap(([word, answers]) => answers.map(answer => ({ word, ...answer })))
test('of hints every option that an answer names is one of its command', () => {
  const wrong = ROWS.filter(({ of, text }) => {
    const flags = text.replace(/\bxfer [a-z]+[^,:;]*/g, '').match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []
    const has = command => flags.every(flag => specOf(command, flag))
    return of.length > 0 ? !of.every(has) : flags.length > 0 && !NAMES.some(has)
  })
  expect(wrong).toEqual([])
})

test('of hints every command that an answer names is one that xfer takes as it is written', () => {
  const COMMAND = /(?<=\bxfer )[a-z]+(?: (?:-[a-zA-Z]\b|--[a-z0-9-]+|[A-Z]+\b|'[^']*'|s3:\/\/\S+))*/g
  const named = ROWS.flatMap(({ text }) => text.match(COMMAND) ?? [])
  const lines = named.filter(line => NAMES.includes(line.split(' ')[0]))
  expect(lines.length).toBeGreaterThan(40)
  expect(lines.filter(line => !UNFINISHED.includes(mistakeIn(wordsOf(line))))).toEqual([])
  const others = ROWS.flatMap(({ text }) => (text.startsWith('= ') ? text.slice(2) : []))
  expect(others.filter(name => !NAMES.includes(name))).toEqual([])
})

const COPY = 'copy s3://a/b s3://c/d'
const denied = { code: 'ACCESS_DENIED', facts: { side: 'source' } }
const scheme = (side = 'source') => ({ code: 'BAD_LOCATION', facts: { side } })
const mistake = (kind, word) => ({ code: 'USAGE', facts: { mistake: `commander.${kind}`, word } })
const noCommand = mistake('unknownCommand')
const option = word => mistake('unknownOption', word)
const SIGNED = 'https://my.b.s3.eu-west-1.amazonaws.com/a%20b?X-Amz-Signature=hunter2'
const SAS = 'az://acc/con/a, and put its SAS, which stands behind the question mark, into XFER_SOURCE_'

test.each([
  ['jobs __proto__', mistake('excessArguments'), 'own'],
  [`${COPY} -recursive`, option('-recursive'), 'two dashes: --recursive.'],
  [`s3 ${COPY} --secret-key x`, noCommand, 'for --secret-key, keys are no'],
  ['copy https://acc.blob.core.windows.net/con/x?sig=hunter2 s3://c/d', denied, 'az://acc/con/x, and put its SAS'],
  ['copy abfss://con@acc.dfs.core.windows.net/a/b s3://c/d', scheme(), 'Write it as az://acc/con/a/b.'],
  ['copy az://acc/con/a?sv=1&sig=hunter2 s3://c/d', scheme(), SAS],
  ['copy AccountName=acc;AccountKey=hunter2== s3://c/d', scheme(), 'AZURE_STORAGE_CONNECTION_STRING'],
  [`copy s3://a/b ${SIGNED}`, scheme('destination'), "'s3://my.b/a b' with --dest-region"],
  ['copy key-id:hunter2@bucket/key s3://c/d', scheme(), 'own'],
  ['copy one:src one:dst', scheme(), '"one" is a profile of the AWS CLI: xfer copy s3://one@src s3://one@dst'],
  ['cost s3://a/b', noCommand, 'xfer copy --dry-run SRC DEST'],
  ['ls a:', scheme(), 's3://a@ lists its buckets), and as ./folder/file if it is a'],
  ['ls minio:', scheme(), 's3://minio@ lists its buckets'],
  ['copy c:\\x s3://c/d', scheme(), 'Write it as a path of this system'],
  [`${COPY} --track-renames`, option('--track-renames'), 'knows no renames'],
  ['user:hunter2@minio.example/bkt/key', noCommand, 'own'],
])('hints: %s', (line, failed, expected) => {
  const hint = hintFor({ hint: 'own', ...failed }, { args: line.split(' '), names: NAMES })
  expect(hint).toMatch(expected === 'own' ? /^own$/ : new RegExp(expected.replace(/[.?$(){}+[\]]/g, '\\$&')))
  expect(hint).not.toContain('hunter2')
})

test.each([
  ['sync', '--delete --max-delete 3', 'one object, not a prefix; copy it with: xfer copy'],
  ['copy', '-r --include *', 'one object, not a prefix; copy it with: xfer copy'],
  ['mv', '-r', 'one object, not a prefix; move it with: xfer mv'],
  ['verify', '-r --one-way', 'a file, not a folder; compare it with: xfer verify', true],
])('a hint for one object in place of a prefix of %s has its profile, and no option of prefixes', (...row) => {
  const [command, flags, says, isFile] = row
  const failed = { code: 'NOTHING_FOUND', hint: 'Check it.', facts: { object: 's3://old@src/k', isFile } }
  const args = `${command} s3://old@src/k/ s3://new@dst/ ${flags} --retries 2`.split(' ')
  const places = 's3://old@src/k s3://new@dst/ --retries 2'
  expect(hintFor(failed, { args, names: NAMES })).toBe(`s3://old@src/k is ${says} ${places}`)
})

/** Every command of xfer that a help or a guide shows is one that xfer takes as it is written. */

const ROOT = join(__dirname, '..', '..')
const read = name => readFileSync(join(ROOT, name), 'utf8')
const GUIDES = readdirSync(join(ROOT, 'docs', 'guides')).map(name => `docs/guides/${name}`)

/** The commands of lines such as `  xfer copy … | jq`, or `XFER_X=y xfer copy …`, some with a comment behind. @param {string} text */
function shown(text) {
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap(line => /^ {2,}(?:[A-Z_]+=\S+ )*xfer (\S.*)$/.exec(line)?.[1] ?? [])
}

/** @param {string} line @returns {string[]} its words: neither a comment, nor what is behind `|`, `>`, `&&` or `;` */
function wordsShown(line) {
  const words = wordsOf(line.replace(/ {2,}.*| #.*/s, ''))
  const end = words.findIndex(word => /^(?:\||<|[12]?>|&&|\|\||;|then:)/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

const WRONG = ['copy a', 'copy s3://a/b s3://b/c --chunck 8', 'copy a b c', 'cpy', 'deploy --undeploy --reset']
test.each(WRONG)('suggested commands: xfer %s is refused', line => {
  expect(mistakeIn(wordsOf(line))).toMatch(/^commander\./)
})

const withExamples = Object.entries(helps()).filter(([, text]) => text.includes('\nExamples:'))
test.each(withExamples)('suggested commands in the help of %s', (_, text) => {
  const lines = shown(text)
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter(line => mistakeIn(wordsShown(line)))).toEqual([])
})

test.each(['README.md', 'docs/coming-from.md', ...GUIDES])('suggested commands in the guides %s', name => {
  expect(shown(read(name)).filter(line => mistakeIn(wordsShown(line)))).toEqual([])
  const named = [...read(name).matchAll(/`xfer ([a-z][^`…]*)`/g)].map(match => match[1])
  expect(named.filter(line => !UNFINISHED.includes(mistakeIn(wordsShown(line))))).toEqual([])
})
