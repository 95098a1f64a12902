'use strict'

const { createToldOnce } = require('../../../../lib/prefix/report/notify-once')

function setUp() {
  const told = []
  return { told, tell: createToldOnce(event => told.push(event)) }
}

test('what is true of many is told of the first', () => {
  const { told, tell } = setUp()
  tell('s3://b/one has no tags.', 's3://b/one')
  tell('s3://b/two has no tags.', 's3://b/two')
  tell('s3://b/two has no class.', 's3://b/two')
  expect(told).toEqual([
    { type: 'notice', message: 's3://b/one has no tags.' },
    { type: 'notice', message: 's3://b/two has no class.' },
  ])
})

test('a name is taken as it stands, however often it is there and whatever is in it', () => {
  const { told, tell } = setUp()
  tell('$& is not $&.', '$&')
  tell('.* is not .*.', '.*')
  expect(told.map(({ message }) => message)).toEqual(['$& is not $&.'])
})

test('a sentence about no object is told once', () => {
  const { told, tell } = setUp()
  tell('The store is slow.', '')
  tell('The store is slow.', '')
  expect(told).toHaveLength(1)
})

test('sentences that are otherwise of each object come to an end', () => {
  const { told, tell } = setUp()
  for (let i = 0; i < 2_000; i++) tell(`k has the key ${i}.`, 'nowhere')
  expect(told).toHaveLength(1_000)
})
