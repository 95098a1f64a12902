'use strict'

const { inBatches } = require('../../../lib/async')

async function* numbers(count) {
  for (let number = 0; number < count; number++) yield number
}

async function batchesOf(items, most) {
  const batches = []
  for await (const batch of inBatches(items, most)) batches.push(batch)
  return batches
}

test.each([
  [0, []],
  [2, [[0, 1]]],
  [3, [[0, 1, 2]]],
  [4, [[0, 1, 2], [3]]],
  [
    6,
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
  ],
])('%i items come in batches of three, in their order, and no batch is empty', async (count, batches) => {
  expect(await batchesOf(numbers(count), 3)).toEqual(batches)
})

test('a batch that is not full yet is not given if the items fail', async () => {
  async function* failing() {
    yield* [1, 2, 3]
    throw new Error('no more')
  }
  const batches = inBatches(failing(), 2)
  expect((await batches.next()).value).toEqual([1, 2])
  await expect(batches.next()).rejects.toThrow('no more')
})
