'use strict'

const { createFilter } = require('../../../lib/select')

const meant = (pattern, names, prefix) => {
  const filter = createFilter({ rules: [{ include: pattern }], prefix })
  for (const name of names) filter(name, { bytes: 1 })
  return filter.unmatched().map(found => found.meant?.include)
}

test.each([
  ['tmp', ['tmp/a'], ['tmp/*']],
  ['tmp/', ['tmp/a'], ['tmp/*']],
  ['/tmp/', ['tmp/a'], ['tmp/*']],
  ['/tmp/*', ['tmp/a'], ['tmp/*']],
  ['./a.jpg', ['a.jpg'], ['a.jpg']],
  ['s3://old@photos/2026/*.jpg', ['a.jpg'], ['*.jpg']],
  ['S3://photos/2026/x', ['x/1', 'x'], ['x/*']],
  ['2026/x', ['x'], ['x']],
  ['*.tiff', ['a.tif', 'b'], [undefined]],
  ['tmp', ['tmp2/a', 'a/tmp'], [undefined]],
  ['/', ['a'], [undefined]],
  ['s3://photos', ['photos/a'], [undefined]],
  ['s3://photos/2026/', ['a'], [undefined]],
  ['a', ['a'], []],
])('what %s was meant to be among %j is %j', (pattern, names, expected) => {
  expect(meant(pattern, names, '2026/')).toEqual(expected)
})
