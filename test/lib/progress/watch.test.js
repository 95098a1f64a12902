'use strict'

const { watchProgress } = require('../../../lib/progress')

const PARTS = [1, 2].map(partNumber => ({ partNumber, start: 10 * (partNumber - 1), bytes: 10 }))
const part = partNumber => ({ type: 'part', partNumber, bytes: 10, attempt: 1, elapsedMs: 5 })

/** @param {(tasks: any[], options: any) => Promise<any>} [run] */
function watch(run = async () => []) {
  const told = []
  const events = { emit: event => told.push(event), pressure: { hindrances: () => ({}) } }
  const job = { engine: { name: 'local', run }, run: events }
  const watched = watchProgress(job, { bytes: 20, parts: PARTS })
  /** The progress as it is told at the end. */
  const end = () => {
    watched.stop()
    return told.findLast(({ type }) => type === 'progress')
  }
  return { ...watched, told, end }
}

test('the event has its fields, in their order', () => {
  const { run, end } = watch()
  run.emit(part(1))
  expect(Object.keys(end()).join()).toMatch(
    /^type,phase,phaseMs,elapsedMs,bytesDone,bytesTotal,resumedBytes,partsDone,partsTotal,inFlight,retried,throttled,bytesPerSecond(?:,etaMs)?$/,
  )
})

test('invocations are counted, those under way too, and bytes that they tell of are seen and passed on', async () => {
  const heard = []
  let finish
  const { engine, counts, end } = watch(async (_, { onBytes }) => {
    onBytes(1, 4)
    await new Promise(resolve => {
      finish = resolve
    })
    throw new Error('lost')
  })
  const running = engine.run([], { onBytes: (...seen) => heard.push(seen) })
  expect(end()).toMatchObject({ inFlight: 1, bytesDone: 4, partsDone: 0 })
  finish()
  await expect(running).rejects.toThrow('lost')
  expect(end()).toMatchObject({ inFlight: 0 })
  expect({ heard, invocations: counts().invocations }).toEqual({ heard: [[1, 4]], invocations: 1 })
})

test('a copy that begins again counts from zero; the verification keeps the count of repetitions', () => {
  const { run, counts, restart, reading, end } = watch()
  run.emit({ type: 'resume', job: 'j', parts: 1, bytes: 10 })
  run.emit({ type: 'retry', partNumber: 2 })
  run.emit({ type: 'hedge', bytes: 3 })
  expect(counts()).toEqual({ invocations: 0, retried: 1, throttled: 0, hedgedBytes: 3, resumedBytes: 10 })
  restart()
  expect(counts()).toEqual({ invocations: 0, retried: 0, throttled: 0, hedgedBytes: 3, resumedBytes: 0 })
  run.emit({ type: 'throttle' })
  for (const number of [1, 2]) run.emit(part(number))
  const emit = reading(PARTS.slice(0, 1))
  expect(end()).toMatchObject({ bytesDone: 0, bytesTotal: 10, partsTotal: 1, throttled: 1 })
  emit(part(1))
  emit({ type: 'retry', partNumber: 1 })
  expect(end()).toMatchObject({ bytesDone: 10, partsDone: 1, throttled: 1, retried: 1 })
})

test('what an earlier run has copied is told apart, and is not in the rate', () => {
  const { run, end } = watch()
  run.emit({ type: 'resume', job: 'j', parts: 1, bytes: 10 })
  expect(end()).toMatchObject({ bytesDone: 10, resumedBytes: 10, bytesPerSecond: 0 })
})
