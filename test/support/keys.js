'use strict'

/** Keys that tempt a program to change them. */

/** What every store takes. @type {Array<[what: string, key: string]>} */
const PLAIN_KEYS = [
  ['a space', 'a key with spaces.txt'],
  ['a plus', 'a+b'],
  ['a percent sign', '100%'],
  ['what looks percent-encoded', 'a%20b%2Fc%41'],
  ['a question mark', 'what?x=1&y=2'],
  ['a hash', 'a#b'],
  ['reserved and other signs', '!\'()*~&$@=;:,[]{}^`|<>"'],
  ['umlauts', 'Größe/äöü'],
  ['a combining accent, which is not the composed letter', 'cafe\u0301'],
  ['other scripts', '数据/данные/بيانات'],
  ['emoji, one of several code points', '🎉/👩‍👩‍👧.bin'],
  ['dots that are no segment', '...a/.b/c..'],
  ['1,024 bytes in segments', `${'k'.repeat(204)}/`.repeat(5).slice(0, -1)],
]

/** What a store with a file system below may refuse: to it they are paths. @type {Array<[what: string, key: string]>} */
const PATH_KEYS = [
  ['a ./ segment in front', './one'],
  ['a ./ segment', 'two/./b'],
  ['a ../ segment', 'three/../b'],
  ['a ../ segment in front', '../four'],
  ['two slashes', 'five//b'],
  ['a leading slash', '/six'],
  ['a trailing slash', 'folder/'],
  ['nothing but dots', '..'],
  ['1,024 bytes in one segment', 'k'.repeat(1024)],
]

module.exports = { PLAIN_KEYS, PATH_KEYS }
