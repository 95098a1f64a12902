'use strict'

/** The files of examples/kubernetes and examples/schedule, as far as a program can judge them without a cluster. */

const { execFileSync, spawnSync } = require('node:child_process')
const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { parse, parseAllDocuments } = require('yaml')
const { newFolder } = require('../support/opened')
const { mistakeIn, wordsOf } = require('../support/command-lines')

const EXAMPLES = join(__dirname, '..', '..', 'examples')
const MODELS = dirname(require.resolve('kubernetes-models/package.json'))
const TSC = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const WORKFLOW = 'schedule/github-actions.yml'
const NAMES = ['kubernetes', 'schedule'].flatMap(folder =>
  readdirSync(join(EXAMPLES, folder)).map(name => `${folder}/${name}`),
)
const read = name => readFileSync(join(EXAMPLES, name), 'utf8')

/** @param {string} text @returns {any[]} its documents; a key that stands twice is an error */
function documentsIn(text) {
  return parseAllDocuments(text).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

const OBJECTS = NAMES.filter(name => name.endsWith('.yaml')).flatMap(name =>
  documentsIn(read(name)).map(object => ({ name, object })),
)

/** What the compiler says of each, in the same order: '' if nothing. @param {any[]} objects @returns {string[]} */
function complaintsOf(objects) {
  const folder = newFolder()
  objects.forEach((object, index) => {
    const from = JSON.stringify(join(MODELS, object.apiVersion, `${object.kind}.js`))
    const kind = `I${object.kind}`
    const text = `import type { ${kind} } from ${from}\nexport const it: ${kind} = ${JSON.stringify(object)}\n`
    writeFileSync(join(folder, `${index}.mts`), text)
  })
  const options = '--noEmit --strict --skipLibCheck --ignoreConfig --target es2023 --module nodenext --pretty false'
  const files = objects.map((_, index) => `${index}.mts`)
  const how = /** @type {const} */ ({ cwd: folder, encoding: 'utf8' })
  const { status, stdout } = spawnSync(process.execPath, [TSC, ...options.split(' '), ...files], how)
  const found = files.map(file => (stdout.match(/^\S+\.mts\(.*$/gm) ?? []).filter(line => line.startsWith(file)).join())
  // What is of no file here, such as a package that is not found, is a failure of this test.
  if ((status === 0) !== found.every(text => text === '')) throw new Error(stdout)
  return found
}

/** @param {any} object of a Job or a CronJob @returns {any} */
const jobOf = object => (object.kind === 'CronJob' ? object.spec.jobTemplate.spec : object.spec)
const podOf = object => jobOf(object).template.spec
const RUNS = OBJECTS.filter(({ object }) => object.kind !== 'ServiceAccount')

/** What makes a pod less safe than it can be. @param {any} object @returns {string[]} */
function dangersOf(object) {
  const pod = podOf(object)
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext ?? {}
  const wrong = {
    root: runAsNonRoot !== true || !(runAsUser > 0),
    seccomp: seccompProfile?.type !== 'RuntimeDefault',
    token: pod.automountServiceAccountToken !== false,
    container: pod.containers.some(
      ({ securityContext: context = {}, resources }) =>
        context.readOnlyRootFilesystem !== true ||
        context.allowPrivilegeEscalation !== false ||
        !context.capabilities?.drop?.includes('ALL') ||
        resources?.requests?.memory === undefined ||
        resources?.limits?.memory === undefined,
    ),
    grace: !(pod.terminationGracePeriodSeconds >= 10),
  }
  return Object.keys(wrong).filter(name => wrong[name])
}

/** Lines that look like a secret. @param {string} text */
function secretsIn(text) {
  // Names of variables of secrets with a value behind them, key ids of AWS, keys in base64, long hex, PEM.
  const SECRET = [
    /(?:SECRET|PASSWORD|TOKEN|ACCESS_KEY|CONNECTION_STRING|_KEY|SAS)[A-Z_]*["']?\s*[:=]\s*\S/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /(?<![\w/.-])[\w+/]{40,}={0,2}(?![\w/.-])/,
    /-----BEGIN|AccountKey=|[?&]sig=/,
  ]
  const plain = text.replace(/(?<=uses: \S+@)[0-9a-f]{40}/g, '')
  return plain.split('\n').filter(line => SECRET.some(form => form.test(line)))
}

/** The command lines of xfer, behind its name. @param {string} name @param {string} text @returns {string[][]} */
function commandsIn(name, text) {
  if (name.endsWith('.yaml')) {
    return documentsIn(text)
      .filter(object => object.kind !== 'ServiceAccount')
      .flatMap(object => podOf(object).containers.map(({ args }) => args))
  }
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n')
  return lines
    .filter(line => !/^\s*(?:#|\||- |name:)/.test(line) || /^\s*- run: xfer/.test(line))
    .flatMap(line => /(?:^|[\s'`(])xfer ((?:sync|copy|work|resume|verify|jobs|abort|cat)\b.*)/.exec(line)?.[1] ?? [])
    .filter(line => !name.endsWith('.md') || / --|s3:/.test(line))
    .map(line => {
      const words = wordsOf(line.replace(/\$\([^)]*\)/g, 'X').replace(/(?<=\.ndjson)'$| #.*/, ''))
      const end = words.findIndex(word => /^(?:\||<|[12]?>|&&|\|\||;)/.test(word))
      return end === -1 ? words : words.slice(0, end)
    })
}

describe('the objects of Kubernetes', () => {
  const job = OBJECTS.find(({ name }) => name === 'kubernetes/worker-job.yaml').object
  const account = OBJECTS.find(({ name }) => name === 'kubernetes/service-account.yaml').object

  test('are what the types of Kubernetes say; what is misspelt is found', () => {
    const misspelt = structuredClone(job)
    podOf(misspelt).restartPolcy = 'Never'
    const said = complaintsOf([...OBJECTS.map(({ object }) => object), misspelt])
    expect(said).toEqual([...OBJECTS.map(() => ''), expect.stringMatching(/restartPolcy/)])
  })

  test.each(RUNS.map(({ name, object }) => [name, object]))('%s is safe', (_, object) => {
    expect(dangersOf(object)).toEqual([])
    expect(podOf(object).serviceAccountName).toBe(account.metadata.name)
  })
})

test.each(NAMES)('%s has no secret, no tab, and no long line', name => {
  const text = read(name)
  expect(secretsIn(text)).toEqual([])
  expect(text).not.toMatch(/\t|[^\n]$/)
  // cron knows no line that goes on.
  expect(text.split('\n').filter(line => line.length > 120)).toEqual([])
})

const WITH_COMMANDS = NAMES.filter(name => !/service-account|\.timer$/.test(name))
test.each(WITH_COMMANDS)('every command of xfer in %s is one that xfer takes', name => {
  const commands = commandsIn(name, read(name))
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.filter(words => mistakeIn(words))).toEqual([])
})

/** What is wrong with it. @param {any} it @returns {string[]} */
function wrongIn(it) {
  const steps = Object.values(it.jobs).flatMap(job => job.steps)
  return steps.flatMap(({ uses, run }) => [
    ...(!uses === !run ? ['step: uses or run'] : []),
    ...(uses && !uses.match(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/) ? [`step: ${uses}`] : []),
    ...(run?.includes('${{') ? ['step: an expression in a script'] : []),
  ])
}
const workflow = parse(read(WORKFLOW))

test('the workflow takes actions by their commits, and those that the project uses', () => {
  expect(wrongIn(workflow)).toEqual([])
  const own = readFileSync(join(EXAMPLES, '..', '.github', 'workflows', 'xfer-copy.yml'), 'utf8')
  const steps = Object.values(workflow.jobs).flatMap(({ steps }) => steps)
  expect(steps.flatMap(({ uses = [] }) => uses).filter(uses => !own.includes(uses))).toEqual([])
  for (const { run } of steps) if (run) execFileSync('bash', ['-n', '-c', run])
})
