'use strict'

/** What a sync deletes, and what it leaves: by what both sides list, now and once the copies are done. */

const { STORES } = require('../../../lib/stores')
const { again, denied, errorOf, refused } = require('../../support/rigged-store')
const { createRig } = require('../../support/rigged-copy')
const { rowsOf } = require('../../support/told')

// The errors of files.
for (const { errors } of STORES) void errors

const many = (count, text = 'x') => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i + 1000}`, text]))
const OURS = { a: 'aa', z: 'zz' }
const THEIRS = { ...OURS, extra: 'ee', more: 'mm' }
const same = { source: OURS, destination: THEIRS }
const partly = names => act => {
  act()
  return names.map(key => ({ key, code: 'ACCESS_DENIED', message: 'No.' }))
}
const lacking = act => ({ ...act(), lacks: ['IsTruncated'] })

/** One run, as a text: its end, what was told, what the destination has that the source had not, and how many deletions there were, or would be. */
async function run({ options, later, ...how }) {
  const { source = {}, destination = {} } = how.trouble ?? {}
  const trouble = { source: again(source), destination: again(destination) }
  let rig
  if (later) {
    const meanwhile = act => {
      later(rig.ends)
      return act()
    }
    trouble.destination['put to/new'] = [meanwhile]
  }
  rig = createRig({ ...how, trouble })
  const { summary, error, events } = await rig.go({ delete: true, ...options })
  const told = events.flatMap(({ type, code, action, name, bytes = '', objects, facts }) => {
    if (type === 'phase') return objects === undefined ? [] : `deleting ${objects}`
    if (action === 'copy' || action === 'skip') return []
    if (action) return `${action} ${name} ${bytes}`.trim()
    return code ? [code, facts?.why, name ?? facts?.location].filter(Boolean).join(' ') : []
  })
  const extra = Object.keys(rig.there()).filter(name => how.source[name] === undefined)
  return [
    error?.code ?? 'ok',
    told.length > 9 ? told[0] : told.join(),
    extra.length > 9 ? extra.length : extra.join(),
    error?.facts?.deletions ?? summary?.objects?.deleted,
  ]
    .join('; ')
    .trim()
}

const COPIED = { ...OURS, new: 'nn' }
const copying = { source: COPIED, destination: THEIRS }
const DRY = { settings: { dryRun: true } }
const HIDES = { can: { source: { hidesBelow: true } } }
const most = (maxDelete, more) => ({ options: { maxDelete, ...more } })
const without = exclude => ({ filters: [{ exclude }] })
const LEAVES_OUT = { more: { source: () => ({ leavesOut: async key => key === 'from/extra' }) } }
const FOLDS = { more: { destination: () => ({ folds: async () => ({ case: true }) }) } }
const CAPITAL = { destination: { ...OURS, A: 'xx' }, ...FOLDS }
const removing = happens => ({ trouble: { destination: { removeAll: [happens] } } })
const sourceLists = list => ({ trouble: { source: { list } } })
const oddAt = (key, cause) => act => {
  const page = act()
  return { ...page, objects: [{ ...page.objects[0], key, doubtful: true, cause }, ...page.objects] }
}
const lastFails = [lacking, refused('STORE_REFUSED')]
const hide = act => {
  const page = act()
  return { ...page, objects: page.objects.filter(({ key }) => key !== 'from/a/c') }
}
const HIDDEN = { source: { ...OURS, 'a/c': 'cc' }, destination: { ...THEIRS, 'a/b': 'bb', 'a/c': 'cc' } }
const UNASKED = { source: { list: [hide], 'head from/a': [refused('ACCESS_DENIED')] } }
const marked = act => {
  const page = act()
  const { objects } = page
  return { ...page, objects: objects.map(one => (one.bytes === 0 ? { ...one, marksFolder: true } : one)) }
}
const inTheWay = (times, more) => ({
  trouble: {
    destination: { 'put to/new': Array(times).fill(refused('NOT_A_FILE', { side: 'destination' })), ...more },
  },
})
const BELOW = { source: COPIED, destination: { ...OURS, extra: 'ee', 'new/x': 'xx' } }
const MARKS = { source: { ...OURS, extra: '' }, destination: THEIRS }
const UNREADABLE = [undefined, oddAt('from/odd')]
const UNWRITABLE = { destination: { list: [undefined, undefined, oddAt('to/odd')] } }
const arrives = { later: ({ destination }) => destination.put('to/later', 'x', 1) }
const appear = { later: ({ source }) => ['extra', 'more'].map(name => source.put(`from/${name}`, 'x', 1)) }
const leave = { later: ({ destination }) => ['a', 'z'].map(name => destination.objects.delete(`to/${name}`)) }
const FENCES = [() => {}, refused('JOB_TAKEN')]
const TAKEN = { shared: { fence: async () => FENCES.shift()() } }
const NO_ODD = { ...copying, options: without('odd') }
const DENIED = [undefined, oddAt('from/odd', errorOf('ACCESS_DENIED'))]
const UPPER = { destination: { ...OURS, EXTRA: 'ee' }, ...FOLDS, ...appear }
const GIVEN = {
  'what the source does not have': same,
  'what has the name of a folder': { ...MARKS, ...sourceLists([marked]) },
  'nothing, unless that is asked for': { ...same, options: { delete: undefined } },
  'nothing where there is nothing': { source: OURS, destination: OURS },
  'nothing where the source has nothing': { source: {}, destination: THEIRS },
  'nothing where neither side has anything': { source: {}, destination: {} },
  'nothing that the filters leave out': { ...same, options: without('extra') },
  'nothing in a dry run, which tells what it would': { ...same, ...DRY },
  'nothing in a dry run, nor what the lists of the source leave out': { ...same, ...DRY, ...LEAVES_OUT },
  'nothing that the lists of the source leave out': { ...same, ...LEAVES_OUT },
  'nothing that is hidden below an object of the source': { ...HIDDEN, ...HIDES, ...sourceLists([hide]) },
  'nothing where nobody may ask what they hide': { ...HIDDEN, ...HIDES, trouble: UNASKED },
  'what is hidden, where nobody can know that': { ...HIDDEN, ...sourceLists([hide]) },
  'what its store deletes, and tells the rest': { ...same, ...removing(partly(['to/extra'])) },
  'nothing where nothing may be deleted': { ...same, ...removing(denied) },
  'nothing where the list may be incomplete': { ...same, ...sourceLists(lastFails) },
  'nothing where it may be, and there is nothing': { source: OURS, destination: OURS, ...sourceLists(lastFails) },
  'all but one of a hundred': { source: { a: 'aa' }, destination: { a: 'aa', ...many(99) } },
  'not more than half of a hundred and one': { source: { a: 'aa' }, destination: { a: 'aa', ...many(100) } },
  'one batch alone, where the job is taken by then': { ...same, destination: many(1_001), ...most('1001'), ...TAKEN },
  'half of many': { source: many(51), destination: many(102) },
  'not more than half of many': { source: many(50), destination: many(102) },
  'not more than a number': { ...same, ...most('1') },
  'as many as a number': { ...same, ...most('2') },
  'as much as a share': { ...same, ...most('50%') },
  'not more than a share': { ...same, ...most('49%') },
  'as many as a number, of what the filters leave': { ...same, ...most('1', without('extra')) },
  'what is still missing after the copies': copying,
  'not more than a number, by then': { ...copying, ...most('2'), ...arrives },
  'as many as a number, by then': { ...copying, ...most('3'), ...arrives },
  'nothing that the source has by then': { ...copying, ...appear },
  'nothing where the source has nothing by then': { ...copying, later: ({ source }) => source.objects.clear() },
  'nothing where the list may be incomplete by then': { ...copying, ...sourceLists([undefined, ...lastFails]) },
  'nothing where there is no list by then': { ...copying, ...sourceLists([undefined, denied]) },
  'nothing where the source has a key by then that nobody can read': { ...copying, ...sourceLists(UNREADABLE) },
  'nothing after a copy that failed': { ...copying, trouble: { destination: { 'put to/new': Array(9).fill(denied) } } },
  'what is in the way of an object, which follows': { ...BELOW, ...inTheWay(1) },
  'nothing in the way of an object, where another fails': {
    ...{ ...BELOW, source: { ...COPIED, other: 'oo' } },
    ...inTheWay(1, { 'put to/other': Array(9).fill(denied) }),
  },
  'what is in the way of an object, in vain': { ...BELOW, ...inTheWay(2) },
  'nothing where something else is in the way of an object': { ...copying, ...inTheWay(1) },
  'nothing that the destination takes for a name of the source': { source: OURS, ...CAPITAL },
  'nothing of that kind after the copies': { source: COPIED, ...CAPITAL },
  'nothing that has a key that nobody can write': { ...same, trouble: { destination: { list: [oddAt('to/odd')] } } },
  'not more than a share of what the filters leave, in a dry run': { ...same, ...most('50%', without('z')), ...DRY },
  'not more than a share of what the destination has': { ...copying, ...most('45%') },
  'as much as a share of what was there before': { ...copying, ...most('50%'), ...leave },
  'nothing that the destination takes for a name that the source has by then': { source: COPIED, ...UPPER },
  'the rest, where the destination has a key by then that nobody can write': { ...copying, trouble: UNWRITABLE },
  'the rest, where the filters leave out what nobody can read': { ...NO_ODD, ...sourceLists(DENIED) },
  'nothing where the filters leave out a name that nobody can read': { ...NO_ODD, ...sourceLists(UNREADABLE) },
}
const TOLD = `
what the source does not have => ok; deleting 2,delete extra,delete more; ; 2
what has the name of a folder => ok; deleting 2,delete extra,delete more; ; 2
nothing, unless that is asked for => ok; ; extra,more; 0
nothing where there is nothing => ok; ; ; 0
nothing where the source has nothing => NOTHING_FOUND; ; a,extra,more,z;
nothing where neither side has anything => NOTHING_FOUND; ; ;
nothing that the filters leave out => ok; deleting 1,delete more; extra; 1
nothing in a dry run, which tells what it would => ok; delete extra 2,delete more 2; extra,more; 2
nothing in a dry run, nor what the lists of the source leave out => ok; OBJECT_KEPT left out s3://bucket/to/extra,delete more 2; extra,more; 1
nothing that the lists of the source leave out => ok; deleting 2,OBJECT_KEPT left out s3://bucket/to/extra,delete more; extra; 1
nothing that is hidden below an object of the source => ok; deleting 4,OBJECT_KEPT unlisted s3://bucket/from/a/c,delete a/b,delete extra,delete more; ; 3
nothing where nobody may ask what they hide => ACCESS_DENIED; deleting 4; a/b,extra,more;
what is hidden, where nobody can know that => ok; deleting 4,delete a/b,delete a/c,delete extra,delete more; ; 4
what its store deletes, and tells the rest => OBJECTS_FAILED; deleting 2,ACCESS_DENIED extra,delete more; ;
nothing where nothing may be deleted => ACCESS_DENIED; deleting 2; extra,more;
nothing where the list may be incomplete => LISTING_UNPROVED; ; extra,more; 2
nothing where it may be, and there is nothing => ok; ; ; 0
all but one of a hundred => ok; deleting 99; ; 99
not more than half of a hundred and one => TOO_MANY_DELETIONS; ; 100; 100
one batch alone, where the job is taken by then => JOB_TAKEN; deleting 1001; n2000;
half of many => ok; deleting 51; ; 51
not more than half of many => TOO_MANY_DELETIONS; ; 52; 52
not more than a number => TOO_MANY_DELETIONS; ; extra,more; 2
as many as a number => ok; deleting 2,delete extra,delete more; ; 2
as much as a share => ok; deleting 2,delete extra,delete more; ; 2
not more than a share => TOO_MANY_DELETIONS; ; extra,more; 2
as many as a number, of what the filters leave => ok; deleting 1,delete more; extra; 1
what is still missing after the copies => ok; deleting 2,delete extra,delete more; ; 2
not more than a number, by then => TOO_MANY_DELETIONS; ; extra,later,more; 3
as many as a number, by then => ok; deleting 3,delete extra,delete later,delete more; ; 3
nothing that the source has by then => ok; ; extra,more; 0
nothing where the source has nothing by then => NOTHING_FOUND; ; extra,more;
nothing where the list may be incomplete by then => LISTING_UNPROVED; ; extra,more; 2
nothing where there is no list by then => ACCESS_DENIED; ; extra,more;
nothing where the source has a key by then that nobody can read => KEY_UNREADABLE; ; extra,more;
nothing after a copy that failed => OBJECTS_FAILED; ACCESS_DENIED new,NOTHING_DELETED; extra,more;
what is in the way of an object, which follows => ok; deleting 2,delete extra,delete new/x; ; 2
nothing in the way of an object, where another fails => OBJECTS_FAILED; ACCESS_DENIED other,NOT_A_FILE new,NOTHING_DELETED; extra,new/x;
what is in the way of an object, in vain => OBJECTS_FAILED; deleting 2,delete extra,delete new/x,NOT_A_FILE new; ;
nothing where something else is in the way of an object => OBJECTS_FAILED; NOT_A_FILE new,NOTHING_DELETED; extra,more;
nothing that the destination takes for a name of the source => ok; deleting 1,OBJECT_KEPT folded s3://bucket/to/A; A; 0
nothing of that kind after the copies => ok; deleting 1,OBJECT_KEPT folded s3://bucket/to/A; A; 0
nothing that has a key that nobody can write => ok; OBJECT_KEPT unwritable,deleting 2,delete extra,delete more; ; 2
not more than a share of what the filters leave, in a dry run => TOO_MANY_DELETIONS; delete extra 2,delete more 2; extra,more; 2
not more than a share of what the destination has => TOO_MANY_DELETIONS; ; extra,more; 2
as much as a share of what was there before => ok; deleting 2,delete extra,delete more; ; 2
nothing that the destination takes for a name that the source has by then => ok; deleting 1,OBJECT_KEPT folded s3://bucket/to/EXTRA; EXTRA; 0
the rest, where the destination has a key by then that nobody can write => ok; deleting 2,delete extra,delete more; ; 2
the rest, where the filters leave out what nobody can read => ok; FILTERS_UNMATCHED,deleting 2,delete extra,delete more; ; 2
nothing where the filters leave out a name that nobody can read => KEY_UNREADABLE; FILTERS_UNMATCHED; extra,more;
`
test.each(rowsOf(GIVEN, TOLD))('a sync deletes %s', async (_, how, expected) => expect(await run(how)).toBe(expected))
