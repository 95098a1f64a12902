'use strict'

const { isReplaced } = require('../../../lib/object')

const begun = { etag: '"one"', bytes: 7, versionId: 'first' }

test.each([
  ['is not replaced if nothing was begun', undefined, begun, [false, false]],
  ['is not replaced if it is the same', begun, { ...begun, etag: 'one' }, [false, false]],
  ['is replaced if it is gone', begun, undefined, [true, true]],
  ['is replaced if its ETag is another', begun, { ...begun, etag: '"two"' }, [true, true]],
  ['is replaced if its size is another', begun, { ...begun, bytes: 8 }, [true, true]],
  ['may be an equal one of another version', begun, { ...begun, versionId: 'second' }, [true, false]],
])('the object %s', (_, before, found, expected) => {
  expect([true, false].map(versions => isReplaced(before, found, { versions }))).toEqual(expected)
})
