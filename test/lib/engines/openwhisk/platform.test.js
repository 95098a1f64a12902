'use strict'

const { join } = require('node:path')
const { resolvePlatform } = require('../../../../lib/engines/openwhisk/platform/settings')
const { makeHome } = require('../../../support/home')
const { fromPlatformError, fromActivation } = require('../../../../lib/engines/openwhisk/platform/refusals')

const PROPS = 'APIHOST=https://props.example\nAUTH=props-id:props-key\n'
const home = makeHome({ '.wskprops': PROPS, 'other.props': 'APIHOST=other.example\nAUTH=other-key\n' })
const nowhere = makeHome({})

/** Which file is read. */
const filesOf = ({ env = {} }) => env.WSK_CONFIG_FILE ?? join(home, '.wskprops')

const resolve = ({ options = {}, env = {}, HOME = home }) => resolvePlatform(options, { HOME, ...env })

describe('host and key each come from the first place that has it', () => {
  const ENV = { APIHOST: 'https://env.example', AUTH: 'env-key' }
  const OW = { __OW_API_HOST: 'https://ow.example', __OW_API_KEY: 'ow-key' }

  test.each([
    ['~/.wskprops', {}, 'https://props.example', 'props-id:props-key', join(home, '.wskprops')],
    [
      'the file that WSK_CONFIG_FILE names',
      { env: { WSK_CONFIG_FILE: join(home, 'other.props') } },
      'https://other.example',
      'other-key',
      join(home, 'other.props'),
    ],
    ['__OW_*, before a file', { env: OW }, 'https://ow.example', 'ow-key', 'the environment'],
    [
      'APIHOST and AUTH, before __OW_*',
      { env: { ...OW, ...ENV } },
      'https://env.example',
      'env-key',
      'the environment',
    ],
    [
      '--apihost, before the environment',
      { options: { apihost: 'https://option.example' }, env: { ...OW, ...ENV } },
      'https://option.example',
      'env-key',
      '--apihost',
    ],
    [
      'APIHOST with the key of the file',
      { env: { APIHOST: 'h.example' } },
      'https://h.example',
      'props-id:props-key',
      'the environment',
    ],
    [
      'AUTH with the host of the file',
      { env: { AUTH: 'env-key' } },
      'https://props.example',
      'env-key',
      join(home, '.wskprops'),
    ],
  ])('%s', async (_, how, apihost, auth, from) => {
    const found = await resolve(how)
    const usual = { namespace: '_', insecure: false, proxy: expect.any(Function) }
    expect(found).toEqual({ apihost, auth, from, keyFrom: expect.any(String), ...usual })
    expect(found.keyFrom).toBe(auth.startsWith('props') || auth.startsWith('other') ? filesOf(how) : 'the environment')
  })

  test('no host anywhere is no platform, key or not', async () => {
    expect(await resolve({ HOME: nowhere })).toBeUndefined()
    expect(await resolve({ HOME: nowhere, env: { AUTH: 'env-key', APIHOST: '' } })).toBeUndefined()
  })

  test('a host without a key is a usage error that names the file', async () => {
    await expect(resolve({ HOME: nowhere, env: { APIHOST: 'h.example' } })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'The OpenWhisk host https://h.example is configured, and no key for it.',
      hint: `Set AUTH in ${join(nowhere, '.wskprops')} or in the environment.`,
    })
  })

  test('a file that cannot be read is a usage error', async () => {
    const folder = makeHome({ '.wskprops/x': '' })
    await expect(resolve({ HOME: folder })).rejects.toMatchObject({
      code: 'USAGE',
      message: `The file ${join(folder, '.wskprops')} cannot be read (EISDIR).`,
    })
  })
})

describe('a properties file', () => {
  test.each([
    ['with Windows line ends', 'APIHOST=h\r\nAUTH=a:b\r\n', 'a:b'],
    ['with blanks around', '  APIHOST = h  \n\tAUTH =  a:b\t\n', 'a:b'],
    ['with double quotes', 'APIHOST="h"\nAUTH="a:b"\n', 'a:b'],
    ['with = in a value', 'APIHOST=h\nAUTH=a:b==\n', 'a:b=='],
    [
      'with comments, blank lines and other names',
      '# APIHOST=no\n\nAPIVERSION=v1\nAPIHOST=h\n#AUTH=no\nAUTH=a:b\n',
      'a:b',
    ],
    ['with a name twice, of which the last counts', 'AUTH=old\nAPIHOST=h\nAUTH=a:b\n', 'a:b'],
  ])('%s', async (_, text, auth) => {
    expect(await resolve({ HOME: makeHome({ '.wskprops': text }) })).toMatchObject({ apihost: 'https://h', auth })
  })

  test('may name a namespace', async () => {
    const HOME = makeHome({ '.wskprops': `${PROPS}NAMESPACE=guest\n` })
    expect(await resolve({ HOME })).toMatchObject({ namespace: 'guest' })
    expect(await resolve({ HOME, env: { NAMESPACE: 'mine' } })).toMatchObject({ namespace: 'mine' })
  })
})

describe('a host', () => {
  test.each([
    ['host.example', 'https://host.example'],
    ['host.example:8443', 'https://host.example:8443'],
    ['http://127.0.0.1:3233', 'http://127.0.0.1:3233'],
    ['http://[::1]:3233', 'http://[::1]:3233'],
  ])('%s is reached at %s', async (apihost, expected) => {
    expect(await resolve({ options: { apihost } })).toMatchObject({ apihost: expected })
  })

  test.each(['http://', 'a b', 'ftp://host', 'https://user:hunter2@host', 'user:hunter2@host', 'host:port'])(
    '%s is refused without being quoted',
    async apihost => {
      const refusal = await resolve({ options: { apihost } }).catch(error => error)
      expect(refusal).toMatchObject({ code: 'USAGE', exitCode: 2 })
      expect(`${refusal.message} ${refusal.hint}`).not.toMatch(/hunter2/)
      expect(await resolve({ HOME: nowhere, options: { apihost } }).catch(error => error.message)).not.toMatch(
        /hunter2/,
      )
    },
  )

  test('has its certificate checked unless __OW_IGNORE_CERTS says not to', async () => {
    expect(await resolve({ env: { __OW_IGNORE_CERTS: 'true' } })).toMatchObject({ insecure: true })
    expect(await resolve({ env: { __OW_IGNORE_CERTS: 'false' } })).toMatchObject({ insecure: false })
  })
})

const facts = {
  where: 'https://ow.example',
  platform: 'the platform',
  fn: 'the action xfer/copy-range',
  action: 'xfer/copy-range',
}
const NOW = Date.UTC(2024, 0, 1, 12, 0, 45)

/** As the npm client throws it. */
const thrown = (statusCode, error) => Object.assign(new Error('PUT … Returned HTTP'), { statusCode, error })
const activation = response => ({ activationId: 'abc123', response })

const RATE = 'Too many requests in the last minute (count: 61, allowed: 60).'
const CONCURRENT = 'Too many concurrent requests in flight (count: 31, allowed: 30).'
const OUTLIVED =
  'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!'

describe('what the platform refuses', () => {
  test.each([
    [400, { error: 'The request content was malformed.' }, 'PLATFORM_REFUSED', false, false],
    [403, { error: "not authorized to access 'other'." }, 'PLATFORM_KEY_REFUSED', false, false],
    [404, { error: 'The requested resource does not exist.' }, 'ACTION_NOT_DEPLOYED', false, false],
    [404, '<html>404</html>', 'NOT_A_PLATFORM', false, false],
    [413, '<html>Request Entity Too Large</html>', 'PAYLOAD_TOO_LARGE', true, false],
    [429, '<html>Too Many Requests</html>', 'PLATFORM_THROTTLED', true, false],
    [502, '<html>Bad Gateway</html>', 'PLATFORM_ERROR', true, true],
    [503, { error: 'System is overloaded, try again later.' }, 'PLATFORM_THROTTLED', true, false],
    [503, OUTLIVED, 'PLATFORM_ERROR', true, true],
  ])('%i %j is %s, retryable: %s, uncertain: %s', (status, body, code, retryable, uncertain) => {
    const error = thrown(status, body)
    const made = fromPlatformError(error, facts, NOW, { invoking: true })
    expect(made).toMatchObject({ code, retryable, uncertain, exitCode: 5, cause: error, facts: { ...facts, status } })
    expect(made.throttled).toBe(code === 'PLATFORM_THROTTLED')
    expect(made.smaller).toBe(code === 'PAYLOAD_TOO_LARGE')
    expect(made.message).not.toMatch(/undefined|\.\)/)
  })

  test.each([
    [RATE, 'rate', 60],
    [CONCURRENT, 'concurrent', 30],
  ])('429 with "%s" is of too many by %s, of which %s are allowed', (error, throttle, allowed) => {
    const made = fromPlatformError(thrown(429, { error }), facts, NOW)
    expect(made.facts).toMatchObject({ throttle, allowed })
    expect(made.retryAfterMs).toBeUndefined()
  })

  test('what is too large, and no invocation, is refused for good', () => {
    const made = fromPlatformError(thrown(413, { error: 'exec larger than allowed: 2 > 1 bytes.' }), facts, NOW)
    expect(made).toMatchObject({ code: 'PLATFORM_REFUSED', retryable: false })
  })

  const date = new Date(NOW).toUTCString()
  test.each([
    ['seconds', 503, { 'retry-after': '7' }, 7_000],
    ['a date of the clock of its own', 503, { 'retry-after': new Date(NOW + 9_000).toUTCString(), date }, 9_000],
    ['a date without another', 503, { 'retry-after': new Date(NOW + 4_000).toUTCString() }, 4_000],
    ['neither', 503, { 'retry-after': 'soon' }, undefined],
  ])('Retry-After with %s: %i', (_, status, headers, retryAfterMs) => {
    const made = fromPlatformError(thrown(status, { error: 'no' }), facts, NOW, { headers })
    expect(made.retryAfterMs).toBe(retryAfterMs)
    expect(made.facts.throttle).toBe(status === 429 ? 'concurrent' : undefined)
  })

  test.each([
    ['what the client kept of a socket error', { error: { error: 'connect ECONNREFUSED' } }, 'connect ECONNREFUSED'],
    ['an error with words', new Error('socket hang up'), 'socket hang up'],
    ['nothing', undefined, 'no answer'],
  ])('without a status the platform was not reached: %s', (_, error, reason) => {
    expect(fromPlatformError(error, facts, NOW)).toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
      retryable: true,
      uncertain: true,
      facts: { ...facts, reason },
    })
    expect(fromPlatformError(error, { ...facts, uncertain: false }, NOW).uncertain).toBe(false)
  })
})

describe('an activation', () => {
  test('that succeeded is its result', () => {
    const result = { version: 1 }
    expect(fromActivation(activation({ success: true, result }), facts)).toBe(result)
  })

  test.each([undefined, null, {}, { activationId: 'abc123' }])('%p has no record that could be read', answer => {
    expect(() => fromActivation(answer, facts)).toThrow(
      expect.objectContaining({ code: 'ACTIVATION_FAILED', retryable: true, uncertain: true }),
    )
  })

  const BY_APPLICATION = [
    ['The parameters are not understood.', 'ACTION_VERSION'],
    [
      'The action produced a response that exceeded the allowed length: 2 > 1 bytes. The truncated response was: {"',
      'PAYLOAD_TOO_LARGE',
    ],
    // A rejection, serialised.
    [{ name: 'TypeError', message: 'tasks is not iterable', stack: 'TypeError: at' }, 'ACTIVATION_FAILED'],
    [{}, 'ACTIVATION_FAILED'],
  ]
  const BY_DEVELOPER = [
    ['The action exceeded its time limits of 60000 milliseconds during initialization.', 'ACTION_NOT_LOADED'],
    ['The action exhausted its memory and was aborted.', 'ACTIVATION_OUT_OF_MEMORY'],
    ['The action did not initialize and exited unexpectedly.', 'ACTION_NOT_LOADED'],
    ['System not ready, status is starting.', 'CONTAINER_NOT_READY'],
    ['Initialization has failed due to: SyntaxError: no\n    at main.js:3:5', 'ACTION_BROKEN'],
    ['The action did not produce a valid JSON or JSON Array response: null', 'ACTION_VERSION'],
    ['An error has occurred: Error: boom', 'ACTIVATION_FAILED'],
    [`${'long '.repeat(100)}`, 'ACTIVATION_FAILED'],
  ]
  const BY_PLATFORM = [
    ['Failed to provision resources to run the action.', 'ACTIVATION_FAILED'],
    ['The action exceeded its time limits, says who runs it.', 'ACTIVATION_FAILED'],
    [undefined, 'ACTIVATION_FAILED'],
  ]
  const SMALLER = ['PAYLOAD_TOO_LARGE', 'ACTIVATION_TIMED_OUT', 'ACTIVATION_OUT_OF_MEMORY', 'ACTIVATION_EXITED']

  test.each([
    ...BY_APPLICATION.map(row => ['application error', 502, ...row]),
    ...BY_DEVELOPER.map(row => ['action developer error', 502, ...row]),
    ...BY_PLATFORM.map(row => ['whisk internal error', 500, ...row]),
  ])('that ended with "%s" (HTTP %i) %j is %s', (status, http, error, code) => {
    const record = activation({ success: false, status, result: { error } })
    const lasting = ['ACTION_VERSION', 'ACTION_BROKEN'].includes(code)
    const expected = {
      code,
      retryable: !lasting,
      uncertain: !lasting,
      throttled: false,
      smaller: SMALLER.includes(code),
      blameless: code === 'CONTAINER_NOT_READY',
      exitCode: 5,
    }
    expect(() => fromActivation(record, facts)).toThrow(expect.objectContaining(expected))
    // The same record is the body of an answer.
    const made = fromPlatformError(thrown(http, record), facts, NOW)
    expect(made).toMatchObject({ ...expected, facts: { ...facts, activationId: 'abc123' } })
    expect(made.facts.reason.length).toBeLessThanOrEqual(200)
    for (const text of [made.message, made.hint]) {
      expect(text).toMatch(/[^. ]\.$/)
      expect(text).not.toMatch(/undefined|\[object|[.!?] +[A-Z]|[\r\n]/)
    }
    if (lasting) expect(made.hint).toContain('xfer deploy')
  })
})
