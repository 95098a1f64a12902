'use strict'

/** Keeps the arrows of the design pointing down: who may import what, and a few things that only one place may do. */

const { execFileSync } = require('node:child_process')
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs')
const { isBuiltin } = require('node:module')
const { join, posix } = require('node:path')
const manifest = require('../package.json')

const ROOT = join(__dirname, '..')

/** What a file may import, by where it is; the first row that fits. A folder stands for all below it. */
const RULES = [
  // where                 what of our own
  ['actions/copy-range/', ['actions/copy-range/']],
  ['lib/schedule/', ['lib/schedule/', 'lib/errors.js', 'lib/system-clock.js', 'lib/until-aborted.js']],
  [
    'lib/stores/',
    [
      'lib/stores/',
      'lib/http/',
      'lib/errors.js',
      'lib/shown.js',
      'lib/crc32.js',
      'lib/repeat.js',
      'actions/copy-range/frame.js',
      'actions/copy-range/headers.js',
    ],
  ],
  [
    'lib/engines/',
    [
      'lib/engines/',
      'lib/http/',
      'lib/errors.js',
      'lib/shown.js',
      'lib/system-clock.js',
      'actions/copy-range/index.js',
      'actions/copy-range/pace.js',
      'actions/copy-range/version.js',
    ],
  ],
  [
    'lib/settings/',
    ['lib/settings/', 'lib/errors.js', 'lib/shown.js', 'lib/http/loopback.js', 'actions/copy-range/access.js'],
  ],
  ['lib/listing/', ['lib/listing/', 'lib/errors.js']],
  ['lib/select/', ['lib/select/', 'lib/errors.js']],
  ['lib/http/', ['lib/http/', 'lib/errors.js', 'actions/copy-range/proxy.js', 'actions/copy-range/trust.js']],
  ['lib/error-table/', ['lib/error-table/']],
  ['lib/errors.js', ['lib/error-table/index.js', 'lib/shown.js']],
  ['lib/shown.js', []],
  ['lib/journal/', ['lib/journal/', 'lib/errors.js']],
  ['lib/outage/', ['lib/outage/', 'lib/errors.js', 'lib/system-clock.js', 'lib/until-aborted.js']],
  ['lib/repeat.js', ['lib/errors.js', 'lib/until-aborted.js']],
  ['lib/until-aborted.js', ['lib/errors.js']],
  ['lib/system-clock.js', []],
  ['lib/crc32.js', []],
  ['lib/progress.js', []],
  ['lib/plan.js', ['lib/errors.js']],
  ['lib/location.js', ['lib/errors.js', 'lib/shown.js']],
  ['lib/integrity/', ['lib/integrity/', 'lib/errors.js', 'lib/crc32.js']],
  ['lib/renewal.js', ['lib/stores/s3/errors.js', 'lib/until-aborted.js']],
  ['lib/attributes/', ['lib/attributes/', 'lib/errors.js', 'lib/integrity/', 'lib/stores/s3/mail-safe.js']],
  ['lib/concessions.js', ['lib/attributes/']],
  ['lib/carry.js', ['lib/attributes/', 'lib/concessions.js', 'lib/condition.js', 'lib/errors.js', 'lib/integrity/']],
  ['lib/job-options.js', ['lib/settings/attributes.js']],
  ['lib/settle.js', ['lib/errors.js', 'lib/integrity/']],
  ['lib/condition.js', ['lib/errors.js', 'lib/integrity/', 'lib/settle.js']],
  [
    'lib/deploy/',
    [
      ...['lib/deploy/', 'lib/settings/', 'lib/errors.js', 'lib/platform.js', 'lib/repeat.js'],
      ...['actions/copy-range/access.js', 'actions/copy-range/trust.js'],
    ],
  ],
  [
    'lib/doctor/',
    [
      ...['lib/doctor/', 'lib/deploy/', 'lib/engines/', 'lib/http/', 'lib/settings/', 'lib/stores/'],
      ...['lib/errors.js', 'lib/location.js', 'lib/platform.js', 'actions/copy-range/trust.js'],
    ],
  ],
  [
    'lib/verify/',
    [
      ...[
        'lib/verify/',
        'lib/schedule/index.js',
        'lib/allowance.js',
        'lib/crc32.js',
        'lib/errors.js',
        'lib/integrity/',
      ],
      ...['lib/destination/', 'lib/job.js', 'lib/outcome.js', 'lib/settings/option-names.js', 'lib/tasks.js'],
      ...['lib/http/', 'lib/watch.js'],
    ],
  ],
  ['lib/destination/canary.js', ['lib/', 'actions/copy-range/frame.js']],
  [
    'lib/object/',
    [
      ...['lib/object/', 'lib/integrity/', 'lib/destination/', 'lib/schedule/index.js', 'lib/attributes/'],
      ...['lib/carry.js', 'lib/concessions.js', 'lib/condition.js', 'lib/crc32.js', 'lib/errors.js', 'lib/outcome.js'],
      ...['lib/reconcile.js', 'lib/settle.js'],
      ...[
        'lib/stores/s3/attributes.js',
        'lib/tasks.js',
        'lib/verify/read.js',
        'lib/verify/readable.js',
        'lib/verify/source.js',
      ],
    ],
  ],
  ['lib/server-side/route.js', ['lib/errors.js', 'lib/http/loopback.js']],
  ['lib/server-side/proofs.js', ['lib/integrity/']],
  [
    'lib/server-side/',
    [
      ...[
        'lib/server-side/',
        'lib/object/index.js',
        'lib/verify/',
        'lib/allowance.js',
        'lib/chunk.js',
        'lib/concessions.js',
      ],
      ...['lib/condition.js', 'lib/engines/server.js', 'lib/errors.js', 'lib/integrity/', 'lib/repeat.js'],
      ...['lib/settings/sizes.js', 'lib/settle.js'],
    ],
  ],
  ['lib/engines/server.js', ['lib/errors.js']],
  ['lib/allowance.js', ['lib/errors.js', 'lib/repeat.js']],
  ['lib/chunk-auto.js', []],
  ['lib/chunk.js', ['lib/chunk-auto.js', 'lib/errors.js']],
  ['lib/platform.js', ['lib/engines/', 'lib/http/', 'lib/errors.js']],
  ['lib/destination/', ['lib/', 'actions/copy-range/frame.js']],
  ['lib/', ['lib/']],
  ['cli/', ['cli/', 'lib/index.js', 'lib/errors.js', 'package.json']],
  ['sandbox/demo.js', ['sandbox/', 'lib/', 'cli/format.js']],
  ['sandbox/', ['sandbox/', 'lib/', 'actions/', 'package.json']],
]

/** The only place of each package; another one is another decision. */
const PACKAGES = {
  '@aws-sdk/client-s3': 'lib/stores/s3/control.js',
  '@aws-sdk/credential-providers': 'lib/settings/credentials.js',
  '@smithy/node-http-handler': 'lib/stores/s3/control.js',
  '@smithy/shared-ini-file-loader': 'lib/settings/profiles.js',
  'async-await-parallel': 'lib/schedule/scheduler.js',
  'async-retry': 'lib/repeat.js',
  commander: 'cli/',
  fflate: 'lib/deploy/zip.js',
  openwhisk: 'lib/engines/openwhisk-client.js',
  yaml: 'lib/deploy/manifest.js',
}

/** Clock, chance, timers and the process come in as arguments. */
const PURE = [
  'actions/copy-range/access.js',
  'actions/copy-range/address.js',
  'actions/copy-range/headers.js',
  'actions/copy-range/pace.js',
  'actions/copy-range/wire/body.js',
  'actions/copy-range/wire/head.js',
  'lib/attributes/compare.js',
  'lib/attributes/refused-tags.js',
  'lib/attributes/wanted.js',
  'lib/chunk-auto.js',
  'lib/concessions.js',
  'lib/condition.js',
  'lib/crc32.js',
  'lib/deploy/compare.js',
  'lib/doctor/clock.js',
  'lib/doctor/machine.js',
  'lib/engines/openwhisk-errors.js',
  'lib/engines/openwhisk-failures.js',
  'lib/engines/openwhisk-limits.js',
  'lib/engines/skew.js',
  'lib/error-table/engine.js',
  'lib/error-table/index.js',
  'lib/error-table/rest.js',
  'lib/error-table/store.js',
  'lib/error-table/use.js',
  'lib/error-table/words.js',
  'lib/errors.js',
  'lib/integrity/evidence.js',
  'lib/integrity/index.js',
  'lib/integrity/objects.js',
  'lib/integrity/source.js',
  'lib/integrity/sums.js',
  'lib/journal/claims.js',
  'lib/journal/facts.js',
  'lib/journal/lines.js',
  'lib/journal/replay.js',
  'lib/journal/snapshot.js',
  'lib/listing/guess.js',
  'lib/listing/middle.js',
  'lib/listing/order.js',
  'lib/listing/page.js',
  'lib/listing/pages.js',
  'lib/listing/range.js',
  'lib/location.js',
  'lib/outage/state.js',
  'lib/multipart/anew.js',
  'lib/outcome.js',
  'lib/plan.js',
  'lib/progress.js',
  'lib/schedule/backoff.js',
  'lib/schedule/batch.js',
  'lib/schedule/climb.js',
  'lib/schedule/hedging.js',
  'lib/schedule/items.js',
  'lib/schedule/limit.js',
  'lib/schedule/queue.js',
  'lib/schedule/pressure.js',
  'lib/schedule/quota.js',
  'lib/schedule/setbacks.js',
  'lib/schedule/store-limit.js',
  'lib/schedule/stragglers.js',
  'lib/select/decide.js',
  'lib/select/filter.js',
  'lib/select/glob.js',
  'lib/settings/attributes.js',
  'lib/settings/durations.js',
  'lib/renewal.js',
  'lib/server-side/proofs.js',
  'lib/server-side/route.js',
  'lib/settle.js',
  'lib/settings/engine-limits.js',
  'lib/settings/hosts.js',
  'lib/settings/option-names.js',
  'lib/settings/package.js',
  'lib/settings/rates.js',
  'lib/settings/sizes.js',
  'lib/settings/times.js',
  'lib/stores/s3/conditions.js',
  'lib/stores/s3/identity.js',
  'lib/stores/s3/documents.js',
  'lib/stores/s3/echo.js',
  'lib/stores/s3/list.js',
  'lib/stores/s3/uploads.js',
  'lib/stores/s3/xml.js',
  'lib/stores/s3/xml-text.js',
  'lib/shown.js',
  'lib/stores/s3/attributes.js',
  'lib/stores/s3/mail-safe.js',
  'lib/stores/s3/signer.js',
  'cli/format.js',
]

const MOST_LINES = 400

const published = manifest.files.filter(name => statSync(join(ROOT, name)).isDirectory())

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
  const names = [...codeOf(file).matchAll(/\brequire\(\s*['"]([^'"]+)['"]/g)].map(match => match[1])
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
  const places = [...RULES.flatMap(([place, own]) => [place, ...own]), ...Object.values(PACKAGES), ...PURE]
  expect(places.filter(place => !existsSync(join(ROOT, place)))).toEqual([])
  expect(scripts.length).toBeGreaterThan(80)
})

test.each(scripts)('%s imports only what its place allows', file => {
  const [, allowed] = RULES.find(([place]) => within(file, place)) ?? [file, []]
  const { own } = importsOf(file)
  expect(own.filter(target => !allowed.some(place => within(target, place)))).toEqual([])
})

test.each(publishedFiles.filter(file => file.endsWith('.js')))(
  '%s uses a package only where that is its place',
  file => {
    const { packages } = importsOf(file)
    expect(packages.filter(name => !(PACKAGES[name] && within(file, PACKAGES[name])))).toEqual([])
  },
)

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

test.each(scripts)('%s requires by name, so that these rules see it', file => {
  expect(codeOf(file).match(/\brequire\((?!\s*['"])[^)]*\)|\bimport\(/g) ?? []).toEqual(dynamicRequires(file))
})

/** The local platform loads the actions that it is given. */
function dynamicRequires(file) {
  return file === 'sandbox/platform/runtime/load.js' ? expect.anything() : []
}

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
  expect(found).toEqual(['cli/xfer.js'])
})

test.each(PURE)('%s knows no clock, no chance and no environment', file => {
  const impure =
    /(?<![.\w])(?:Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|process\.|performance\.)/g
  expect(codeOf(file).match(impure) ?? []).toEqual([])
})

test.each(publishedFiles)('%s fits in a head and is no test', file => {
  expect(read(file).split('\n').length).toBeLessThanOrEqual(MOST_LINES)
  expect(file).not.toMatch(/\.(?:test|spec)\.|\/(?:__tests__|test|fixtures)\//)
})

test.each(scripts)('%s is strict', file => {
  expect(codeOf(file)).toMatch(/^(?:#!.*\n)?\s*'use strict'/)
})

test('the library loads neither the AWS SDK nor the platform client, so that a usage error is quick', () => {
  const script = `
    Object.values(require(${JSON.stringify(join(ROOT, 'lib'))}))
    process.stdout.write(JSON.stringify(Object.keys(require.cache)))
  `
  const loaded = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
  expect(loaded).toContain(join(ROOT, 'lib', 'copy.js'))
  expect(loaded.filter(path => /node_modules.(?:@aws-sdk|@smithy|openwhisk)\b/.test(path))).toEqual([])
})
