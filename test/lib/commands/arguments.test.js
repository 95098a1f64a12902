'use strict'

/** What the library's functions are called with by mistake: each says what is wrong, and asks nothing. */

const lib = require('../../../lib')

const FROM = 's3://bucket-a/key'
const TO = 's3://bucket-b/key'
const env = { HOME: '/nowhere', XDG_STATE_HOME: '/nowhere' }
const KEYS = {
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
}

/** Each function, called with options alone. */
const CALLS = {
  copy: options => lib.copy(FROM, TO, options),
  copyPrefix: options => lib.copyPrefix(FROM, TO, options),
  resume: options => lib.resume('20260101T000000Z-aaaaaa', options),
  verify: options => lib.verify(FROM, TO, options),
  jobs: options => lib.jobs(options),
  abortJob: options => lib.abortJob('20260101T000000Z-aaaaaa', options),
  clean: options => lib.clean(TO, options),
  deploy: options => lib.deploy(options),
  undeploy: options => lib.undeploy(options),
  doctor: options => lib.doctor(FROM, TO, options),
}
const NAMES = Object.keys(CALLS)
const OF_SIDES = NAMES.filter(name => !['jobs', 'deploy', 'undeploy'].includes(name))
const HANDLER = { clean: 'onUpload', doctor: 'onCheck' }
const handlerOf = name => HANDLER[name] ?? 'onEvent'
const WITH_HANDLER = OF_SIDES.filter(name => name !== 'abortJob')

/** @param {Promise<unknown>} call @param {string} message @param {RegExp} [hint] */
async function expectUsage(call, message, hint = /./) {
  const error = await call.catch(thrown => thrown)
  expect(error).toMatchObject({ name: 'XferError', code: 'USAGE', exitCode: 2, message })
  expect(error.hint).toMatch(hint)
}

test.each(['copy', 'copyPrefix', 'verify', 'clean'])('%s without arguments', async name => {
  const missing = name === 'clean' ? 'destination' : 'source'
  await expectUsage(
    lib[name](),
    `${name}: the ${missing} is missing.`,
    /^Give it as s3:\/\/bucket\/key, az:\/\/account\/container\/key, gs:\/\/bucket\/key or \/path\/to\/file\.$/,
  )
})

test('a second argument that is missing', async () => {
  await expectUsage(lib.copy(FROM), 'copy: the destination is missing.')
})

test.each([
  [null, 'null'],
  [5, 'a number'],
  [{}, 'an object'],
  [[FROM], 'an array'],
  [Buffer.from(FROM), 'a Buffer object'],
  [() => FROM, 'a function'],
])('a place that is no string: %p', async (place, kind) => {
  await expectUsage(lib.copy(place, TO), `copy: the source is ${kind}, not a string.`)
  await expectUsage(lib.verify(FROM, place), `verify: the destination is ${kind}, not a string.`)
  await expectUsage(lib.clean(place), `clean: the destination is ${kind}, not a string.`)
  await expectUsage(lib.doctor(FROM, place), `doctor: the destination is ${kind}, not a string.`)
  await expectUsage(lib.resume(place), `resume: the name of the job is ${kind}, not a string.`, /second argument/)
  await expectUsage(lib.abortJob(place), `abortJob: the name of the job is ${kind}, not a string.`)
})

test('a job that is given up has to be named', async () => {
  await expectUsage(lib.abortJob(), 'abortJob: the name of the job is missing.')
})

test.each([
  ['s3://bucket/a b/ü', "Give a string: 's3://bucket/a b/ü'."],
  ['s3://bucket/a?b#c%', "Give a string: 's3://bucket/a?b#c%'."],
  ['s3://profile@bucket/key', "Give a string: 's3://profile@bucket/key'."],
  ['s3://AKIA:hunter2@bucket/key', "Give a string: 's3://bucket/key'."],
  [
    'https://bucket.s3.amazonaws.com/key',
    'Give a string: s3://bucket/key, az://account/container/key, gs://bucket/key or /path/to/file.',
  ],
])('a URL object, of %s', async (text, hint) => {
  const message = 'copy: the source is a URL object, which percent-encodes keys and resolves their dots.'
  const error = await lib.copy(new URL(text), TO).catch(thrown => thrown)
  expect(error).toMatchObject({ code: 'USAGE', message, hint })
})

describe.each(NAMES)('%s refuses', name => {
  test.each([
    [null, 'null'],
    ['text', 'a string'],
    [5, 'a number'],
    [[], 'an array'],
    [() => {}, 'a function'],
  ])('options that are %p', async (options, kind) => {
    await expectUsage(CALLS[name](options), `${name}: the options are ${kind}, not an object.`)
  })

  test('an environment that is no object', async () => {
    await expectUsage(CALLS[name]({ env: 'PATH=/' }), `${name}: the option env is a string, not an object.`)
  })
})

describe.each(OF_SIDES)('%s refuses', name => {
  test.each([
    ['s3', 'a string'],
    [null, 'null'],
    [[], 'an array'],
  ])('a side that is %p', async (destination, kind) => {
    const message = `${name}: the option destination is ${kind}, not an object.`
    await expectUsage(CALLS[name]({ env, destination }), message)
  })

  test('a signal that is none', async () => {
    if (name === 'jobs') return
    await expectUsage(
      CALLS[name]({ env, signal: new AbortController() }),
      `${name}: the option signal is an AbortController object, not an AbortSignal.`,
      /^Give its signal: controller\.signal\.$/,
    )
    await expectUsage(
      CALLS[name]({ env, signal: true }),
      `${name}: the option signal is a boolean, not an AbortSignal.`,
    )
  })
})

test.each(WITH_HANDLER)('%s refuses a handler that is no function', async name => {
  const option = handlerOf(name)
  const message = `${name}: the option ${option} is a string, not a function.`
  await expectUsage(CALLS[name]({ env, [option]: 'console.log' }), message)
})

test('what is wrong in a call is an event, too, if it can be', async () => {
  const events = []
  await lib.copy(undefined, TO, { env, onEvent: event => events.push(event) }).catch(() => {})
  expect(events).toMatchObject([{ type: 'error', code: 'USAGE', message: 'copy: the source is missing.' }])
})

test('a text in place of true or false is refused: it would count as true', async () => {
  await expectUsage(
    lib.copy(FROM, TO, { env, dryRun: 'false' }),
    'copy: the option dryRun is a string, not true or false.',
  )
  const source = { noSignRequest: 'no' }
  const message = 'copy: the option source.noSignRequest is a string, not true or false.'
  await expectUsage(lib.copy(FROM, TO, { env, source }), message)
})

test('credentials that are none are refused before anything is asked', async () => {
  const source = { credentials: { accessKeyId: 'AKIAEXAMPLE' } }
  await expectUsage(lib.copy(FROM, TO, { env, source }), "The source's credentials have no secretAccessKey.")
})

test.each([
  ['copy', { clobber: 'no' }, 'the option clobber is a string, not true or false.'],
  ['copy', { mtime: 1 }, 'the option mtime is a number, not true or false.'],
  ['copy', { chunk: null }, 'the option chunk is null, not a string or a number.'],
  ['copy', { verify: true }, 'the option verify is a boolean, not a string.'],
  [
    'copy',
    { metadataSet: 'a=b' },
    "the option metadataSet is a string, not an object of strings such as { color: 'blue' }.",
  ],
  ['copy', { metadataSet: { a: 1 } }, "the option metadataSet is not an object of strings such as { color: 'blue' }."],
  ['copyPrefix', { recursive: true }, 'the option recursive is a boolean, not a string.'],
  [
    'copyPrefix',
    { filters: ['*.jpg'] },
    'the option filters[0] is a string, not { include } or { exclude } with a string.',
  ],
  [
    'copyPrefix',
    { filters: [{ exclude: '*' }, { include: 'a', exclude: 'b' }] },
    'the option filters[1] has both include and exclude.',
  ],
  [
    'copyPrefix',
    { filters: '*.jpg' },
    "the option filters is a string, not an array such as [{ exclude: '*' }, { include: '*.jpg' }].",
  ],
])('%s %p: a value of a wrong kind', async (name, options, says) => {
  await expectUsage(CALLS[name]({ env, ...options }), `${name}: ${says}`)
})

describe('values are refused by their flags', () => {
  const named = { source: { endpointUrl: 'http://127.0.0.1:1' }, destination: { endpointUrl: 'http://127.0.0.1:1' } }
  const keys = { ...env, XFER_SOURCE_ACCESS_KEY_ID: 'a', XFER_SOURCE_SECRET_ACCESS_KEY: 'b' }
  const given = { ...named, env: { ...keys, XFER_DEST_ACCESS_KEY_ID: 'a', XFER_DEST_SECRET_ACCESS_KEY: 'b' } }

  test.each([
    ['copy', { chunk: 'abc' }, '--chunk "abc" is not a size.'],
    ['copy', { outageTimeout: 'abc' }, '--outage-timeout "abc" is not a duration.'],
    ['copy', { storageClass: 'a b' }, '--storage-class "a b" cannot be the name of a storage class.'],
    ['copyPrefix', { recursive: 'both' }, '--recursive "both" is unknown.'],
    ['copyPrefix', { sizeOnly: true }, '--size-only and --checksum work only with xfer sync.'],
    ['verify', { chunk: 'abc' }, '--chunk "abc" is not a size.'],
    ['clean', { olderThan: 5 }, '--older-than "5" lacks a unit.'],
    [
      'copy',
      { clobber: false, ifMatch: 'x' },
      '--no-clobber wants no object at the destination, and --if-match wants one.',
    ],
  ])('%s %p', async (name, options, message) => {
    const places = name === 'clean' ? [TO] : [FROM, TO]
    const sides = name === 'clean' ? { destination: given.destination, env: given.env } : given
    await expectUsage(lib[name](...places, { ...sides, ...options }), message)
  })

  test('doctor: what a check finds', async () => {
    const told = []
    const onCheck = (checked, error) => told.push({ ...checked, error })
    await lib.doctor(FROM, undefined, { ...named, destination: undefined, caBundle: '/none', env: keys, onCheck })
    const message = 'The CA bundle "/none", named by --ca-bundle, cannot be read (ENOENT).'
    expect(told).toContainEqual(
      expect.objectContaining({
        name: 'source credentials',
        detail: message,
        error: expect.objectContaining({ message }),
      }),
    )
  })

  test.each([
    [
      { chunk: 8 * 1024 * 1024 },
      '--chunk "8388608" is more than 5,120 MiB.',
      'A number is MiB; 8388608 bytes are "8388608B".',
    ],
    [
      { bandwidth: 10e6 },
      '--bandwidth "10000000" is more than 100,000 MiB/s.',
      'A number is MiB/s; 10000000 bytes a second are "10000000B/s".',
    ],
  ])('a number that was meant as bytes: %p', async (options, message, hint) => {
    await expect(lib.copy(FROM, TO, { ...given, ...options })).rejects.toMatchObject({ code: 'USAGE', message, hint })
  })
})

describe('errors name the flags:', () => {
  const REFUSED = { code: 'USAGE' }

  test.each([
    [{ delete: true }, '--delete works only with xfer sync.', 'Use xfer sync, which compares both sides.'],
    [
      { checksum: true },
      '--size-only and --checksum work only with xfer sync.',
      'Use xfer sync, or --ignore-existing.',
    ],
  ])('copyPrefix with %j', async (options, message, hint) => {
    const refused = lib.copyPrefix('s3://src/a/', 's3://dst/b/', { env, ...options })
    await expect(refused).rejects.toMatchObject({ ...REFUSED, message, hint })
  })

  test('undeploy without a platform', async () => {
    await expect(lib.undeploy({ env })).rejects.toMatchObject({ code: 'PLATFORM_UNDECIDED' })
    const named = { env, engine: 'openwhisk' }
    await expect(lib.undeploy(named)).rejects.toMatchObject({ code: 'NO_PLATFORM' })
  })

  test.each(['verify', 'doctor', 'clean', 'copy'])('%s that is aborted', async name => {
    const [message, hint] = ['The command was interrupted.', 'Repeat the command.']
    const aborted = CALLS[name]({ env: { ...env, ...KEYS }, signal: AbortSignal.abort() })
    const error = await aborted.catch(caught => caught)
    expect(error).toMatchObject({ code: 'INTERRUPTED', message, hint })
    expect(error.stack).toContain(message)
  })
})

test.each([
  ['timeout', 3_600_000, '--timeout "3600000" is more than 3 days, as a number is in seconds.'],
  ['outageTimeout', 600_000, '--outage-timeout "600000" is more than 1 day, as a number is in seconds.'],
])('%s in milliseconds', async (name, value, message) => {
  const options = { env: { ...env, ...KEYS }, engine: 'local', [name]: value }
  await expectUsage(lib.copy(FROM, TO, options), message, new RegExp(`"${value}ms" for milliseconds`))
})

test('a Date is to be given as a text', async () => {
  const message = 'copyPrefix: the option newerThan is a Date, not a string.'
  await expectUsage(lib.copyPrefix(FROM, TO, { env, newerThan: new Date() }), message, /date\.toISOString\(\)/)
})

test('options that are none: the hint has what the function takes', async () => {
  await expectUsage(lib.jobs(5), 'jobs: the options are a number, not an object.', /\{ env: process\.env \}/)
  await expectUsage(lib.copy(FROM, TO, 5), 'copy: the options are a number, not an object.', /\{ dryRun: true \}/)
})

test.each(['nope', 'host:3128', 'ftp://host'])('a proxy that is no URL: %s', async proxy => {
  const options = { env: { ...env, ...KEYS }, source: { proxy } }
  await expectUsage(lib.copy(FROM, TO, options), "The source's proxy is not a URL of http or https.")
})
