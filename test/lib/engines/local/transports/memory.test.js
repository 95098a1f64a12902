'use strict'

const { rangeSource, someBytes } = require('../../../../action/stores')
const { get, getRange, put, run, taskOf } = require('./tasks')

/** Memory of so many bytes that threads can share. @param {Buffer | number} of a number: zeros */
function memoryOf(of) {
  const held = new SharedArrayBuffer(typeof of === 'number' ? of : of.length)
  if (typeof of !== 'number') of.copy(Buffer.from(held))
  return held
}

const BYTES = someBytes(5 * 1024 * 1024 + 1)

test('a part is written where it belongs', async () => {
  const source = await rangeSource(Buffer.from('0123456789'))
  const held = memoryOf(6)
  const headers = { 'content-range': 'bytes 4-6/10', 'x-start': '3' }
  await run(taskOf(3, getRange(`${source.url}/b/k`, 4, 3), put('memory:7', 3, { held, headers }), { total: 10 }))
  expect(Buffer.from(held).toString('hex')).toBe('003435360000')
})

const BEHIND = { 'x-start': '1', 'x-total': '10' }
test.each([
  ['another ID', getRange('memory:a', 0, 5, { headers: { 'if-match': '"b"' } }), { code: 'SOURCE_CHANGED' }],
  ['bytes before its own', getRange('memory:a', 0, 5, { headers: BEHIND }), { status: 416 }],
  ['bytes behind its own', getRange('memory:a', 3, 5, { headers: { 'x-total': '10' } }), { status: 416 }],
])('a read of %s is refused', async (_, read, error) => {
  const task = taskOf(5, { ...read, held: memoryOf(6) }, put('memory:7', 5, { held: memoryOf(5) }), { total: 10 })
  expect(await run(task)).toMatchObject({ error })
})

test('a write of more than it holds is refused', async () => {
  const read = get('memory:a', { held: memoryOf(BYTES) })
  const outcome = await run(taskOf(BYTES.length, read, put('memory:7', BYTES.length, { held: memoryOf(9) })))
  expect(outcome).toMatchObject({ error: { side: 'write', status: 413, storeCode: 'TOO_LARGE' } })
})
