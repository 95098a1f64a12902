'use strict'

/** Every command of xfer that a help or a guide shows is one that xfer takes as it is written. */

const { readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { helps, mistakeIn, wordsOf } = require('../support/command-lines')

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

/** A sentence may name a command without its places. */
const UNFINISHED = [undefined, 'commander.missingArgument']

test.each(['copy a', 'copy s3://a/b s3://b/c --chunck 8', 'copy a b c', 'cpy', 'deploy --undeploy --reset'])(
  'xfer %s is refused',
  line => expect(mistakeIn(wordsOf(line))).toMatch(/^commander\./),
)

describe('in the help', () => {
  const withExamples = Object.entries(helps()).filter(([, text]) => text.includes('\nExamples:'))

  test.each(withExamples)('of %s', (_, text) => {
    const lines = shown(text)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter(line => mistakeIn(wordsShown(line)))).toEqual([])
  })
})

describe('in the guides', () => {
  test.each(['README.md', 'docs/coming-from.md', ...GUIDES])('%s', name => {
    expect(shown(read(name)).filter(line => mistakeIn(wordsShown(line)))).toEqual([])
    const named = [...read(name).matchAll(/`xfer ([a-z][^`…]*)`/g)].map(match => match[1])
    expect(named.filter(line => !UNFINISHED.includes(mistakeIn(wordsShown(line))))).toEqual([])
  })
})
