'use strict'

const { join } = require('node:path')
const { resolvePlatform } = require('../../../../lib/engines/openwhisk/settings')
const { makeHome } = require('../../../support/home')
const { fromPlatformError, fromActivation } = require('../../../../lib/engines/openwhisk/errors')

const home = makeHome({ '.wskprops': 'APIHOST=https://props.example\nAUTH=props-id:props-key\n' })
const nowhere = makeHome({})

const resolve = ({ options = {}, env = {}, HOME = home }) => resolvePlatform(options, { HOME, ...env })

describe('host and key each come from the first place that has it', () => {
  const ENV = { APIHOST: 'https://env.example', AUTH: 'env-key' }

  const env = { __OW_API_HOST: 'https://ow.example', __OW_API_KEY: 'ow-key', ...ENV }
  const options = { apihost: 'https://option.example' }
  const ofFile = 'props-id:props-key'
  const [FILE, ENVIRONMENT] = [join(home, '.wskprops'), 'the environment']

  test.each([
    ['~/.wskprops', {}, 'https://props.example', ofFile, FILE],
    ['APIHOST and AUTH, before __OW_*', { env }, ENV.APIHOST, 'env-key', ENVIRONMENT],
    ['--apihost, before the environment', { options, env }, options.apihost, 'env-key', '--apihost'],
    ['APIHOST with the key of the file', { env: { APIHOST: 'h.example' } }, 'https://h.example', ofFile, ENVIRONMENT],
  ])('%s', async (_, how, apihost, auth, from) => {
    const found = await resolve(how)
    const usual = { where: apihost, reach: 'network', namespace: '_', insecure: false, proxy: expect.any(Function) }
    expect(found).toEqual({ apihost, auth, from, keyFrom: auth === ofFile ? FILE : ENVIRONMENT, ...usual })
  })

  test('no host anywhere is no platform, key or not', async () => {
    expect(await resolve({ HOME: nowhere })).toBeUndefined()
    expect(await resolve({ HOME: nowhere, env: { AUTH: 'env-key', APIHOST: '' } })).toBeUndefined()
  })

  test('a host without a key is a usage error that names the file', async () => {
    const message = 'The OpenWhisk host https://h.example is configured, and no key for it.'
    const hint = `Set AUTH in ${join(nowhere, '.wskprops')} or in the environment.`
    const refused = resolve({ HOME: nowhere, env: { APIHOST: 'h.example' } })
    await expect(refused).rejects.toMatchObject({ code: 'USAGE', message, hint })
  })
})

test.each([
  ['with Windows line ends', 'APIHOST=h\r\nAUTH=a:b\r\n', 'a:b'],
  ['with double quotes', 'APIHOST="h"\nAUTH="a:b"\n', 'a:b'],
  ['with = in a value', 'APIHOST=h\nAUTH=a:b==\n', 'a:b=='],
  ['with comments, blank lines, other names', '# APIHOST=no\n\nAPIVERSION=v1\nAPIHOST=h\n#AUTH=no\nAUTH=a:b\n', 'a:b'],
])('a properties file %s', async (_, text, auth) => {
  expect(await resolve({ HOME: makeHome({ '.wskprops': text }) })).toMatchObject({ apihost: 'https://h', auth })
})

test.each([
  ['host.example', 'https://host.example'],
  ['http://127.0.0.1:3233', 'http://127.0.0.1:3233'],
])('a host %s is reached at %s', async (apihost, expected) => {
  expect(await resolve({ options: { apihost } })).toMatchObject({ apihost: expected })
})

const NO_HOSTS = ['ftp://host', 'https://user:hunter2@host', 'user:hunter2@host']
test.each(NO_HOSTS)('a host %s is refused without being quoted', async apihost => {
  for (const HOME of [home, nowhere]) {
    const refusal = await resolve({ HOME, options: { apihost } }).catch(error => error)
    expect(refusal).toMatchObject({ code: 'USAGE', exitCode: 2 })
    expect(`${refusal.message} ${refusal.hint}`).not.toMatch(/hunter2/)
  }
})

const action = 'xfer/copy-range'
const facts = { where: 'https://ow.example', platform: 'the platform', fn: `the action ${action}`, action }
const NOW = Date.UTC(2024, 0, 1, 12, 0, 45)

const refused = (status, body, headers = {}) => ({ head: { status, headers }, body })
const activation = response => ({ activationId: 'abc123', response })

const OUTLIVED =
  'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!'

describe('what the platform refuses', () => {
  test.each([
    [403, { error: "not authorized to access 'other'." }, 'PLATFORM_KEY_REFUSED', false, false],
    [404, { error: 'The requested resource does not exist.' }, 'ACTION_NOT_DEPLOYED', false, false],
    [404, '<html>404</html>', 'NOT_A_PLATFORM', false, false],
    // It was refused before it ran, and smaller ones may pass.
    [413, { error: 'too large' }, 'PAYLOAD_TOO_LARGE', true, false],
    [408, { error: 'It took too long to send.' }, 'PLATFORM_ERROR', true, true],
    [502, '<html>Bad Gateway</html>', 'PLATFORM_ERROR', true, true],
    [503, { error: 'System is overloaded, try again later.' }, 'PLATFORM_THROTTLED', true, false],
    [503, OUTLIVED, 'PLATFORM_ERROR', true, true],
  ])('%i %j is %s, retryable: %s, uncertain: %s', (status, body, code, retryable, uncertain) => {
    const made = fromPlatformError(refused(status, body), facts, { invoking: true })
    expect(made).toMatchObject({ code, retryable, uncertain, exitCode: 5, facts: { ...facts, status } })
    expect(made.throttled).toBe(code === 'PLATFORM_THROTTLED')
    expect(made.smaller).toBe(code === 'PAYLOAD_TOO_LARGE')
    expect(made.message).not.toMatch(/undefined|\.\)/)
  })

  test.each([
    // The limit per minute ends with the minute, whatever the answer says.
    ['Too many requests in the last minute (count: 61, allowed: 60).', 'rate', 60, undefined],
    ['Too many concurrent requests in flight (count: 31, allowed: 30).', 'concurrent', 30, 7_000],
  ])('429 with "%s" is of too many by %s, of which %s are allowed', (error, throttle, allowed, retryAfterMs) => {
    const made = fromPlatformError(refused(429, { error }, { 'retry-after': '7' }), facts)
    expect([made.retryAfterMs, made.facts]).toMatchObject([retryAfterMs, { throttle, allowed }])
  })

  const date = new Date(NOW).toUTCString()
  test.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date of the clock of its own', { 'retry-after': new Date(NOW + 9_000).toUTCString(), date }, 9_000],
    ['neither', { 'retry-after': 'soon' }, undefined],
  ])('Retry-After with %s: %i', (_, headers, retryAfterMs) => {
    const made = fromPlatformError(refused(503, { error: 'no' }, headers), facts)
    expect([made.retryAfterMs, made.facts.throttle]).toEqual([retryAfterMs, undefined])
  })

  test.each([
    ['an error of the client', new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
    ['nothing', undefined, 'no reason given'],
  ])('without a status the platform was not reached: %s', (_, error, reason) => {
    const unreachable = { code: 'PLATFORM_UNREACHABLE', retryable: true, uncertain: true }
    expect(fromPlatformError({ lost: error }, facts)).toMatchObject({ ...unreachable, facts: { ...facts, reason } })
    expect(fromPlatformError({ lost: { ...error, sent: false } }, facts).uncertain).toBe(false)
  })
})

test.each([undefined, { activationId: 'abc123' }])('an activation: %p has no record that could be read', answer => {
  const unread = { code: 'ACTIVATION_FAILED', retryable: true, uncertain: true }
  expect(() => fromActivation(answer, facts)).toThrow(expect.objectContaining(unread))
})

const APPLICATION = ['application error', 502]
const DEVELOPER = ['action developer error', 502]
const TOO_LONG =
  'The action produced a response that exceeded the allowed length: 2 > 1 bytes. The truncated response was: {"'
const SMALLER = ['PAYLOAD_TOO_LARGE', 'ACTIVATION_OUT_OF_MEMORY']

test.each([
  [...APPLICATION, 'The parameters are not understood.', 'ACTION_VERSION'],
  [...APPLICATION, TOO_LONG, 'PAYLOAD_TOO_LARGE'],
  // A rejection, serialised.
  [...APPLICATION, { name: 'TypeError', message: 'tasks is not iterable', stack: 'at' }, 'ACTIVATION_FAILED'],
  [...DEVELOPER, 'The action exceeded its time limits of 60 milliseconds during initialization.', 'ACTION_NOT_LOADED'],
  [...DEVELOPER, 'The action exhausted its memory and was aborted.', 'ACTIVATION_OUT_OF_MEMORY'],
  [...DEVELOPER, 'System not ready, status is starting.', 'CONTAINER_NOT_READY'],
  [...DEVELOPER, 'Initialization has failed due to: SyntaxError: no\n    at main.js:3:5', 'ACTION_BROKEN'],
  [...DEVELOPER, 'long '.repeat(100), 'ACTIVATION_FAILED'],
  ['whisk internal error', 500, 'The action exceeded its time limits, says who runs it.', 'ACTIVATION_FAILED'],
  ['whisk internal error', 500, undefined, 'ACTIVATION_FAILED'],
])('an activation that ended with "%s" (HTTP %i) %j is %s', (status, http, error, code) => {
  const record = activation({ success: false, status, result: { error } })
  const lasting = ['ACTION_VERSION', 'ACTION_BROKEN'].includes(code)
  const [smaller, blameless] = [SMALLER.includes(code), code === 'CONTAINER_NOT_READY']
  const passes = { retryable: !lasting, uncertain: !lasting }
  const expected = { code, ...passes, throttled: false, smaller, blameless, exitCode: 5 }
  expect(() => fromActivation(record, facts)).toThrow(expect.objectContaining(expected))
  // The same record is the body of an answer.
  const made = fromPlatformError(refused(http, record), facts)
  expect(made).toMatchObject({ ...expected, facts: { ...facts, activationId: 'abc123' } })
  expect(made.facts.reason.length).toBeLessThanOrEqual(200)
  for (const text of [made.message, made.hint]) {
    expect(text).toMatch(/[^. ]\.$/)
    expect(text).not.toMatch(/undefined|\[object|[.!?] +[A-Z]|[\r\n]/)
  }
  if (lasting) expect(made.hint).toContain('xfer deploy')
})

const pathOf = account => `.config/doctl/sandbox/creds/${account}/credentials.json`
const doctl = files =>
  makeHome(Object.fromEntries(Object.entries(files).map(([account, text]) => [pathOf(account), text])))
const HOST = 'https://faas-nyc1.example'
const credentials = { [HOST]: { 'fn-1': { api_key: 'dof_v1_id:secret' } } }
const CREDENTIALS = JSON.stringify({ currentHost: HOST, currentNamespace: 'fn-1', credentials })

const upper = { AIO_RUNTIME_AUTH: 'id:key', AIO_RUNTIME_NAMESPACE: 'team' }

test.each([
  ['AIO_RUNTIME_*', upper, 'https://adobeioruntime.net', 'team'],
  ['AIO_runtime_*', { AIO_runtime_auth: 'id:key', AIO_runtime_apihost: 'own.example' }, 'https://own.example', '_'],
])("a provider's own tool: %s is taken where wsk has nothing", async (_, env, apihost, namespace) => {
  const expected = { apihost, namespace, auth: 'id:key', from: 'AIO_RUNTIME_*' }
  expect(await resolve({ HOME: nowhere, env })).toMatchObject(expected)
  expect(await resolve({ env })).toMatchObject({ apihost: 'https://props.example' })
  expect(await resolve({ options: { apihost: 'adobe' }, env })).toMatchObject({ apihost, auth: 'id:key' })
})

test("a provider's own tool: adobe, by its name, wants its own key", async () => {
  const hint = expect.stringMatching(/AIO_RUNTIME_AUTH/)
  await expect(resolve({ options: { apihost: 'adobe' } })).rejects.toMatchObject({ hint })
})

test("a provider's own tool: digitalocean, by its name, is what doctl is connected to", async () => {
  const found = await resolve({ options: { apihost: 'digitalocean' }, HOME: doctl({ a1: CREDENTIALS }) })
  const from = expect.stringMatching(/credentials\.json$/)
  expect(found).toMatchObject({ apihost: HOST, auth: 'dof_v1_id:secret', namespace: 'fn-1', from })
})

test.each([
  ['none', {}, /no credentials of doctl/],
  ['several', { a1: CREDENTIALS, b2: CREDENTIALS }, /doctl has 2/],
  ['one that is none', { a1: '[' }, /is no file of credentials/],
  ['one without a host', { a1: '{}' }, /names no host/],
  ['one without a key', { a1: '{"currentHost":"https://h.example"}' }, /no key for it/],
])("a provider's own tool: doctl has %s: that is said", async (_, files, message) => {
  const asked = resolve({ options: { apihost: 'digitalocean' }, HOME: doctl(files) })
  await expect(asked).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
})
