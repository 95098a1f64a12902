'use strict'

const { createGuess } = require('../../../../lib/prefix/write/guess')

const KiB = 1024
const text = { 'content-type': 'text/plain' }
const image = { 'content-type': 'image/jpeg' }

test('an object of which nothing is known is as S3 makes one of which nothing was said', () => {
  expect(createGuess().headers('a.txt')).toEqual({ 'content-type': 'binary/octet-stream' })
})

test('what ends alike is alike, whatever came between, and however it is written', () => {
  const guess = createGuess()
  guess.learn('a.txt', text)
  guess.learn('b.JPG', image)
  expect(guess.headers('c/d.txt')).toBe(text)
  expect(guess.headers('e.jpg')).toBe(image)
})

test('what ends as nothing before is as the last one was', () => {
  const guess = createGuess()
  guess.learn('a.txt', text)
  guess.learn('b.jpg', image)
  expect(guess.headers('c.png')).toBe(image)
})

test.each(['plain', 'dir.d/plain', '.', 'end.', 'an.ending-of-more-than-sixteen'])('%j has no ending', name => {
  const guess = createGuess()
  guess.learn('none', text)
  guess.learn('b.jpg', image)
  expect(guess.headers(name)).toBe(text)
})

test('of endings it keeps no more than there is room for', () => {
  const guess = createGuess()
  for (let i = 0; i < 256; i++) guess.learn(`n.e${i}`, text)
  guess.learn('n.more', image)
  guess.learn('n.e0', text)
  expect(guess.headers('m.more')).toBe(text)
  // Of those that are known the last counts still.
  guess.learn('n.e7', image)
  expect(guess.headers('m.e7')).toBe(image)
})

describe('whether it is worth it', () => {
  const told = (...found) => {
    const guess = createGuess()
    for (const right of found) guess.was(right)
    return guess
  }
  const large = 256 * KiB + 1

  test('it is, of what is read as fast as it is asked for', () => {
    expect(told(...Array(20).fill(false)).worthIt(256 * KiB)).toBe(true)
  })

  test('it is to begin with, and as long as half of the guesses are right', () => {
    expect(told().worthIt(large)).toBe(true)
    expect(told(true, false).worthIt(large)).toBe(true)
    expect(told(true, false, false).worthIt(large)).toBe(false)
  })

  test('it is again once the last twenty are', () => {
    const wrong = Array(20).fill(false)
    expect(told(...wrong, ...Array(9).fill(true)).worthIt(large)).toBe(false)
    expect(told(...wrong, ...Array(10).fill(true)).worthIt(large)).toBe(true)
  })
})
