'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const library = require('../../lib')

test('the types of the public face name what the library gives', () => {
  const read = (/** @type {string[]} */ ...path) => readFileSync(join(__dirname, '..', '..', 'lib', ...path), 'utf8')
  const types = read('index.d.ts') + read('api', 'errors.d.ts')
  const named = [...types.matchAll(/^export (?:declare )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(Object.keys(library).sort())
  const exits = /EXIT: Readonly<\{([^}]*)\}>/.exec(types)?.[1].matchAll(/(\w+): (\d+)/g) ?? []
  expect(Object.fromEntries([...exits].map(([, name, status]) => [name, Number(status)]))).toEqual(library.EXIT)
})
