'use strict'

/** What the documentation says is what the program does. */

const { execFileSync } = require('node:child_process')
const { existsSync, readdirSync, readFileSync } = require('node:fs')
const { basename, join } = require('node:path')
const { parse } = require('yaml')
const manifest = require('../package.json')
const { METADATA_RANGES } = require('../actions/copy-range/address-guard')
const { PAGES, TYPES } = require('../docs/make')
const { EXIT } = require('../lib')

const ROOT = join(__dirname, '..')
const read = name => readFileSync(join(ROOT, name), 'utf8')

/** By command: its help, and the options that it lists. */
const COMMANDS = Object.fromEntries(
  ['copy', 'sync', 'resume', 'verify', 'jobs', 'abort', 'clean', 'deploy', 'doctor'].map(name => {
    const args = [join(ROOT, 'cli', 'xfer.js'), name, '--help']
    const help = execFileSync(process.execPath, args, { encoding: 'utf8' })
    return [name, { help, options: [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z0-9-]+)/gm)].map(match => match[1]) }]
  }),
)
const { help, options } = COMMANDS.copy

const markdownIn = folder =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name))

/** Every file of the project that is not at its root. */
const FILES = ['actions', 'bench', 'cli', 'docs', 'examples', 'lib', 'sandbox', 'test'].flatMap(folder =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter(name => !/(^|[\\/])node_modules([\\/]|$)/.test(name))
    .map(name => join(folder, name)),
)

/** What users read to learn how to use xfer. */
const GUIDES = ['README.md', join('docs', 'coming-from.md'), ...markdownIn('docs/guides')]

test('README.md is short', () => expect(read('README.md').split('\n').length).toBeLessThan(250))

test('README.md shows the demo and the tests within the first screen, and .ci/run runs both', () => {
  const screen = read('README.md').split('\n').slice(0, 24)
  expect(screen).toEqual(expect.arrayContaining(['    npm ci && npm run demo', '    npm ci && npm test']))
  expect(read('.ci/run')).toMatch(/^ {2}npm ci\b[\s\S]*^run_tests test$[\s\S]*npm run -s demo/m)
})

test.each(['README.md', 'docs/reference/exit-codes.md'])('%s documents every exit status', name => {
  const text = read(name)
  expect(Object.values(EXIT).filter(status => !new RegExp(`^\\| ${status} \\|`, 'm').test(text))).toEqual([])
})

describe('README.md and the guides', () => {
  const text = GUIDES.map(read).join('\n')

  test.each(Object.entries(COMMANDS))('show no xfer %s with an option that there is not', (name, { options }) => {
    const lines = text.replaceAll('\\\n', ' ').match(new RegExp(`\\bxfer ${name}\\b[^\\n\x60]*`, 'g'))
    const shown = lines.flatMap(line => line.match(/--[a-z][a-z0-9-]*/g) ?? [])
    expect(lines.length).toBeGreaterThan(2)
    expect(shown.filter(option => !options.includes(option))).toEqual([])
  })

  test('name no script that package.json does not have', () => {
    const scripts = [...text.matchAll(/npm run (?:-s )?([a-z:-]+)/g)].map(match => match[1])
    expect(scripts.filter(name => !manifest.scripts[name])).toEqual([])
  })
})

describe('values that come from tables are those of the tables', () => {
  const { flagsOfCommand } = require('../lib/options')
  const specs = new Map(flagsOfCommand('copy').map(({ flag, spec }) => [flag, spec]))

  test('the defaults in tables of options', () => {
    const rows = GUIDES.flatMap(page =>
      read(page)
        .split('\n\n')
        .filter(block => /^\| [^|]*option[^|]*\| default \|/m.test(block))
        .flatMap(block => [...block.matchAll(/^\| `(--[a-z-]+)(?:\\\||[^|\\])*\| (\S+) \|/gm)])
        .map(([, flag, value]) => [page, flag, value]),
    ).filter(([, flag]) => specs.get(flag)?.default.value !== undefined)
    expect(rows).toContainEqual(['README.md', '--chunk', expect.any(String)])
    expect(rows.length).toBeGreaterThan(5)
    expect(rows).toEqual(rows.map(([page, flag]) => [page, flag, specs.get(flag).default.value]))
  })

  test('what a new function has, in the table of xfer deploy', () => {
    const { limits, runtime } = parse(read('manifest.yaml')).packages.xfer.actions['copy-range']
    const rows = [...read('docs/guides/functions.md').matchAll(/^\| `--(memory|timeout|runtime) [A-Z]+` \| (\S+) \|/gm)]
    const right = { memory: String(limits.memorySize), timeout: String(limits.timeout / 1000), runtime }
    expect(Object.fromEntries(rows.map(([, name, value]) => [name, value]))).toEqual(right)
  })
})

test('the guide to troubles quotes only what errors say', () => {
  const said = read('docs/reference/errors.md')
  const symptoms = [...read('docs/guides/troubleshooting.md').matchAll(/^\| ([^|]*) \|/gm)].map(match => match[1])
  const quoted = symptoms.flatMap(symptom => [...symptom.matchAll(/"([^"]+)"/g)].map(match => match[1]))
  expect(quoted.length).toBeGreaterThan(5)
  expect(quoted.filter(words => !said.includes(words))).toEqual([])
})

describe('docs/reference/', () => {
  const MADE = { ...TYPES, ...Object.fromEntries(Object.keys(PAGES).map(key => [`docs/reference/${key}`, PAGES[key]])) }
  test.each(Object.entries(MADE))('%s is what `npm run docs` makes', (name, make) => expect(read(name)).toBe(make()))

  test('has no other page', () => {
    const pages = [...Object.keys(PAGES), 'events.md', 'exit-codes.md']
    expect(readdirSync(join(ROOT, 'docs', 'reference')).sort()).toEqual(pages.sort())
  })

  test.each(Object.entries(COMMANDS))('options.md explains every option of %s', (_, { options }) => {
    const text = read('docs/reference/options.md')
    const missing = option => !new RegExp(`^\\|.*\x60[^\x60]*${option}(?![a-z-])[^\x60]*\x60.* \\|$`, 'm').test(text)
    expect(options.filter(option => option !== '--help' && missing(option))).toEqual([])
  })

  // docs/reference/api.md shows types, in which `undefined` is a word.
  const PROSE = ['errors.md', 'events.md', 'exit-codes.md', 'notices.md', 'options.md']
  test.each(PROSE)('%s says nothing that only the program can read', name => {
    expect(read(join('docs', 'reference', name)).match(/^.*(?:[Uu]ndefined|NaN|\[object|=>).*$/gm)).toBeNull()
  })
})

test('SECURITY.md names every address that functions may not connect to', () => {
  const text = read('SECURITY.md').replace(/\s+/g, ' ')
  expect(METADATA_RANGES.filter(range => !text.includes(range))).toEqual([])
})

const ROOT_DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']

describe('prose', () => {
  const DOCUMENTS = [...ROOT_DOCUMENTS, ...markdownIn('docs')]
  const WRITTEN = DOCUMENTS.filter(name => !name.startsWith(join('docs', 'reference')))

  /** What is no table, no code and no picture. @param {string} text */
  const proseOf = text =>
    text
      .replace(/^```[\s\S]*?^```$/gm, '')
      .split('\n')
      .filter(line => !/^(\|| {4})/.test(line))

  /** The anchors of a page, as GitHub makes them. @param {string} text */
  const headingsOf = text =>
    [...text.toLowerCase().matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'),
    )

  test.each(WRITTEN)('of %s fits 120 columns', name => {
    expect(proseOf(read(name)).filter(line => line.length > 120)).toEqual([])
  })

  test.each(DOCUMENTS)('of %s leads to files that are there, and that the package holds', name => {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(match => join(name, '..', match[1]))
    const held = path =>
      /^(README|LICENSE)/.test(path) || manifest.files.some(file => path === file || path.startsWith(`${file}/`))
    expect(links.filter(path => !existsSync(join(ROOT, path)) || !held(path))).toEqual([])
  })

  test.each(DOCUMENTS)('of %s leads to headings that are there', name => {
    const text = proseOf(read(name)).join('\n')
    const missing = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(([, file, anchor]) => {
      const target = file === '' ? name : join(name, '..', file)
      return !headingsOf(read(target)).includes(anchor)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  /** A file, or the beginning of the names of some, as Jest takes it. @param {string} path */
  const isThere = path => {
    const folder = join(ROOT, path, '..')
    return existsSync(folder) && readdirSync(folder).some(entry => entry.startsWith(basename(path)))
  }

  /** The others show keys that look like paths, or tell what was there once. */
  const OF_THE_CODE = WRITTEN.filter(name => !/^(README|CHANGELOG|docs.guides)/.test(name))

  test.each(OF_THE_CODE)('of %s names files that are there', name => {
    const paths = read(name).match(/(?<![\w./-])(?:actions|bench|cli|docs|lib|sandbox|test)\/[\w./-]*[\w/]/g) ?? []
    expect(paths.filter(path => !isThere(path) && !existsSync(join(ROOT, name, '..', path)))).toEqual([])
  })

  test('of the guides names files that are there', () => {
    const paths =
      GUIDES.map(read)
        .join('\n')
        .match(/(?<=\x60)(?:actions|bench|cli|docs|lib)\/[\w./-]+/g) ?? []
    expect(paths).not.toEqual([])
    expect(paths.filter(path => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('of the design names no file that there is not, by its name alone', () => {
    const lost = OF_THE_CODE.flatMap(name => {
      const names = read(name).match(/(?<=\x60)[\w-]+\.(?:d\.ts|js)(?=\x60)/g) ?? []
      return names.filter(file => !FILES.some(path => basename(path) === file)).map(file => `${name}: ${file}`)
    })
    expect(lost).toEqual([])
  })

  test('of docs/design.md draws every room of lib/', () => {
    const [picture] = /^```text\n[\s\S]*?^```$/m.exec(read('docs/design.md'))
    const folders = readdirSync(join(ROOT, 'lib'), { withFileTypes: true }).filter(entry => entry.isDirectory())
    const undrawn = folders.map(({ name }) => name).filter(name => !picture.includes(` ${name}/ `))
    expect(undrawn).toEqual(['api', 'types'])
  })

  test('of docs/README.md leads to every page', () => {
    const text = read('docs/README.md')
    const pages = markdownIn('docs').map(name => name.replaceAll('\\', '/').slice('docs/'.length))
    expect(pages.filter(name => name !== 'README.md' && !text.includes(`](${name})`))).toEqual([])
  })
})

const SCRIPT = /\.(?:js|mjs|ts|mts)$/
/** Of other projects, of archives and of examples. */
const ELSEWHERE = /^(?:Node\.js|index\.js|app\.js|runner\.js|(?:src\/)?service\.js|manifest\.json|(?:a\/)?[abc]\.txt)$/
const PATH =
  /(?<![\w./:@<>{}$*-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:js|mjs|d\.ts|d\.mts|md|txt|yaml|yml|json)(?![\w/*.-]*[\w/*-])/g

/** Seen from the comment's own folder or from one above it. @param {string} from @param {string} path */
function isNear(from, path) {
  for (let folder = join(from, '..'); ; folder = join(folder, '..')) {
    if (existsSync(join(ROOT, folder, path))) return true
    if (folder === '.') return false
  }
}

test('comments name files that are there', () => {
  const named = FILES.filter(name => SCRIPT.test(name)).flatMap(name => {
    const comments = read(name).match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm) ?? []
    return comments.flatMap(comment => comment.match(PATH) ?? []).map(path => ({ name, path }))
  })
  expect(named.length).toBeGreaterThan(100)
  const lost = named.filter(({ name, path }) => !ELSEWHERE.test(path) && !isNear(name, path))
  expect(lost.map(({ name, path }) => `${name}: ${path}`)).toEqual([])
})

test.each([
  ['sandbox/demo.js', '--size'],
  ['sandbox/index.js', '--source'],
  ['bench/simulation.js', '--profile'],
  ['test/random/index.js', '--kinds'],
])('%s, a program beside the command, tells what it can be asked, and does nothing', (file, option) => {
  const help = execFileSync(process.execPath, [join(ROOT, file), '--help'], { encoding: 'utf8' })
  expect(help).toMatch(new RegExp(`^Usage: [^]*${option}`))
})

test('the workflow of scripts.md is YAML, and its shell is one', () => {
  const [, text] = /^```yaml\n(# \S+copy\.yml[\s\S]*?)^```$/m.exec(read('docs/guides/scripts.md')) ?? []
  const { jobs } = parse(text ?? '')
  const { env, steps } = jobs.copy
  // The folder of the journals is what is kept, whatever becomes of the copy.
  const kept = steps.filter(({ uses }) => uses?.startsWith('actions/cache/'))
  expect(kept.map(step => step.uses)).toEqual(['actions/cache/restore@v5', 'actions/cache/save@v5'])
  expect(kept.map(step => step.with.path)).toEqual([env.XDG_STATE_HOME, env.XDG_STATE_HOME])
  expect(kept[1].if).toBe('always()')
  const { run } = steps.find(({ id }) => id === 'copy')
  expect(run).toContain(`-eq ${EXIT.TIMED_OUT} ]`)
  for (const step of steps) if (step.run) execFileSync('bash', ['-n', '-c', step.run])
})

test('CONTRIBUTING.md says of every dependency what it is for', () => {
  const text = read('CONTRIBUTING.md')
  const missing = name => !new RegExp(`^\\| \x60${name}\x60 \\| \\w.{10}`, 'm').test(text)
  expect(Object.keys(manifest.dependencies).filter(missing)).toEqual([])
})

test('xfer copy --help lists the options of which this table is made', () => {
  expect(options).toEqual(expect.arrayContaining(['--chunk', '--no-clobber', '--dest-region', '--help']))
})

test.each(Object.values(EXIT))('xfer copy --help tells the exit status %i', status => {
  expect(help.slice(help.indexOf('Exit status'))).toMatch(new RegExp(`\\b${status} [a-z]`))
})

test.each(Object.entries(COMMANDS))('xfer copy --help as that of %s fits 80 columns', (_, { help }) => {
  expect(help.split('\n').filter(line => line.length > 80)).toEqual([])
})
