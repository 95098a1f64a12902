'use strict'

/** What commands told, and what an object lost that they did not. Pure. */

/** @typedef {import('../support/ends/s3-objects').Kept} Kept */

/** All sentences. @param {import('./command').Ended[]} commands @returns {string} */
function toldOf(commands) {
  const texts = commands.flatMap(({ events, stderr }) => [
    ...events.flatMap(({ message, hint, notices = [] }) => [message, hint, ...notices]),
    stderr,
  ])
  return texts.filter(text => typeof text === 'string' && text !== '').join(' | ')
}

/**
 * Attributes of the source that the copy has not, and of which nothing was said.
 *
 * @param {Kept} source
 * @param {Kept} copy
 * @param {import('./command').Ended[]} commands
 * @returns {string[]}
 */
function lostOf(source, copy, commands) {
  const told = toldOf(commands)
  /** @type {string[]} */
  const lost = []
  const names = new Set([...Object.keys(source.headers), ...Object.keys(copy.headers)])
  for (const name of names) {
    const [had, has] = [source.headers[name], copy.headers[name]]
    // What a store says where nothing was said differs from store to store.
    if (had === has || (name === 'content-type' && (had === undefined || /octet-stream/.test(had)))) continue
    if (!new RegExp(name, 'i').test(told)) lost.push(`${name} "${had}" (it has "${has}")`)
  }
  const user = Object.entries(source.user).filter(([name, value]) => copy.user[name] !== value)
  if (user.length > 0 && !/metadata/i.test(told)) lost.push(`user metadata ${user.map(([name]) => name).join(', ')}`)
  const tags = new Map(copy.tags)
  const gone = source.tags.filter(([name, value]) => tags.get(name) !== value).map(([name]) => name)
  if (gone.length > 0 && !/\btags?\b/i.test(told)) lost.push(`the tags ${gone.join(', ')}`)
  return lost
}

module.exports = { lostOf, toldOf }
