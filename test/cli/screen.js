'use strict'

/** How many columns a character takes: 2 of those that East Asia writes wide, and emoji. @param {string} char */
const widthOf = char =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(char)
    ? 2
    : 1

/** A sequence with its number and its letter, or a character. */
const ESC = '\x1b'
const TOKEN = new RegExp(`(${ESC}\\[(\\d*)([A-Z]))|([^${ESC}])`, 'gu')

/**
 * What somebody sees who looks at a terminal: text that wraps, and the few sequences that xfer uses.
 *
 * @param {number} columns
 */
function createScreen(columns) {
  /** Rows as they are seen; `wrapped` where the row before goes on in it. @type {Array<{ text: string, wrapped: boolean }>} */
  let rows = [{ text: '', wrapped: false }]
  let row = 0
  let column = 0

  function put(char) {
    const width = widthOf(char)
    if (column + width > columns) {
      row++
      column = 0
      rows[row] ??= { text: '', wrapped: true }
    }
    rows[row].text = [...rows[row].text].slice(0, column).join('') + char
    column += width
  }

  const handlers = {
    A: n => {
      row = Math.max(0, row - n)
    },
    G: n => {
      column = n - 1
    },
    J: () => {
      rows[row].text = rows[row].text.slice(0, column)
      rows = rows.slice(0, row + 1)
    },
  }

  return {
    write(text) {
      for (const [, sequence, n, letter, char] of text.matchAll(TOKEN)) {
        if (sequence) handlers[letter](Number(n || 1))
        else if (char === '\n') {
          row++
          column = 0
          rows[row] ??= { text: '', wrapped: false }
        } else put(char)
      }
    },
    /** Lines as they were written, without the one that the cursor is on where that is empty. */
    lines() {
      const lines = []
      for (const { text, wrapped } of rows) {
        if (wrapped) lines.push(lines.pop() + text)
        else lines.push(text)
      }
      return lines.at(-1) === '' ? lines.slice(0, -1) : lines
    },
  }
}

module.exports = { createScreen }
