'use strict'

/** What is said of a copy, from its events: nothing that the numbers do not show. */

const { createHeldBack } = require('../../../lib/progress')
const { rowsOf } = require('../../support/told')

const MiB = 1024 ** 2
const PLAN = {
  ...{ type: 'plan', source: 's3://old@photos/a', destination: 's3://new@backup/a', dryRun: false },
  ...{ runsOn: 'platform', concurrency: 64, parts: 1229, partBytes: 100 * MiB },
}
const PROGRESS = {
  ...{ type: 'progress', phase: 'copying', inFlight: 64, bytesPerSecond: 50 * MiB, bytesDone: 100 * MiB },
  ...{ resumedBytes: 0, partsDone: 100, partsTotal: 1229 },
}

/**
 * @param {any[]} stretches seconds, and what all events of that time have; likewise the next
 * @param {{ plan?: object, before?: object[], coresUsed?: number, elapsedMs?: number }} [how] before: events that come first
 */
function told(stretches, { plan = {}, before = [], coresUsed = 0, elapsedMs = undefined } = {}) {
  const heldBack = createHeldBack({ ...PLAN, ...plan }, { cores: 2 })
  for (const event of before) heldBack.saw(event)
  let nowMs = 0
  for (let i = 0; i < stretches.length; i += 2) {
    for (const endMs = nowMs + stretches[i] * 1000; nowMs < endMs; ) {
      nowMs += 500
      heldBack.saw({ ...PROGRESS, ...stretches[i + 1], elapsedMs: nowMs })
    }
  }
  return heldBack.found({ coresUsed, elapsedMs: elapsedMs ?? nowMs })
}

const by = (name, more = {}) => ({ bound: { by: name, ...more } })
const objects = (objectsTotal, objectsDone, bytes) => ({
  ...{ objectsTotal, objectsDone, objectsFailed: 0, listing: false, bytesTotal: objectsTotal * bytes },
})
const DONE_UNSEEN = { objectsTotal: 100, objectsDone: 0, objectsFailed: 0, bytesTotal: PROGRESS.bytesDone }
const PARTS = by('parts')
const UNSEEN = { ...PARTS, inFlight: 1, bytesPerSecond: 0, bytesDone: 0 }
/** What a plan says of the platform, and of this machine. */
const ALLOWS = { limits: { concurrent: 1000 } }
const ALL_ALLOWED = { plan: { concurrency: 8, parts: 8, limits: { concurrent: 8 } } }
const HERE = { plan: { runsOn: 'machine' } }
const REFUSED = { type: 'throttle', store: 'destination' }
/** A copy of objects, whose plan knows no parts; and one of a single part, with a bandwidth. */
const OBJECTS = { plan: { parts: undefined, partBytes: undefined } }
const BOUNDED = { plan: { concurrency: 1, parts: 1, bandwidth: MiB } }
/** Two objects under way, of those that a list has told so far. */
const BEGUN = { ...PARTS, inFlight: 2, listing: true, objectsFailed: 0 }
const LATE = { ...PARTS, inFlight: 16, partsDone: 48 }
const queued = inFlight => ({ ...by('containers', { limit: 16 }), inFlight })
const platform = limit => by('platform', { limit })
/** Nothing waits, and so many parts are left, each in flight. */
const last = many => ({ ...PARTS, inFlight: many, partsDone: 1229 - many })

const GIVEN = {
  'a store that refuses': [[64, by('destination', { limit: 12 }), 36, {}], { before: Array(41).fill(REFUSED) }],
  'the last parts': [[78, {}, 18, last(3)], {}],
  'the last parts, of the least size': [[78, {}, 18, last(1)], { plan: { partBytes: 5 * MiB } }],
  'the quota of a minute': [[20, {}, 40, { ...by('quota'), waiting: { perMinute: 60 } }], {}],
  'all places of the platform': [[10, by('engine', { limit: 64 })], {}],
  'a platform that refuses': [[10, platform(10), 10, platform(20)], { before: [{ type: 'throttle' }] }],
  'parts that waited in the queue of the platform, though that shows late': [
    [180, PARTS, 90, queued(40), 30, LATE],
    { plan: { concurrency: 64, parts: 64, ...ALLOWS } },
  ],
  'invocations that waited there, as many as asked for': [[60, by('concurrency', { limit: 64 }), 30, queued(20)], {}],
  'one part with a bandwidth, of which nothing is seen before its end': [
    [89, UNSEEN, 1, { inFlight: 0, bytesPerSecond: 0, bytesDone: 90 * MiB }],
    BOUNDED,
  ],
  'one part': [[10, { ...PARTS, inFlight: 1 }], { plan: { concurrency: 1, parts: 1, ...ALLOWS } }],
  'one invocation at once': [[10, by('engine', { limit: 1 })], {}],
  'objects that are few, of one request each': [
    [90, { ...by('parts', { carried: 6 }), ...objects(6, 0, 89 * MiB), inFlight: 6 }],
    OBJECTS,
  ],
  'small objects, many in an invocation': [
    [20, { ...by('parts', { carried: 60 }), ...objects(60, 0, 4096), inFlight: 2 }],
    OBJECTS,
  ],
  'a machine that has no files left for more': [[10, platform(9)], HERE],
  'new environments': [[6, by('starts')], { plan: { limits: { startsPerSecond: 100 } } }],
  'the bandwidth that was asked for, whatever else there is': [[30, by('parts')], { plan: { bandwidth: 60 * MiB } }],
  'the concurrency that was asked for': [[19, by('concurrency', { limit: 4 }), 1, {}], { plan: ALLOWS }],
  'a network that more connections do not fill faster': [[10, {}, 10, by('machine', { limit: 8 })], HERE],
  'the processors': [[10, by('concurrency', { limit: 4 })], { plan: { runsOn: 'machine' }, coresUsed: 1.8 }],
  'parts that are few': [[10, { ...PARTS, inFlight: 8 }], { plan: { concurrency: 8, parts: 8, ...ALLOWS } }],
  'a list': [[20, { ...BEGUN, objectsTotal: 502, objectsDone: 500 }], {}],
  'a list, while what was found waits for a look': [[20, { ...PARTS, inFlight: 0, listing: true, ...DONE_UNSEEN }], {}],
  'the destination that puts an upload together': [[10, {}, 10, { phase: 'assembling' }], {}],
  'an outage': [[10, {}, 20, by('outage', { peer: 'source' })], {}],
}
const TOLD = `
a store that refuses => destination concurrency: s3://new@backup/a: it refused 41 requests and allowed about 12 at once for 64 % of the time; --concurrency 12 asks it less
the last parts => tail chunk: the tail: the last 3 of 1,229 parts ran alone for 18 s of 96 s; a smaller --chunk shortens it
the last parts, of the least size => tail: the tail: the last of 1,229 parts ran alone for 18 s of 96 s
the quota of a minute => quota: the platform's quota: 60 invocations a minute, used up for 67 % of the time
all places of the platform => quota: the platform's quota: all 64 invocations at once were at work for 100 % of the time
a platform that refuses => quota: the platform: it refused 1 request and ran about 15 at once for 100 % of the time
parts that waited in the queue of the platform, though that shows late => quota: the platform: it ran about 16 at once, and the others waited for a container, for 90 % of the time
invocations that waited there, as many as asked for => quota: the platform: it ran about 16 at once, and the others waited for a container, for 100 % of the time
one part with a bandwidth, of which nothing is seen before its end => bandwidth bandwidth: --bandwidth: its 1 MiB/s were in use for 99 % of the time; a higher one allows more
one part => parts chunk: the size of the parts: the only one was under way for 100 % of the time; a smaller --chunk makes more
one invocation at once => quota: the platform's quota: the only invocation at once was at work for 100 % of the time
objects that are few, of one request each => parts chunk: the objects: all that were left were under way at once, in about 6 invocations, for 100 % of the time; a smaller --chunk copies them in parts
small objects, many in an invocation => parts: the objects: all that were left were under way at once, in about 2 invocations, for 100 % of the time
a machine that has no files left for more => machine engine: this machine: 9 at once, its most, were at work for 100 % of the time; functions (--engine) may be more
new environments => quota: the platform: it starts 100 environments of the function a second, too few for 100 % of the time
the bandwidth that was asked for, whatever else there is => bandwidth bandwidth: --bandwidth: its 60 MiB/s were in use for 100 % of the time; a higher one allows more
the concurrency that was asked for => concurrency concurrency: --concurrency 4: that many were at work for 95 % of the time; the platform allows 1,000
a network that more connections do not fill faster => machine engine: this machine's network, or a store: more than 8 at once were not faster, for 50 % of the time; functions (--engine) have networks of their own
the processors => machine engine: this machine: xfer used 90 % of 2 processors; functions (--engine) have their own
parts that are few => parts chunk: the size of the parts: all 8 were under way at once for 100 % of the time; a smaller --chunk makes more
a list => listing: listing and comparing: all that was found was copied, or under way, for 100 % of the time
a list, while what was found waits for a look => listing: listing and comparing: all that was found was copied, or under way, for 100 % of the time
the destination that puts an upload together => assembling: s3://new@backup/a: it put the parts together for 10 s of 20 s
an outage => outage: an outage: the source did not answer for 20 s of 30 s
`
test.each(rowsOf(GIVEN, TOLD))('%s', (_, stretches, how, expected) => {
  const { by: kind, option, message, ...others } = told(stretches, how)
  const text = message.replace(/^Held back by (.*)\.$/, '$1')
  expect([`${[kind, option].filter(Boolean).join(' ')}: ${text}`, others]).toEqual([expected, {}])
  expect(message).toBe(`Held back by ${text}.`)
})

test.each([
  ['a short copy', [4, by('quota')], {}],
  ['a cause that lasted for a moment', [90, {}, 10, by('quota')], {}],
  ['a cause that lasted for a moment of all the time', [10, by('quota')], { elapsedMs: 100_000 }],
  ['the last parts of this machine, that fill its network', [20, {}, 10, { ...last(3), bytesDone: 1500 * MiB }], HERE],
  ['a stream, whose next parts are not there yet', [5, {}, 30, { ...PARTS, inFlight: 1, growing: true }], {}],
  ['objects that are begun, and not in flight', [30, { ...BEGUN, objectsTotal: 100, objectsDone: 0 }], {}],
  ['one part with a bandwidth that it does not reach', [30, UNSEEN], BOUNDED],
  ['fewer than asked for, with such a bandwidth', [30, by('concurrency', { limit: 2 })], { plan: { bandwidth: 1e8 } }],
  ['a store that copies by itself', [30, by('engine', { limit: 64 })], { plan: { runsOn: 'store' } }],
  ['as many parts as the platform allows', [30, { ...PARTS, inFlight: 8 }], ALL_ALLOWED],
])('nothing is said of %s', (_, stretches, how) => expect(told(stretches, how)).toBeUndefined())

test('the time in which nothing was watched is no cause', () => {
  const heldBack = createHeldBack(PLAN, { cores: 2 })
  heldBack.saw({ ...PROGRESS, ...by('quota'), elapsedMs: 60_000 })
  expect(heldBack.found({ coresUsed: 0 })).toBeUndefined()
})
