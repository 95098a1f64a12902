'use strict'

/**
 * The password of a host in ~/.netrc. Pure.
 * https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
 */

/** @typedef {{ machine?: string, login?: string, password?: string }} Entry machine absent: `default` */

/**
 * @param {string} text of the file
 * @param {string} host without a port
 * @returns {{ login: string, password: string, byName: boolean } | undefined} byName: the entry names the host
 */
function findEntry(text, host) {
  const fitting = entriesOf(text).find(({ machine }) => machine === undefined || machine.toLowerCase() === host)
  if (fitting?.login === undefined || fitting.password === undefined) return undefined
  return { login: fitting.login, password: fitting.password, byName: fitting.machine !== undefined }
}

/** @param {string} text @returns {Entry[]} in their order */
function entriesOf(text) {
  /** @type {Entry[]} */
  const entries = []
  const words = wordsOf(text)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === 'default') entries.push({})
    else if (word === 'machine') entries.push({ machine: words[++at] ?? '' })
    else if (word === 'account') at++
    else if (word === 'login' || word === 'password') {
      const value = words[++at]
      const entry = entries.at(-1)
      if (entry) entry[word] ??= value
    }
  }
  return entries
}

/** Words, some in quotes, without lines of comments, and macros, which end at an empty line. @param {string} text @returns {string[]} */
function wordsOf(text) {
  const plain = text.replace(/\r\n?/g, '\n').replace(/(^|\s)macdef\s[\s\S]*?(?:\n[ \t]*\n|$)/g, '$1')
  const words = plain.replace(/^[ \t]*#.*$/gm, '').matchAll(/(?<=^|\s)(?:"((?:[^"\\\n]|\\.)*)"|(\S+))/g)
  return [...words].flatMap(([, quoted, bare]) => quoted?.replace(/\\(.)/g, '$1') ?? bare ?? [])
}

module.exports = { findEntry }
