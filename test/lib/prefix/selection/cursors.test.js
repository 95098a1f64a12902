'use strict'

const fc = require('fast-check')
const { createCursors } = require('../../../../lib/prefix/selection/cursors')

test('nothing is done before the first name is', () => {
  const cursors = createCursors([{ id: 0 }])
  const over = ['a', 'b', 'c'].map(name => cursors.begin(0, name))
  expect(cursors.ranges()).toEqual([{ id: 0 }])
  over[1]()
  over[2]()
  expect(cursors.ranges()).toEqual([{ id: 0 }])
  over[0]()
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'c' }])
})

test('names that need nothing are done once they have been given, and nothing before them is under way', () => {
  const cursors = createCursors([{ id: 0, after: 'a', until: 'z' }])
  cursors.gave(0, 'k')
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'k', until: 'z' }])
  const over = cursors.begin(0, 'l')
  cursors.gave(0, 'p')
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'k', until: 'z' }])
  over()
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'p', until: 'z' }])
})

test('what is done before the page is over is not forgotten', () => {
  const cursors = createCursors([{ id: 0 }])
  cursors.gave(0, 'b')
  cursors.begin(0, 'c')()
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'c' }])
})

test('a range is over when all its names have been given and are done', () => {
  const cursors = createCursors([{ id: 0 }])
  const over = cursors.begin(0, 'a')
  cursors.gave(0, 'a')
  cursors.end(0)
  expect(cursors.ranges()).toEqual([{ id: 0 }])
  over()
  expect(cursors.ranges()).toEqual([])
})

test('a range that is split leaves what is behind it to another one', () => {
  const cursors = createCursors([{ id: 0 }])
  cursors.gave(0, 'b')
  cursors.split(0, 'm')
  cursors.add({ id: 1, after: 'm' })
  expect(cursors.ranges()).toEqual([
    { id: 0, after: 'b', until: 'm' },
    { id: 1, after: 'm' },
  ])
  cursors.end(0)
  expect(cursors.ranges()).toEqual([{ id: 1, after: 'm' }])
})

test('a range with a name that another run has to look at stays before it, whatever else is done, and is never over', () => {
  const cursors = createCursors([{ id: 0 }])
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(name => cursors.begin(0, name))
  cursors.gave(0, 'e')
  cursors.end(0)
  d(false)
  c()
  b(false)
  expect(cursors.ranges()).toEqual([{ id: 0 }])
  a()
  expect(cursors.ranges()).toEqual([{ id: 0, after: 'a' }])
})

test('whatever ends in whatever order, a cursor has everything up to it done, and is as far as that', () => {
  const names = 'abcdefghijklmnopqrstuvwxyz'.split('')
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 26, maxLength: 26 }),
      fc.infiniteStream(fc.nat()),
      (begins, draws) => {
        const cursors = createCursors([{ id: 0 }])
        const open = []
        const pending = new Set()
        names.forEach((name, i) => {
          if (begins[i]) {
            pending.add(name)
            open.push([name, cursors.begin(0, name)])
          } else cursors.gave(0, name)
          const [[one, over]] = open.length > 0 ? open.splice(draws.next().value % open.length, 1) : [[]]
          if (over) {
            over()
            pending.delete(one)
          }
          const first = [...pending].sort()[0]
          const [{ after }] = cursors.ranges()
          if (first === undefined) expect(after).toBe(name)
          else if (after !== undefined) expect(after < first).toBe(true)
        })
      },
    ),
  )
})
