'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { parse } = require('yaml')
const { AS_DEPLOYED, checkVersion, lacksLimits, readLimits } = require('../../../../lib/engines/openwhisk/limits')
const { VERSION } = require('../../../../actions/copy-range')

const MiB = 1024 ** 2
const deployed = { name: 'copy-range', limits: { timeout: 300_000, memory: 512 } }
const namespace = { concurrentInvocations: 30, invocationsPerMinute: 60, maxPayloadSize: '2097152 B' }
const root = { limits: { concurrent_actions: 100, actions_per_minute: 600 } }

describe('the limits', () => {
  test('that a dry run assumes of an action that is not deployed are those of the manifest', () => {
    const manifest = parse(readFileSync(join(__dirname, '..', '..', '..', '..', 'manifest.yaml'), 'utf8'))
    const { timeout, memorySize } = manifest.packages.xfer.actions['copy-range'].limits
    expect(AS_DEPLOYED.limits).toEqual({ timeout, memory: memorySize })
  })

  test('of the namespace are believed first', () => {
    expect(readLimits({ deployed, namespace, root }, 70)).toEqual({
      concurrent: 30,
      perMinute: 60,
      timeoutMs: 300_000,
      answerMs: 60_000,
      invocationMs: 50,
      memoryBytes: 512 * MiB,
      payloadBytes: 2 * MiB,
      skewMs: 70,
    })
  })

  test('of the platform come next, each by itself', () => {
    expect(readLimits({ deployed, root }, 0)).toMatchObject({ concurrent: 100, perMinute: 600 })
    const half = { ...namespace, invocationsPerMinute: undefined }
    expect(readLimits({ deployed, namespace: half, root }, 0)).toMatchObject({ concurrent: 30, perMinute: 600 })
  })

  test.each([
    ['nothing', undefined],
    ['a page', '<html></html>'],
    ['another API', { hello: 'world' }],
    ['an array', []],
    ['null', null],
    ['words for numbers', { concurrentInvocations: 'many', invocationsPerMinute: -1, maxPayloadSize: 'large' }],
  ])('of a platform that answers with %s are none but the usual ones', (_, answer) => {
    expect(readLimits({ deployed: { name: 'copy-range' }, namespace: answer, root: answer }, 0)).toEqual({
      concurrent: Number.POSITIVE_INFINITY,
      perMinute: Number.POSITIVE_INFINITY,
      timeoutMs: 60_000,
      answerMs: 60_000,
      invocationMs: 50,
      memoryBytes: 256 * MiB,
      payloadBytes: MiB,
      skewMs: 0,
    })
  })

  test.each([
    ['1048576 B', MiB],
    ['512 KB', MiB / 2],
    ['5MB', 5 * MiB],
    ['0 B', MiB],
    ['5 apples', MiB],
    [5, MiB],
  ])('of the payload may be told as %p', (maxPayloadSize, payloadBytes) => {
    expect(readLimits({ deployed, namespace: { maxPayloadSize } }, 0)).toMatchObject({ payloadBytes })
  })
})

test.each([
  [namespace, false],
  [undefined, true],
  ['<html>', true],
  [{ concurrentInvocations: 30 }, true],
])('%j leaves something to ask for: %s', (answer, open) => {
  expect(lacksLimits(answer)).toBe(open)
})

describe('the version beside an action', () => {
  const facts = { action: 'xfer/copy-range', where: 'https://ow.example' }
  const noted = value => ({ annotations: [{ key: 'xfer-interface', value }] })

  test.each([
    ['ours', noted(VERSION)],
    ['ours as text', noted(String(VERSION))],
    ['absent', { annotations: [{ key: 'exec', value: 'nodejs:20' }] }],
    ['of an action without annotations', {}],
    ['of an action with strange ones', { annotations: [null, 7] }],
  ])('that is %s is let pass', (_, action) => {
    expect(() => checkVersion(action, facts)).not.toThrow()
  })

  test.each([
    [VERSION + 1, `its interface version is ${VERSION + 1}, not ${VERSION}`],
    ['0.9', `its interface version is 0.9, not ${VERSION}`],
    ['\u001b[31m', `its interface version is unknown, not ${VERSION}`],
    [{}, `its interface version is unknown, not ${VERSION}`],
  ])('that is %p ends the command', (value, reason) => {
    expect(() => checkVersion(noted(value), facts)).toThrow(
      expect.objectContaining({
        code: 'ACTION_VERSION',
        retryable: false,
        uncertain: false,
        facts: { ...facts, reason },
      }),
    )
  })
})
