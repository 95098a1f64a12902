'use strict'

const { taskMaker } = require('../../../lib/transfer')

test("a task's requests bring the rules that their stores gave them", async () => {
  const [read, part] = [{ statuses: [200] }, { statuses: [202] }]
  const requested = accepts => ({ request: { method: 'GET', url: 'http://store/', headers: {}, accepts } })
  const make = taskMaker({
    source: { store: { read: async () => requested(read) }, key: 'key' },
    object: { etag: '"e"', bytes: 1 },
    write: async () => requested(part),
    sums: ['crc32'],
  })
  const task = await make({ partNumber: 1, start: 0, bytes: 1 })
  expect(task.read.accepts).toBe(read)
  expect(task.write.accepts).toBe(part)
})
