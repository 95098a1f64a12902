'use strict'

/**
 * The package as its users have it: packed, installed elsewhere, compiled by TypeScript with `--strict` and without
 * `skipLibCheck`, and run as an ES module and as CommonJS. So are the examples of the declarations and of the guide.
 */

const { mkdirSync, readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const library = require('../../lib')
const { faceOf } = require('../../docs/make/declarations')
const { newFolder } = require('../support/folder')
const { keep, startDeployed, startStore } = require('../support/opened')
const { bareEnv, copyEnv, stateEnv } = require('../support/run-xfer')
const { bytesOf, createBuckets, openStore, put } = require('../support/s3')
const { blocksOf } = require('./guide')
const { copyInto, installPackage, lend, run, write } = require('./install')

const TSC = join(__dirname, '..', '..', 'node_modules', '.bin', 'tsc')
const STRICT = ['--strict', '--target', 'es2022', '--skipLibCheck', 'false', '--pretty', 'false']
const BIG = 300_000

const GUIDE = blocksOf()
const EXAMPLES = Object.fromEntries(faceOf().functions.map(({ name, doc }) => [name, doc.example]))

let installed
let server
let platform
let env
const home = newFolder()
beforeAll(async () => {
  ;[installed, server, platform] = await Promise.all([keep(installPackage()), startStore(), startDeployed()])
  await createBuckets(server, 'src', 'dst', 'dest', 'team-state')
  const from = openStore(server, 'src')
  await put(from, 'big.bin', bytesOf(BIG, 'big'))
  await put(from, 'big', bytesOf(20 * 1024 ** 2, 'of three parts'))
  for (const name of ['photos/a.jpg', 'photos/b.jpg', 'photos/c.txt']) await put(from, name, bytesOf(100, name))
  from.close()
  const ofCopies = copyEnv(server, server, platform)
  env = { ...bareEnv, ...ofCopies, ...stateEnv(ofCopies), HOME: home, XDG_STATE_HOME: home }
  const { folder } = installed
  lend(folder, '@types/node', 'undici-types')
  copyInto(join(__dirname, 'consumers'), folder)
  // What the guide has its reader install, as far as its examples call it.
  const providers = join(folder, 'node_modules/@aws-sdk/credential-providers')
  mkdirSync(providers, { recursive: true })
  write(providers, {
    'package.json': JSON.stringify({ name: '@aws-sdk/credential-providers', types: 'index.d.ts' }),
    'index.d.ts': `export declare function fromTemporaryCredentials(options: { params: { RoleArn: string } }):
      () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string; expiration?: Date }>`,
  })
  write(folder, Object.fromEntries(GUIDE.map(({ code }, i) => [`guide-${i + 1}.mts`, code])))
  // What an example reads.
  write(folder, { 'raid.tar': 'tar' })
  write(folder, Object.fromEntries(Object.entries(EXAMPLES).map(([name, text]) => [`example-${name}.mts`, text])))
}, 120_000)

/** @param {string[]} files @param {...string} args @returns {Promise<string>} what the compiler says; '' if nothing */
async function compile(files, ...args) {
  const { folder } = installed
  const ended = run(TSC, [...STRICT, ...args, ...files], { cwd: folder })
  return (await ended.catch(failure => failure)).stdout
}
const filesOf = pattern => readdirSync(installed.folder).filter(name => pattern.test(name))
const NODE = ['--types', 'node']
/** Compiled without the types of a browser, whose `Response` takes no stream of Node.js. */
const STREAMS = 'streams.mts'

/** @param {string} file @returns {Promise<string>} what it prints */
async function play(file) {
  const { stdout } = await run(process.execPath, [file], { cwd: installed.folder, env })
  return stdout
}

test.each([
  ['an ES module and CommonJS', 'nodenext', 'nodenext', /\.[mc]ts$/],
  ['an ES module and CommonJS, as Node.js 16 had it', 'node16', 'node16', /\.[mc]ts$/],
  ['a bundler', 'preserve', 'bundler', /\.mts$/],
])('compile for %s', async (_, module, moduleResolution, pattern) => {
  const args = ['--noEmit', '--module', module, '--moduleResolution', moduleResolution, ...NODE]
  const files = filesOf(pattern).filter(name => name !== STREAMS)
  expect(files.length).toBeGreaterThan(10)
  expect(await compile(files, ...args)).toBe('')
})

test.each(['es2022', 'esnext'])('a download is a stream of Node.js to TypeScript (--lib %s)', async lib => {
  expect(await compile([STREAMS], '--noEmit', '--module', 'nodenext', '--lib', lib, ...NODE)).toBe('')
})

test('the declarations compile without the types of Node.js', async () => {
  expect(await compile(['bare.mts'], '--noEmit', '--module', 'nodenext', '--types', '')).toBe('')
})

describe('run', () => {
  beforeAll(async () => {
    const files = filesOf(/\.[mc]ts$/).filter(name => name !== STREAMS)
    expect(await compile(files, '--module', 'nodenext', ...NODE)).toBe('')
  })

  test('as an ES module', async () => {
    expect(JSON.parse(await play('esm.mjs'))).toEqual({
      bytes: BIG,
      events: ['done', 'part', 'plan', 'progress'],
      recursive: 'sync',
      objects: 3,
      method: 'read',
      codes: ['NO_SUCH_KEY', 'NO_SUCH_KEY', 'NO_SUCH_JOB'],
      same: true,
    })
  })

  test('as CommonJS', async () => {
    const told = { bytes: BIG, done: BIG, jobs: 0, uploads: 0, code: 'NO_SUCH_KEY', NOT_FOUND: 3 }
    expect(JSON.parse(await play('commonjs.cjs'))).toEqual(told)
  })

  test('each example of the declarations', async () => {
    const { XferError: _, EXIT: __, ...functions } = library
    expect(Object.keys(EXAMPLES).sort()).toEqual(Object.keys(functions).sort())
    const printed = {}
    // In this order: what one has copied another compares. Without the function `doctor` would not be content.
    const names = Object.keys(EXAMPLES).filter(name => name !== 'undeploy')
    for (const name of [...names, 'undeploy']) printed[name] = await play(`example-${name}.mjs`)
    expect(printed).toMatchObject({
      copy: expect.stringContaining(`${BIG} of ${BIG} bytes\n`),
      copyPrefix: '2 0\n',
      verify: expect.stringContaining('equal by '),
      deploy: expect.stringContaining('xfer/copy-range'),
      undeploy: expect.stringContaining('removed'),
      doctor: expect.stringContaining('node true'),
      work: expect.stringContaining('done: 1'),
      attach: expect.stringContaining(' done\n'),
    })
    // Each example is a process.
  }, 180_000)
})

const programOf = heading => GUIDE.filter(block => block.heading === heading).map(({ code }) => code)

test('the guide has code that is compiled: each block of it', () => {
  expect(GUIDE.length).toBeGreaterThan(8)
  expect(filesOf(/^guide-\d+\.mts$/)).toHaveLength(GUIDE.length)
})

test('the guide stops a copy and goes on with it', async () => {
  const { folder } = installed
  const [stopping, goingOn] = programOf('Stopping and going on')
  write(folder, { 'stopping.mjs': stopping, 'going-on.mjs': goingOn })
  const asked = new Set()
  server.faults.add({ operation: 'UploadPartCopy', partNumber: 3, delayMs: 60_000 })
  const stopped = run(process.execPath, ['stopping.mjs'], { cwd: folder, env })
  const stop = ({ operation, partNumber }) => {
    if (operation === 'UploadPartCopy') asked.add(partNumber)
    if (asked.size < 3) return
    server.off('begin', stop)
    stopped.child.kill('SIGTERM')
  }
  server.on('begin', stop)
  const { stdout } = await stopped
  server.faults.clear()
  const [, job] = /^stopped; go on with resume\('([\w-]+)'\)\n$/.exec(stdout) ?? []
  expect(job).toEqual(expect.any(String))
  expect(await play('going-on.mjs')).toMatch(new RegExp(`^${job} is done: [1-9]\\d+ bytes had been copied before\n$`))
  expect(await play('going-on.mjs')).toBe('')
})

test('both kinds have the same names, and the library loads what it needs when it is called', async () => {
  const script = `
    import { createRequire } from 'node:module'
    import * as esm from 'xfer'
    const require = createRequire(import.meta.url)
    const own = Object.keys(require.cache).filter(path => !/errors|redact/.test(path))
    const commonjs = require('xfer')
    console.log(JSON.stringify({ esm: Object.keys(esm).sort(), commonjs: Object.keys(commonjs).sort(), own: own.length }))
  `
  write(installed.folder, { 'names.mjs': script })
  const { esm, commonjs, own } = JSON.parse(await play('names.mjs'))
  expect(esm.filter(name => name !== 'default')).toEqual(commonjs)
  // index.js, and what loads the rest of it later; the errors bring what takes secrets out of them.
  expect(own).toBe(2)
})

test('the documents are there, and not what makes them', () => {
  const held = readdirSync(join(installed.folder, 'node_modules/xfer/docs'))
  expect(held).toEqual(expect.arrayContaining(['README.md', 'design', 'guides', 'reference']))
  expect(held.filter(name => /make/.test(name))).toEqual([])
})

test('nothing else can be imported', async () => {
  const { folder } = installed
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/xfer/package.json'), 'utf8'))
  const script = names => `console.log(JSON.stringify(${JSON.stringify(names)}.map(name => {
    try { return require(name).version ?? '' } catch ({ code }) { return code }
  })))`
  write(folder, { 'others.cjs': script(['xfer/package.json', 'xfer/lib/commands/copy', 'xfer/lib/index.js']) })
  const refused = 'ERR_PACKAGE_PATH_NOT_EXPORTED'
  expect(JSON.parse(await play('others.cjs'))).toEqual([manifest.version, refused, refused])
})
