'use strict'

const { asksServer } = require('../../../lib/job/route')
const { identify } = require('../../../lib/stores')

const at = (endpoint, region = 'us-east-1') =>
  identify({ scheme: 's3', container: 'bucket', key: 'key' }, { endpoint, region })
const AWS = at(undefined)
const LOCAL = at('http://127.0.0.1:9000')

describe('two sides are one store', () => {
  it.each([
    ['AWS, whatever the region', AWS, at(undefined, 'eu-west-1')],
    ['AWS, by name and without', AWS, at('https://s3.eu-west-1.amazonaws.com', 'eu-west-1')],
    ['AWS in China', at(undefined, 'cn-north-1'), at('https://s3.cn-northwest-1.amazonaws.com.cn', 'cn-northwest-1')],
    ['the same endpoint', at('https://minio.example:9000'), at('https://minio.example:9000', 'other')],
    ['loopback by its names', LOCAL, at('http://localhost:9000')],
    ['the port that is usual', at('https://minio.example'), at('https://minio.example:443')],
  ])('%s', (_, one, other) => {
    expect(one.copies).toBe(other.copies)
    expect(asksServer('auto', { source: one, destination: other })).toBe('copies')
    expect(asksServer('server', { source: one, destination: other })).toBe('copies')
    expect(asksServer('engine', { source: one, destination: other })).toBe(false)
  })
})

describe('two sides are two stores', () => {
  it.each([
    ['AWS and another', AWS, LOCAL],
    ['AWS and its China', AWS, at(undefined, 'cn-north-1')],
    ['AWS and its clouds for governments', AWS, at(undefined, 'us-gov-west-1')],
    ['two hosts', at('https://a.example'), at('https://b.example')],
    ['two ports', LOCAL, at('http://127.0.0.1:9001')],
    ['two paths of a gateway', at('https://gate.example/one'), at('https://gate.example/two')],
    ['a host that only looks like AWS', AWS, at('https://amazonaws.com.example')],
  ])('%s', (_, one, other) => {
    expect(asksServer('auto', { source: one, destination: other })).toBe(false)
    expect(() => asksServer('server', { source: one, destination: other })).toThrow(
      expect.objectContaining({ code: 'USAGE', exitCode: 2 }),
    )
  })
})

it('a store that does not copy is said not to', () => {
  const one = { name: 'az.example/account' }
  const route = () => asksServer('server', { source: one, destination: one })
  expect(route).toThrow('--route server leaves the copy to the store, and az.example/account does not copy by itself.')
})

describe('a destination that reads the source by itself', () => {
  const azure = account => ({ name: account, lends: true, pulls: true })
  const sides = { source: azure('one'), destination: azure('other') }
  it('is asked only with --route server', () => {
    expect(['auto', 'server', 'engine'].map(route => asksServer(route, sides))).toEqual([false, 'pulls', false])
  })
  it.each([
    ['a rate', { bytesPerSecond: 1000 }],
    ['a prefix', { prefixes: true }],
    ['a source without URLs', { source: { name: 'none' } }],
    ['a destination that reads none', { destination: { name: 'none' } }],
  ])('is not asked with %s', (_, more) => {
    const refused = expect.objectContaining({ code: 'USAGE' })
    expect(() => asksServer('server', { ...sides, ...more })).toThrow(refused)
  })
})

it.each([
  ['a rate, which no store holds', { bytesPerSecond: 1000 }],
  ['everything to be read again', { readsAll: true }],
])('a copy with %s goes through the engine', (_, more) => {
  const sides = { source: LOCAL, destination: LOCAL }
  expect(asksServer('auto', { ...sides, ...more })).toBe(false)
  expect(() => asksServer('server', { ...sides, ...more })).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
