'use strict'

/** How far a job has come, whatever ends in whatever order, and however often it is killed. */

const fc = require('fast-check')
const { createCursors, isIn, rangesOf } = require('../../../lib/many/resumed')

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
          // An expect costs more than all the rest here.
          const isRight = first === undefined ? after === name : after === undefined || after < first
          if (!isRight) throw new Error(`The cursor is at ${after} where ${first ?? name} is next.`)
        })
      },
    ),
  )
})

test('however often a job is killed, every name is in one range, and what is said to be done was done by then', () => {
  const names = 'abcdefghijkl'.split('')
  /** Each name: when it was first done, and when a copy began that has not ended. */
  const ofNames = () => new Map(names.map(name => [name, { doneAt: undefined, begunAt: undefined }]))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.infiniteStream(fc.nat()), (runs, draws) => {
      const draw = most => draws.next().value % most
      const world = ofNames()
      let time = 0
      let kept
      for (let run = 0; run < runs; run++) {
        const { open, done } = kept ? rangesOf(kept) : { open: [{ id: 0 }], done: [] }
        for (const [name, { doneAt, begunAt }] of world) {
          const [range, ...others] = [...open, ...done].filter(range => isIn(range, name))
          if (range === undefined || others.length > 0) throw new Error(`${name} is not in one range.`)
          if (range.doneMs === undefined) continue
          const isRight = doneAt <= range.doneMs && (begunAt === undefined || begunAt > range.doneMs)
          if (!isRight) throw new Error(`${name} is said to be done, and was not.`)
        }
        const cursors = createCursors([...open, ...done])
        const keep = () => {
          kept = { ranges: cursors.ranges(), doneRanges: cursors.done(), keptMs: ++time }
        }
        keep()
        const flying = []
        const land = () => {
          const [{ name, over }] = flying.splice(draw(flying.length), 1)
          over()
          world.set(name, { doneAt: world.get(name).doneAt ?? ++time, begunAt: undefined })
        }
        let steps = draw(40)
        for (const { id, ...range } of [...open, ...done]) {
          for (const name of names.filter(name => isIn(range, name))) {
            if (steps-- <= 0) break
            time++
            if (draw(2)) {
              flying.push({ name, over: cursors.begin(id, name) })
              world.set(name, { ...world.get(name), begunAt: time })
            } else {
              world.set(name, { doneAt: world.get(name).doneAt ?? time, begunAt: undefined })
              cursors.gave(id, name)
            }
            if (flying.length > 0 && draw(2)) land()
            if (draw(2)) keep()
          }
          if (steps > 0) cursors.end(id)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})
