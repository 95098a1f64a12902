'use strict'

const { VERSION } = require('../../../actions/copy-range')
const { toOutcomes, toParameters } = require('../../../lib/engines')

const facts = { action: 'xfer/copy-range', where: 'https://ow.example' }
const tasks = [
  { partNumber: 1, bytes: 10 },
  { partNumber: 2, bytes: 5 },
]
const done = (partNumber, bytes, more = {}) => ({ partNumber, bytes, etag: '"e"', crc32: 7, ...more })
const failed = partNumber => ({ partNumber, error: { code: 'STALLED', message: 'Nothing moved.' } })
const good = [done(1, 10), done(2, 5)]
const result = outcomes => ({ version: VERSION, outcomes, container: { id: 'c' } })

test('parameters hold the version, the tasks, and how many of them at once', () => {
  expect(toParameters(tasks)).toEqual({ version: VERSION, tasks, parallel: 1 })
  expect(toParameters(tasks, { parallel: 2, stallMs: 5 })).toEqual({ version: VERSION, tasks, parallel: 2, stallMs: 5 })
  expect(toParameters(tasks, { transport: 'http' })).toMatchObject({ transport: 'http' })
})

test('parameters say each rule of the requests once, and the tasks stay as they are', () => {
  const [read, write] = [{ statuses: [200] }, { statuses: [201] }]
  const request = { method: 'GET', url: 'http://store/', headers: {} }
  const given = tasks.map(task => ({
    ...task,
    read: { ...request, accepts: read },
    write: { ...request, accepts: write },
  }))
  const before = structuredClone(given)
  const { accepts, tasks: named } = toParameters([...given, { ...tasks[0], read: request }])
  expect(Object.values(accepts)).toEqual([read, write])
  for (const task of named.slice(0, 2)) {
    expect([accepts[task.read.accepts], accepts[task.write.accepts]]).toEqual([read, write])
  }
  expect(named[2]).toEqual({ ...tasks[0], read: request })
  expect(given).toEqual(before)
})

test('parameters of requests without rules are as they were before there were any', () => {
  const request = { method: 'GET', url: 'http://store/', headers: {} }
  const given = tasks.map(task => ({ ...task, read: request, write: { ...request, trailer: 'x-amz-checksum-crc32' } }))
  const parameters = toParameters(given)
  expect(parameters).toEqual({ version: VERSION, tasks: given, parallel: 1 })
  // An older action is as good for them.
  expect(toOutcomes(result(good), given, facts)).toEqual(good)
})

test('the tag of a task is not sent, and is the ETag of what was written', () => {
  const tagged = [{ ...tasks[0], tag: 'block-1' }, tasks[1]]
  expect(toParameters(tagged).tasks).toEqual(tasks)
  expect(toOutcomes(result(good), tagged, facts)).toEqual([done(1, 10, { etag: 'block-1' }), done(2, 5)])
  expect(toOutcomes(result([failed(1), failed(2)]), tagged, facts)).toEqual([failed(1), failed(2)])
})

test.each([
  ['all done', good],
  ['one failed', [done(1, 10), failed(2)]],
  ['all failed', [failed(1), failed(2)]],
  ['the largest CRC-32', [done(1, 10, { crc32: 2 ** 32 - 1 }), done(2, 5, { crc32: 0 })]],
])('a result that answers the tasks is believed: %s', (_, outcomes) => {
  expect(toOutcomes(result(outcomes), tasks, facts)).toEqual(outcomes)
})

test('a task that wants no CRC-32 may do without, and one that an older action computed does no harm', () => {
  const plain = tasks.map(task => ({ ...task, crc32: false }))
  const { crc32, ...unsummed } = done(1, 10)
  expect(toOutcomes(result([unsummed, done(2, 5)]), plain, facts)).toEqual([unsummed, done(2, 5)])
})

describe('a result that does not is the action of another version', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'ok'],
    ['an empty object', {}],
    ['an error of the action', { error: 'The parameters are not understood.' }],
    ['an error that is an object', { error: { message: 'no' } }],
    ['no version', { outcomes: good }],
    ['a newer version', { ...result(good), version: VERSION + 1 }],
    ['a version as text', { ...result(good), version: String(VERSION) }],
    ['no outcomes', { version: VERSION }],
    ['outcomes that are no list', result({ 0: done(1, 10), 1: done(2, 5), length: 2 })],
    ['too few', result([done(1, 10)])],
    ['too many', result([...good, done(3, 5)])],
    ['another order', result([done(2, 5), done(1, 10)])],
    ['one twice', result([done(1, 10), done(1, 10)])],
    ['an outcome that is null', result([done(1, 10), null])],
    ['too few bytes', result([done(1, 9), done(2, 5)])],
    ['bytes as text', result([done(1, '10'), done(2, 5)])],
    ['no ETag', result([done(1, 10, { etag: undefined }), done(2, 5)])],
    ['no CRC-32', result([done(1, 10, { crc32: undefined }), done(2, 5)])],
    ['a CRC-32 in base64', result([done(1, 10, { crc32: 'AAAAAA==' }), done(2, 5)])],
    ['a signed CRC-32', result([done(1, 10, { crc32: -1 }), done(2, 5)])],
    ['a CRC-32 of more than 32 bits', result([done(1, 10, { crc32: 2 ** 32 }), done(2, 5)])],
    ['a failure without a code', result([done(1, 10), { partNumber: 2, error: { message: 'x' } }])],
    ['a failure without a message', result([done(1, 10), { partNumber: 2, error: { code: 'STALLED' } }])],
    ['a failure that is null', result([done(1, 10), { partNumber: 2, error: null }])],
    ['a failure that is a text', result([done(1, 10), { partNumber: 2, error: 'x' }])],
  ])('%s', (_, answer) => {
    expect(() => toOutcomes(answer, tasks, facts)).toThrow(
      expect.objectContaining({ code: 'ACTION_VERSION', exitCode: 5, facts: expect.objectContaining(facts) }),
    )
  })

  test('one that takes a task without a write for a mistake', () => {
    const refused = result([{ partNumber: 1, error: { code: 'BAD_TASK', message: 'It has no write.' } }, done(2, 5)])
    const request = { method: 'GET', url: 'http://store/', headers: {} }
    const given = task => () => toOutcomes(refused, [{ ...tasks[0], ...task }, tasks[1]], facts)
    expect(given({ read: request })).toThrow('it is too old to read without writing')
    expect(given({ read: request, write: { ...request, method: 'PUT' } })()).toEqual(refused.outcomes)
  })

  test.each([
    ['a task that expects headers', [{ ...tasks[0], expect: { headers: {} } }, tasks[1]], {}],
    ['a task that is to tell', [tasks[0], { ...tasks[1], tell: true }], {}],
    ['a caller who needs that', tasks, { needs: ['headers'] }],
  ])('one that is too old for %s', (_, given, needs) => {
    expect(() => toOutcomes(result(good), given, { ...facts, ...needs })).toThrow("too old to compare objects' headers")
    const knowing = { ...result(good), knows: ['headers'] }
    expect(toOutcomes(knowing, given, { ...facts, ...needs })).toEqual(good)
  })

  test.each([
    ['a read', { read: { accepts: { statuses: [200] } }, write: {} }],
    ['a write', { read: {}, write: { accepts: { statuses: [201] } } }],
    ['the framing of a write', { read: {}, write: { framing: { type: 'aws-chunked', trailer: 'toy' } } }],
  ])('one that is too old to be told what the answers mean: of %s', (_, requests) => {
    const given = [{ ...tasks[0], ...requests }, tasks[1]]
    for (const knows of [undefined, ['headers']]) {
      expect(() => toOutcomes({ ...result(good), knows }, given, facts)).toThrow("what a store's answers mean")
    }
    expect(toOutcomes({ ...result(good), knows: ['headers', 'accepts'] }, given, facts)).toEqual(good)
  })

  test("with the action's own words, where it has some", () => {
    expect(() => toOutcomes({ error: 'It speaks version 9.' }, tasks, facts)).toThrow(
      'The action xfer/copy-range on https://ow.example does not fit this xfer: It speaks version 9.',
    )
  })
})
