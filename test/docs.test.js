'use strict'

/** What the documentation says is what the program does. */

const { execFileSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const manifest = require('../package.json')
const { EXIT } = require('../lib')

const ROOT = join(__dirname, '..')
const read = name => readFileSync(join(ROOT, name), 'utf8')
const help = execFileSync(process.execPath, [join(ROOT, 'cli', 'xfer.js'), 'copy', '--help'], { encoding: 'utf8' })

/** Options as the help lists them, with what may be given to them. */
const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(match => match[1])

describe('README.md', () => {
  const text = read('README.md')

  test('documents every option', () => {
    const missing = option => !new RegExp(`\x60(?:xfer copy [^\x60]*)?${option}(?![a-z-])[^\x60]*\x60`).test(text)
    expect(options.filter(option => option !== '--help' && missing(option))).toEqual([])
  })

  test('documents every exit status', () => {
    const missing = status => !new RegExp(`^\\| \x60?${status}\x60? \\|`, 'm').test(text)
    expect(Object.values(EXIT).filter(missing)).toEqual([])
  })

  test('shows no command line with an option that there is not', () => {
    const lines = text.replaceAll('\\\n', ' ').match(/\bxfer (?:copy|cp)\b[^\n`]*/g)
    const shown = lines.flatMap(line => line.match(/--[a-z][a-z-]*/g) ?? [])
    expect(lines.length).toBeGreaterThan(3)
    expect(shown.filter(option => !options.includes(option))).toEqual([])
  })

  test('names no script that package.json does not have', () => {
    const scripts = [...text.matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(match => match[1])
    expect(scripts.filter(name => !manifest.scripts[name])).toEqual([])
  })
})

test('CONTRIBUTING.md says of every dependency what it is for', () => {
  const text = read('CONTRIBUTING.md')
  const missing = name => !new RegExp(`^\\| \x60${name}\x60 \\| \\w.{10}`, 'm').test(text)
  expect(Object.keys(manifest.dependencies).filter(missing)).toEqual([])
})

describe('xfer copy --help', () => {
  test('lists the options of which this table is made', () => {
    expect(options).toEqual(expect.arrayContaining(['--chunk', '--no-clobber', '--dest-region', '--help']))
  })

  test.each(Object.values(EXIT))('tells the exit status %i', status => {
    expect(help.slice(help.indexOf('Exit status'))).toMatch(new RegExp(`\\b${status} [a-z]`))
  })

  test('fits 120 columns', () => {
    expect(help.split('\n').filter(line => line.length > 120)).toEqual([])
  })
})
