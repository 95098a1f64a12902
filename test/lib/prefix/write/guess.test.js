'use strict'

const { createGuess } = require('../../../../lib/prefix/write/describer')

const KiB = 1024
const text = { 'content-type': 'text/plain' }
const image = { 'content-type': 'image/jpeg' }

test("without any knowledge, the guess is S3's default attributes", () => {
  expect(createGuess().headers('a.txt')).toEqual({ 'content-type': 'binary/octet-stream' })
})

test('names with the same extension get the same guess, whatever their case', () => {
  const guess = createGuess()
  guess.learn('a.txt', text)
  guess.learn('b.JPG', image)
  expect(guess.headers('c/d.txt')).toBe(text)
  expect(guess.headers('e.jpg')).toBe(image)
})

test('a new extension gets the guess of the last object', () => {
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

test('it keeps a limited number of extensions', () => {
  const guess = createGuess()
  for (let i = 0; i < 256; i++) guess.learn(`n.e${i}`, text)
  guess.learn('n.more', image)
  guess.learn('n.e0', text)
  expect(guess.headers('m.more')).toBe(text)
  // Of those that are known the last counts still.
  guess.learn('n.e7', image)
  expect(guess.headers('m.e7')).toBe(image)
})

describe('whether guessing pays', () => {
  const told = (...found) => {
    const guess = createGuess()
    for (const right of found) guess.was(right)
    return guess
  }
  const large = 256 * KiB + 1

  test('it does if objects are read as fast as they are requested', () => {
    expect(told(...Array(20).fill(false)).worthIt(256 * KiB)).toBe(true)
  })

  test('it does at first, and as long as half of the guesses are right', () => {
    expect(told().worthIt(large)).toBe(true)
    expect(told(true, false).worthIt(large)).toBe(true)
    expect(told(true, false, false).worthIt(large)).toBe(false)
  })

  test('it does again once the last twenty guesses were right', () => {
    const wrong = Array(20).fill(false)
    expect(told(...wrong, ...Array(9).fill(true)).worthIt(large)).toBe(false)
    expect(told(...wrong, ...Array(10).fill(true)).worthIt(large)).toBe(true)
  })
})
