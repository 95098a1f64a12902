'use strict'

/** Reads the declarations of the library: lib/index.d.ts and lib/api/, in the form that they are written in there. */

const { readFileSync } = require('node:fs')
const { join } = require('node:path')

/**
 * A doc comment. Its text is Markdown; a tag's text is on one line, except that of an example.
 *
 * @typedef {{ text: string, params: Array<{ name: string, text: string }>, returns?: string, throws?: string, example?: string }} Doc
 * @typedef {{ kind: 'function' | 'class' | 'const' | 'interface' | 'type', name: string, doc: Doc, code: string }} Declaration
 *   code: without the doc comment and the words `export declare`
 */

/** A doc comment at the beginning of a line, and what is exported behind it, up to the next blank line outside of braces. */
const EXPORTED =
  /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport (?:declare )?((function|class|const|interface|type) (\w+)[\s\S]*?(?:\n(?=\n)|\n?$(?![\s\S])))/gm

/** @param {string} file from lib/ @returns {Declaration[]} in the file's order */
function declarationsOf(file) {
  const text = readFileSync(join(__dirname, '..', '..', 'lib', file), 'utf8')
  return [...text.matchAll(EXPORTED)].map(([, comment, code, kind, name]) => ({
    kind: /** @type {Declaration['kind']} */ (kind),
    name,
    doc: docOf(comment),
    code: code.trimEnd(),
  }))
}

/** @param {string} comment between its marks @returns {Doc} */
function docOf(comment) {
  const lines = comment.split('\n').map(line => line.replace(/^ ?\* ?/, '').trimEnd())
  const [text, ...tags] = lines.join('\n').trim().split(/^@/m)
  /** @type {Doc} */
  const doc = { text: text.trim(), params: [] }
  for (const tag of tags) {
    const [, kind, rest] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
    const line = rest.trim().replace(/\s*\n\s*/g, ' ')
    if (kind === 'param') {
      const [name, ...words] = line.split(' ')
      doc.params.push({ name, text: words.join(' ') })
    } else if (kind === 'example') doc.example = `${rest.trim()}\n`
    else if (kind === 'returns') doc.returns = line
    else if (kind === 'throws') doc.throws = line.replace(/^\{(\w+)\} ?/, '')
    else throw new TypeError(`Nobody reads the tag @${kind}.`)
  }
  return doc
}

/** @returns {{ functions: Array<Declaration & { doc: { example: string } }> }} what lib/index.d.ts declares */
function faceOf() {
  // A client's interface and options name these functions, so they are declared beside them.
  const functions = declarationsOf('index.d.ts').filter(({ kind }) => kind === 'function')
  const without = functions.find(({ doc }) => !doc.example)
  if (without) throw new TypeError(`${without.name} has no example.`)
  return { functions: /** @type {any} */ (functions) }
}

module.exports = { declarationsOf, faceOf }
