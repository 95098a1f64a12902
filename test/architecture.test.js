'use strict'

/** Keeps the arrows of the design pointing down: who may import what, and a few things that only one place may do. */

const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs')
const { isBuiltin } = require('node:module')
const { join, posix } = require('node:path')
const manifest = require('../package.json')

const ROOT = join(__dirname, '..')

/** @param {string} words */
const listed = words => words.trim().split(/\s+/)

/** The program's floors, from the ground up: a file imports from its own folder and from those below. */
const PROGRAM = ['actions/', 'lib/', 'cli/', 'sandbox/', 'bench/', 'docs/']

/** The rooms of lib/, floor by floor from the ground up: a room imports from the floors below it. */
const FLOORS = [
  ['errors', 'notices'],
  ['async', 'cost', 'files', 'http', 'integrity', 'listing', 'progress', 'redis'],
  ['aws'],
  ['stores', 'engines', 'schedule'],
  ['destination', 'options'],
  ['journal', 'doctor', 'probe'],
  ['job', 'verify'],
  ['copy'],
  ['stream'],
  ['manifest'],
  ['many'],
  ['commands'],
  ['runner'],
]

/** Where a room of one floor imports from another of the same, and nothing comes back. */
const BESIDE = ['http async']

/** What of another folder may be imported, where it is less than all below one's own. */
const NARROWER = [
  ['actions/', ['actions/']],
  ['lib/schedule/', ['lib/schedule/', 'lib/errors/', 'lib/async/', 'lib/notices/']],
  [
    'cli/',
    listed(`
      cli/ lib/index.js lib/errors/ lib/options/index.js lib/engines/index.js lib/engines/http/serve/index.js
      lib/files/index.js lib/progress/index.js lib/stores/index.js lib/job/index.js lib/journal/index.js package.json
    `),
  ],
]

/** The only place of each package; another one is another decision. */
const PACKAGES = {
  '@aws-sdk/credential-provider-node': 'lib/aws/profiles.js',
  '@smithy/shared-ini-file-loader': ['lib/aws/profiles.js'],
  'async-await-parallel': 'lib/schedule/scheduler.js',
  'async-retry': 'lib/async/repeat.js',
  commander: 'cli/',
  fflate: 'lib/engines/archive/files.js',
  hyparquet: 'lib/manifest/open.js',
  ioredis: 'lib/redis/index.js',
  'mime-types': 'lib/stores/file/list.js',
  openwhisk: ['lib/engines/openwhisk/resources.js', 'lib/engines/openwhisk/alarms.js'],
  uplot: 'cli/report/page.js',
  yaml: ['lib/engines/openwhisk/deploy.js', 'lib/cost/prices.js'],
}

/** Clock, chance, timers and the process come in as arguments. */
const PURE = listed(`
  actions/copy-range/address-guard.js actions/copy-range/answers.js actions/copy-range/http1.js
  actions/copy-range/dialects.js actions/copy-range/redact.js actions/copy-range/sums.js cli/format.js
  lib/destination/ lib/engines/openwhisk/compare.js lib/engines/openwhisk/engine.js lib/engines/openwhisk/errors.js
  lib/errors/ lib/http/ lib/integrity/ lib/journal/facts.js lib/journal/replay.js lib/listing/ lib/notices/
  lib/copy/attributes/ lib/copy/plan.js lib/options/ lib/progress/ lib/schedule/ lib/many/select/ lib/stores/
`)

/** Of these rooms, the files that take clock, timers or the process themselves. */
const NOT_PURE = listed(`
  lib/http/agents.js lib/http/send.js lib/many/select/names.js lib/options/arguments.js lib/options/read.js
  lib/options/table/copy.js lib/progress/watch.js lib/schedule/scheduler.js lib/stores/azure/credentials.js
  lib/stores/azure/settings.js lib/stores/azure/store.js lib/stores/common/client.js lib/stores/file/store.js
  lib/stores/file/upload.js lib/stores/https/store.js lib/stores/own-rows.js lib/stores/redis/store.js
  lib/stores/s3/settings.js lib/stores/s3/store.js
`)

const MOST_LINES = 400

const published = manifest.files.filter(name => !name.startsWith('!') && statSync(join(ROOT, name)).isDirectory())

/** @param {string} folder @returns {string[]} paths from the root, with slashes */
function filesOf(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => posix.join(entry.parentPath.slice(ROOT.length + 1).replaceAll('\\', '/'), entry.name))
}

const publishedFiles = published.flatMap(filesOf)
const scripts = [...publishedFiles, ...filesOf('sandbox')].filter(file => file.endsWith('.js'))
const read = file => readFileSync(join(ROOT, file), 'utf8')
const codeOf = file => read(file).replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')

/** @param {string} file @returns {{ packages: string[], own: string[] }} what it requires, our own as paths from the root */
function importsOf(file) {
  const names = [...codeOf(file).matchAll(/\b(?:require(?:\.resolve)?|import)\(\s*['"]([^'"]+)['"]/g)].map(
    match => match[1],
  )
  const outside = names.filter(name => !name.startsWith('.') && !isBuiltin(name))
  return {
    packages: outside.map(name => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]),
    own: names.filter(name => name.startsWith('.')).map(name => resolve(posix.join(posix.dirname(file), name))),
  }
}

/** @param {string} path as required @returns {string} the file */
function resolve(path) {
  const found = [path, `${path}.js`, `${path}/index.js`].find(
    candidate => existsSync(join(ROOT, candidate)) && statSync(join(ROOT, candidate)).isFile(),
  )
  return found ?? `${path} (missing)`
}

const within = (file, place) => file === place || (place.endsWith('/') && file.startsWith(place))

test('the files that the rules speak of are there', () => {
  const places = [...NARROWER.flatMap(([place, own]) => [place, ...own]), ...Object.values(PACKAGES).flat(), ...PURE]
  expect(places.filter(place => !existsSync(join(ROOT, place)))).toEqual([])
  const rooms = readdirSync(join(ROOT, 'lib'), { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(rooms.map(({ name }) => name).sort()).toEqual([...FLOORS.flat(), 'api', 'types'].sort())
  expect(scripts.length).toBeGreaterThan(80)
})

/** Every import within the project. @type {Array<{ from: string, to: string }>} */
const arrows = scripts.flatMap(from => importsOf(from).own.map(to => ({ from, to })))
const shown = ({ from, to }) => `${from} -> ${to}`

test('nothing is imported that is not there', () => {
  expect(arrows.filter(({ to }) => to.endsWith('(missing)')).map(shown)).toEqual([])
})

test('imports between the folders of the program point down', () => {
  const floorOf = file => PROGRAM.findIndex(folder => file.startsWith(folder))
  const wrong = arrows.filter(({ from, to }) => floorOf(to) > floorOf(from))
  const tooWide = arrows.filter(({ from, to }) => {
    const [, allowed] = NARROWER.find(([place]) => within(from, place)) ?? [from, [to]]
    return !allowed.some(place => within(to, place))
  })
  expect([...wrong, ...tooWide].map(shown)).toEqual([])
})

test('imports between the rooms of lib/ point down', () => {
  const roomOf = file => /^lib\/([^/]+)\//.exec(file)?.[1]
  const floorOf = room => FLOORS.findIndex(rooms => rooms.includes(room))
  const wrong = arrows.filter(({ from, to }) => {
    const [a, b] = [roomOf(from), roomOf(to)]
    return a && b && a !== b && floorOf(b) >= floorOf(a) && !BESIDE.includes(`${a} ${b}`)
  })
  expect(wrong.map(shown)).toEqual([])
  const beside = ({ from, to }) => floorOf(roomOf(from)) === floorOf(roomOf(to)) && `${roomOf(from)} ${roomOf(to)}`
  const needed = new Set(arrows.filter(({ from, to }) => roomOf(from) && roomOf(to)).map(beside))
  expect(BESIDE.filter(pair => !needed.has(pair))).toEqual([])
})

test('what users meet of the types imports nothing inner, and no package', () => {
  const face = [...filesOf('lib/api'), 'lib/index.d.ts', 'lib/index.d.mts']
  const imported = face.flatMap(file =>
    [...codeOf(file).matchAll(/\b(?:from|import\(|require\()\s*'([^']+)'|<reference/g)].map(([, name = '']) =>
      name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
    ),
  )
  expect(imported.length).toBeGreaterThan(10)
  // A program need not have the types of Node.js: lib/api/reading.d.ts does without those of this module.
  expect(imported.filter(path => !/^(lib\/(api\/\w+|index\.js)|node:stream)$/.test(path))).toEqual([])
  expect(face.filter(file => /\b(?:Buffer|NodeJS)\b/.test(codeOf(file)))).toEqual([])
})

/** Rooms that are not yet behind one door. */
const OPEN_ROOMS = ['lib/commands']

/** Floors of rooms: what lies loose in them is an entrance of its own. */
const HALLS = ['actions', 'actions/copy-range', 'lib']

/** Of a hall, but read by its rooms: data about what they speak to. */
const SHARED_TABLES = ['lib/stores/servers.js']

/** @returns {string | undefined} the outermost folder that holds the one file and not the other */
function roomEntered(from, to) {
  const program = ['actions/', 'lib/'].some(folder => to.startsWith(folder))
  if (!program || !(from.startsWith('actions/') || from.startsWith('lib/'))) return undefined
  const folders = to.split('/').slice(0, -1)
  const paths = folders.map((_, depth) => folders.slice(0, depth + 1).join('/'))
  return paths.find(path => !within(from, `${path}/`) && !HALLS.includes(path))
}

test('a room of lib/ and of the action is entered by its door', () => {
  const wrong = arrows.filter(({ from, to }) => {
    const room = roomEntered(from, to)
    return room && to !== `${room}/index.js` && !OPEN_ROOMS.some(open => within(to, `${open}/`))
  })
  expect(wrong.map(shown)).toEqual([])
})

/** What is not published, and not checked for types. */
const trials = ['test', 'bench', 'sandbox'].flatMap(filesOf).filter(file => file.endsWith('.js'))

/** What one store or one engine alone has is also used and tested from elsewhere. */
const VENDORS = listed(`
  lib/stores/azure/ lib/stores/gcs/ lib/stores/servers.js lib/stores/s3/ lib/engines/http/ lib/engines/lambda/
  lib/engines/local/ lib/engines/openwhisk/
`)

/** Tests that look past a door, because they hold two rooms to one another, or play a part of a room. */
const PAST_THE_DOOR = ['test/lib/options/table.test.js -> lib/journal/facts.js']

test('what is outside lib/ enters its rooms by their doors, but for the unit tests of a room', () => {
  const outside = new Set([...trials, ...scripts.filter(file => /^(?:cli|docs)\//.test(file))])
  const entered = [...outside].flatMap(from => importsOf(from).own.map(to => ({ from, to })))
  const wrong = entered.filter(({ from, to }) => {
    const [, room] = /^(lib\/[^/]+)\//.exec(to) ?? []
    const open = !room || to === `${room}/index.js` || from.startsWith(`test/${room}/`)
    return !open && !VENDORS.some(folder => to.startsWith(folder))
  })
  expect(wrong.map(shown).sort()).toEqual(PAST_THE_DOOR)
})

/** @param {string} list as between braces @returns {string[]} its members: what is between the outermost commas */
function membersOf(list) {
  const members = ['']
  let depth = 0
  for (const sign of list) {
    if ('({['.includes(sign)) depth++
    if (')}]'.includes(sign)) depth--
    if (sign === ',' && depth === 0) members.push('')
    else members[members.length - 1] += sign
  }
  return members.map(member => member.trim()).filter(Boolean)
}

/** @param {string} file @returns {string[] | undefined} undefined: the file does not list them as one object literal */
function exportsOf(file) {
  const [, list] = /^module\.exports = \{([\s\S]*)\}\s*(?:\n\nif \(require\.main[\s\S]*)?$/m.exec(codeOf(file)) ?? []
  const members = list === undefined ? undefined : membersOf(list)
  if (!members || members.some(member => member.startsWith('...'))) return undefined
  return members.map(member => /^(?:get |async )?['"]?([\w$-]+)/.exec(member)?.[1] ?? member)
}

test('what tests, benchmarks and the sandbox take from a file of ours is there', () => {
  const known = new Map()
  const namesOf = file => {
    if (!known.has(file)) known.set(file, file.endsWith('.js') ? exportsOf(file) : undefined)
    return known.get(file)
  }
  const taken = trials.flatMap(from =>
    [...codeOf(from).matchAll(/^\s*const \{([^{}]*)\} = require\('(\.[^']*)'\)$/gm)].flatMap(([, list, path]) => {
      const to = resolve(posix.join(posix.dirname(from), path))
      return membersOf(list).map(member => ({ from, to, name: /^[\w$]+/.exec(member)?.[0] ?? member }))
    }),
  )
  const checked = taken.filter(({ to }) => !to.endsWith('(missing)') && namesOf(to))
  expect(checked.length).toBeGreaterThan(1_500)
  const wrong = checked.filter(({ to, name }) => !namesOf(to).includes(name))
  expect(wrong.map(({ name, ...arrow }) => `${shown(arrow)}: ${name}`)).toEqual([])
})

test('no cycle between folders', () => {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map()
  const alone = file => HALLS.includes(posix.dirname(file)) || SHARED_TABLES.includes(file)
  const roomOf = file => (alone(file) ? file : posix.dirname(file))
  for (const { from, to } of arrows) {
    const [a, b] = [roomOf(from), roomOf(to)]
    if (a !== b && /^(?:lib|actions)\//.test(from)) graph.set(a, (graph.get(a) ?? new Set()).add(b))
  }
  const reach = (folder, seen = new Set()) => {
    for (const next of graph.get(folder) ?? []) if (!seen.has(next)) reach(next, seen.add(next))
    return seen
  }
  expect([...graph.keys()].filter(folder => reach(folder).has(folder))).toEqual([])
})

/** Made from the table of options. */
const OF_OPTIONS = ['lib/api/options.d.ts', 'lib/options/values.d.ts']
/** The codes in capitals are those of every engine. */
const OF_ENGINES = ['actions/copy-range/dialects.js', 'lib/engines/registry.js', 'lib/api/codes.d.ts', ...OF_OPTIONS]
/** What people type who know other tools. */
const OF_HINTS = 'cli/hints/'

/** Words that only one folder may know: whatever one platform or store calls its own. The values are where they may stand. */
const OWN_WORDS = [
  [/[wW]hisk|\bwsk|[aA]ctivation|__OW/, ['lib/engines/openwhisk/', ...OF_ENGINES]],
  [
    /x-amz-|\bs3:(?!\/\/)|\baws:|\bAWS\b|\bAWS_|\bS3\b|\bNoSuch[A-Z]|PreconditionFailed|AccessDenied|\bInvalidPart\b|\bSSE\b|\bKMS\b|\bAES256\b/,
    [
      // Also the S3 store in another dialect, what is known of servers that speak its protocol, and addresses that stores sign.
      ...['lib/aws/', 'lib/stores/s3/', 'lib/stores/gcs/', 'lib/stores/servers.js', 'lib/stores/https/'],
      ...['lib/engines/lambda/', 'lib/cost/prices.js', 'actions/copy-range/dialects.js', OF_HINTS],
      // The AWS CLI is what patterns and options are named after; lists of objects have the names of those who write them.
      ...['lib/many/select/', 'lib/manifest/', 'lib/options/table/', ...OF_OPTIONS, 'cli/help/'],
      // The variable AWS_CA_BUNDLE is for every connection.
      ...['lib/http/settings.js', 'lib/engines/openwhisk/settings.js'],
    ],
  ],
  [/lambda/i, ['lib/engines/lambda/', 'lib/cost/prices.js', ...OF_ENGINES]],
  [/x-goog-|GOOG4|googleapis|\bgs:\/\//, ['lib/stores/gcs/', 'lib/stores/servers.js', 'lib/stores/https/', OF_HINTS]],
  [
    /\bx-ms-|\bAzure\b|\bAZURE_|\bBlobNotFound\b/,
    [
      ...['lib/stores/azure/', 'lib/cost/prices.js', 'lib/stores/https/', 'cli/help/', OF_HINTS],
      // Addresses of the clouds' metadata.
      'actions/copy-range/address-guard.js',
    ],
  ],
]

test('only its own folder knows the words of a platform or a store, comments included', () => {
  const files = publishedFiles.filter(file => /^(?:lib|actions|cli)\//.test(file))
  const linesIn = (file, words) => read(file).match(new RegExp(`^.*(?:${words.source}).*$`, `gm${words.flags}`)) ?? []
  const wrong = OWN_WORDS.flatMap(([words, places]) => {
    const others = files.filter(file => !places.some(place => within(file, place)))
    return others.flatMap(file => linesIn(file, words).map(line => `${file}: ${line}`))
  })
  expect(wrong).toEqual([])
  const needless = OWN_WORDS.flatMap(([words, places]) =>
    places.filter(place => !files.some(file => within(file, place) && words.test(read(file)))),
  )
  expect(needless).toEqual([])
})

test('nobody but the registry asks for an engine by its name: abilities answer', () => {
  const asks = /\bengine\.name\s*[!=]==|\bengine(?:Name)?\s*[!=]==\s*'(?!auto')/
  const files = publishedFiles.filter(file => /^lib\/.*\.js$/.test(file) && file !== 'lib/engines/choose.js')
  expect(files.filter(file => asks.test(codeOf(file)))).toEqual([])
})

test('a package is used only where that is its place', () => {
  const wrong = publishedFiles
    .filter(file => file.endsWith('.js'))
    .flatMap(file => importsOf(file).packages.map(name => ({ from: file, to: name })))
    .filter(({ from, to }) => ![PACKAGES[to] ?? []].flat().some(place => within(from, place)))
  expect(wrong.map(shown)).toEqual([])
})

test('the lock file is whole on every platform, and names no place to download from', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const wanted = Object.values(packages).flatMap(one => Object.keys(one.optionalDependencies ?? {}))
  const missing = wanted.filter(name => !Object.keys(packages).some(path => path.endsWith(`node_modules/${name}`)))
  expect(missing).toEqual([])
  expect(Object.keys(packages).filter(path => packages[path].resolved)).toEqual([])
})

test('the packages in use are the dependencies, no more and no fewer', () => {
  const used = new Set(publishedFiles.filter(file => file.endsWith('.js')).flatMap(file => importsOf(file).packages))
  expect([...used].sort()).toEqual(Object.keys(manifest.dependencies).sort())
  expect(Object.keys(PACKAGES).sort()).toEqual([...used].sort())
})

test('every file requires by name, so that these rules see it', () => {
  expect(scripts.filter(file => /\b(?:require|import)\((?!\s*['"])[^)]*\)/.test(codeOf(file)))).toEqual([])
})

test('nothing imports itself in a circle', () => {
  const graph = new Map(scripts.map(file => [file, importsOf(file).own]))
  const finished = new Set()
  const circles = []
  const walk = (file, path) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    else if (!finished.has(file)) {
      for (const target of graph.get(file) ?? []) walk(target, [...path, file])
      finished.add(file)
    }
  }
  for (const file of scripts) walk(file, [])
  expect(circles).toEqual([])
})

test('only the program ends the process', () => {
  // The signal 0 asks whether a process is there, and does nothing to it.
  const ends = /\bprocess\.(?:exit|exitCode|abort|kill(?!\(\w+, 0\))|reallyExit)\b/
  const found = publishedFiles.filter(file => file.endsWith('.js') && ends.test(codeOf(file)))
  // xfer stop sends another one a signal, as its user could.
  expect(found).toEqual(['cli/xfer.js', 'lib/commands/jobs.js'])
})

test('pure files read no clock, no random number and no environment', () => {
  const impure =
    /(?<![.\w])(?:Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|process\.|performance\.)/
  const found = scripts.filter(file => PURE.some(place => within(file, place)) && impure.test(codeOf(file)))
  expect(found.toSorted()).toEqual(NOT_PURE)
})

test('every published file fits in a head, and none is a test', () => {
  // The others are made from tables; the library's face has an entry for each function.
  const written = publishedFiles.filter(file => !/^docs\/reference\/|^lib\/(?:api\/options|index)\.d\.ts$/.test(file))
  expect(written.filter(file => read(file).split('\n').length > MOST_LINES)).toEqual([])
  expect(publishedFiles.filter(file => /\.(?:test|spec)\.|\/(?:__tests__|test|fixtures)\//.test(file))).toEqual([])
})

test('an object is written as one: no bag of properties is spread into another', () => {
  expect(scripts.filter(file => /\.\.\.\{/.test(codeOf(file)))).toEqual([])
})

test('a type has a name of its own', () => {
  const TYPE =
    /@typedef\s+(\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})\s+(\w+)|@(?:typedef|callback)\s+(\w+)$/gm
  const DECLARED = /^(?:export )?(?:interface (\w+)|type (\w+)[^=\n]*= ?(.*)$)/gm
  /** The same type by its own name is no other one. @param {string} name @param {string} type */
  const isAlias = (name, type) =>
    new RegExp(`^\\{?import\\('[^']*'\\)(?:\\.|\\[')${name}(?:'\\])?(?:<[^>]*>)?\\}?$`).test(type)
  /** @type {Map<string, string[]>} */
  const files = new Map()
  const types = publishedFiles.filter(file => /^(?:cli|lib)\/(?!api\/|index\.d\.ts).*\.(?:js|d\.ts)$/.test(file))
  for (const file of types) {
    const found = file.endsWith('.js')
      ? [...read(file).matchAll(TYPE)].map(([, type = '', name, plain]) => ({ name: name ?? plain, type }))
      : [...read(file).matchAll(DECLARED)].map(([, one, other, type = '']) => ({ name: one ?? other, type }))
    for (const { name, type } of found) if (!isAlias(name, type)) files.set(name, [...(files.get(name) ?? []), file])
  }
  expect(files.size).toBeGreaterThan(300)
  expect(Object.fromEntries([...files].filter(([, where]) => where.length > 1))).toEqual({})
})

test('every file is strict', () => {
  expect(scripts.filter(file => !/^(?:#!.*\n)?\s*'use strict'/.test(codeOf(file)))).toEqual([])
})
