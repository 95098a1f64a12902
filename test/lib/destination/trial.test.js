'use strict'

/** What was tried at a store is removed: by its versions where they are known and may be deleted, else as it can be. */

const { createTrial } = require('../../../lib/destination')
const { errorOf } = require('../../support/rigged-store')

/** @param {{ denied?: boolean, broken?: boolean, listed?: string[] }} [how] denied: versions may not be deleted; broken: nothing may be; listed: names in the end */
function setUp({ denied = false, broken = false, listed = [] } = {}) {
  const calls = []
  const store = {
    upload: { abort: async ({ uploadId }) => void calls.push(`abort ${uploadId}`) },
    list: async ({ prefix }) => ({ objects: listed.map(name => ({ key: prefix + name })) }),
    async remove({ key, versionId }) {
      calls.push([key.split('/').at(-1), versionId].filter(Boolean).join(' '))
      if (broken) throw errorOf('STORE_ERROR')
      if (denied && versionId) throw errorOf('ACCESS_DENIED')
    },
  }
  return { trial: createTrial(/** @type {any} */ (store), { within: 'p/', name: 'try' }), calls }
}

test.each([
  ['each version is deleted', {}, ['1', '2'], ['a 1', 'a 2'], []],
  ['where versions may not be deleted they are hidden', { denied: true }, ['1'], ['a 1', 'a'], []],
  ['a store without versions is asked once', {}, [undefined, undefined], ['a'], []],
  ['what had no answer is found by the list', { listed: ['a'] }, ['1'], ['a 1', 'a'], []],
  ['what stays is told', { broken: true, listed: ['a'] }, ['1'], ['a 1'], ['a']],
])('%s', async (_, how, versions, expected, left) => {
  const { trial, calls } = setUp(how)
  for (const versionId of versions) trial.wrote(trial.begin('a'), versionId)
  expect((await trial.clean()).map(key => key.slice(trial.prefix.length))).toEqual(left)
  expect(calls).toEqual(expected)
})

test('what is refused at its first write is not there, and what is refused later may be', async () => {
  const { trial, calls } = setUp()
  trial.refused(trial.begin('never'))
  trial.begin('lost')
  trial.refused(trial.begin('lost'))
  trial.began('upload', trial.begin('parts'))
  trial.began('over', 'parts')
  trial.ended('over')
  await trial.clean()
  expect(calls).toEqual(['abort upload', 'lost', 'parts'])
})
