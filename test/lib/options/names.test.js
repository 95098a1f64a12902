'use strict'

const lib = require('../../../lib')

const FROM = 's3://bucket-a/key'
const TO = 's3://bucket-b/key'
const EMPTY = { env: { HOME: '/nowhere' } }

test.each([
  ['copy', options => lib.copy(FROM, TO, options)],
  ['copyPrefix', options => lib.copyPrefix(`${FROM}/`, `${TO}/`, options)],
  ['resume', options => lib.resume('20260101T000000Z-aaaaaa', options)],
  ['verify', options => lib.verify(FROM, TO, options)],
  ['clean', options => lib.clean(TO, options)],
])('%s refuses an option that it has not, before anything is asked', async (name, call) => {
  const refused = options => expect(call({ ...EMPTY, ...options })).rejects
  await refused({ dryrun: true, nonsense: 1 }).toMatchObject({
    code: 'USAGE',
    message: `${name} has no option "dryrun".`,
  })
  await refused({ hasOwnProperty: 1 }).toMatchObject({ code: 'USAGE' })
  await refused({ destination: { endpointURL: 'http://127.0.0.1:1' } }).toMatchObject({
    code: 'USAGE',
    message: `${name}: destination has no option "endpointURL".`,
    hint: 'Perhaps you mean "endpointUrl".',
  })
})

test.each([
  ['jobs', options => lib.jobs(options)],
  ['abortJob', options => lib.abortJob('20260101T000000Z-aaaaaa', options)],
  ['deploy', options => lib.deploy(options)],
  ['undeploy', options => lib.undeploy(options)],
  ['doctor', options => lib.doctor(FROM, TO, options)],
])('%s refuses one as well', async (name, call) => {
  await expect(call({ ...EMPTY, ENV: {} })).rejects.toMatchObject({
    code: 'USAGE',
    message: `${name} has no option "ENV".`,
    hint: 'Perhaps you mean "env".',
  })
})

test('options for prefixes are refused for one object', async () => {
  const refused = lib.copy(FROM, TO, { ...EMPTY, recursive: 'copy' })
  await expect(refused).rejects.toMatchObject({ message: 'copy has no option "recursive".' })
})

test('the hint names what is like it, or all that there are', async () => {
  const hint = async option => (await lib.copyPrefix(FROM, TO, { ...EMPTY, [option]: 1 }).catch(error => error)).hint
  expect(await hint('dryrun')).toBe('Perhaps you mean "dryRun".')
  expect(await hint('nonsense')).toMatch(/^It has .*delete, .*\.$/)
})

test.each([
  ['copy', { chunks: '8M' }, 'Perhaps you mean "chunk".'],
  ['copy', { concurency: 5 }, 'Perhaps you mean "concurrency".'],
  ['copy', { dest: {} }, 'Perhaps you mean "destination".'],
  ['copy', { noClobber: true }, 'Give clobber: false.'],
  ['copy', { filters: [] }, 'It is an option of copyPrefix.'],
  ['copy', { sourceProfile: 'x' }, 'Give it within the side: source: { profile }.'],
  ['copy', { destProfile: 'x' }, 'Give it within the side: destination: { profile }.'],
  ['copyPrefix', { destinationEndpointURL: 'x' }, 'Give it within the side: destination: { endpointUrl }.'],
  ['verify', { sourceRegion: 'x' }, 'Give it within the side: source: { region }.'],
  ['copy', { region: 'x' }, 'Give it within a side: source: { region }.'],
  ['abortJob', { region: 'x' }, 'Give it within a side: destination: { region }.'],
  ['copy', { source: { chunk: '8M' } }, 'Give it beside source, not within it.'],
  ['verify', { ifMatch: 'x' }, 'It is an option of copy.'],
])('%s %p: what is perhaps meant', async (name, options, hint) => {
  const args = name === 'abortJob' ? ['20260101T000000Z-aaaaaa'] : [FROM, TO]
  await expect(lib[name](...args, { ...EMPTY, ...options })).rejects.toMatchObject({ code: 'USAGE', hint })
})

test('an undefined option counts as absent', async () => {
  const refused = lib.copy(FROM, TO, { ...EMPTY, nonsense: undefined, concurrency: 'x' })
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('concurrency') })
})
