'use strict'

/** What the store refuses, so that what xfer sends is judged by somebody else than xfer. */

const { call, useStore } = require('./support')

const using = useStore({ buckets: ['first'] })

test('of two conditional writes at once one wins, even where both passed the first look', async () => {
  using.store.faults.add({ operation: 'PutObject', key: 'race', bytesPerSecond: 2_000_000 })
  const write = letter =>
    call(using.store, {
      ...{ method: 'PUT', path: '/first/race', headers: { 'if-none-match': '*' } },
      body: Buffer.alloc(300_000, letter),
    })
  const answers = await Promise.all(['a', 'b'].map(write))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  const { text: stored } = await call(using.store, { path: '/first/race' })
  expect(new Set(stored)).toEqual(new Set([answers[0].status === 200 ? 'a' : 'b']))
})
