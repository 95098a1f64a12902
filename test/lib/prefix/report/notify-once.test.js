'use strict'

const { notice } = require('../../../../lib/notices')
const { createNotifyOnce } = require('../../../../lib/prefix/report/events')

function setUp() {
  const told = []
  return { told, tell: createNotifyOnce(({ message }) => told.push(message)) }
}
const without = (location, ...names) => notice('ATTRIBUTES_NOT_KEPT', { location, names })

test('a notice that is true of many objects is given for the first one', () => {
  const { told, tell } = setUp()
  tell(without('s3://b/one', 'expires'))
  tell(without('s3://b/two', 'expires'))
  tell(without('s3://b/two', 'cache-control'))
  expect(told).toEqual([
    's3://b/one is without expires, because its store did not keep that.',
    's3://b/two is without cache-control, because its store did not keep that.',
  ])
})

test('tags are told of by their names where others are kept, and else by their number', () => {
  const { told, tell } = setUp()
  const reason = 'its store did not keep them'
  tell(notice('TAGS_NOT_WRITTEN', { location: 's3://b/one', all: 2, reason }))
  tell(notice('TAGS_NOT_WRITTEN', { location: 's3://b/two', all: 2, reason }))
  tell(notice('TAGS_NOT_WRITTEN', { location: 's3://b/two', names: ['a'], reason }))
  expect(told).toEqual([
    `s3://b/one is written without the 2 tags of its source, because ${reason}; --tags none copies no tags.`,
    `s3://b/two is written without the tag a of its source, because ${reason}; --tags none copies no tags.`,
  ])
})

test('a notice about no object is given once', () => {
  const { told, tell } = setUp()
  tell(notice('NOTHING_DELETED'))
  tell(notice('NOTHING_DELETED'))
  expect(told).toHaveLength(1)
})

test('notices that are otherwise of each object come to an end', () => {
  const { told, tell } = setUp()
  for (let i = 0; i < 2_000; i++) tell(without('s3://b/k', `header-${i}`))
  expect(told).toHaveLength(1_000)
})
