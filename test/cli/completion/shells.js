'use strict'

/** Real shells, in which the completion is installed as its help says, and keys are pressed. */

const { execFileSync, spawnSync } = require('node:child_process')
const { mkdirSync, writeFileSync } = require('node:fs')
const { delimiter, join } = require('node:path')
const { XFER } = require('../../support/run-xfer')

const BOUND_MS = 60_000
const START = '<<'
const END = '>>'

/** In the place of the program, once the completion is there: prints the words that it is given. The signs are octal, because a terminal repeats this line. */
const ECHO = String.raw`xfer() { printf '\074\074'; printf '%s\n' "$@"; printf '\076\076\n'; }`

/**
 * Each shell is given lines, and inserts all that it offers at the end of each. It returns the words of each line then.
 *
 * @type {Record<string, (run: (args: string[], input?: string) => string, lines: string[]) => string[][]>}
 */
const SHELLS = {
  // Esc * is readline's insert-completions.
  bash: (run, lines) =>
    echoed(
      run(
        ['--norc', '--noprofile', '-i'],
        ['eval "$(xfer completion bash)"', ECHO, ...lines.map(line => `${line}\x1b*`), ''].join('\n'),
      ),
    ),

  // https://zsh.sourceforge.io/Doc/Release/Completion-System.html, _all_matches: it needs a terminal, which zpty makes.
  zsh(run, lines) {
    const setUp = [
      'eval "$(xfer completion zsh)"',
      ECHO,
      "zle -C all-matches complete-word _generic; bindkey '^X' all-matches",
      "zstyle ':completion:all-matches::::' completer _all_matches _complete",
      "zstyle ':completion:all-matches:*' insert yes",
    ]
    const play = [
      'zmodload zsh/zpty; zpty shell zsh -f -i',
      ...[...setUp, ...lines.map(line => `${line}\x18`), 'exit'].map(line => `zpty -w shell ${quoted(line)}`),
      'while zpty -r shell answer; do print -rn -- "$answer"; done; zpty -d shell',
    ]
    return echoed(run(['-f', '-c', play.join('\n')]))
  },

  fish: (run, lines) =>
    lines.map(line => {
      const words = line.split(' ')
      const found = run(['-N', '-c', `xfer completion fish | source; complete -C ${quoted(line)}`])
      const offered = found
        .split('\n')
        .filter(Boolean)
        .map(one => one.split('\t')[0])
      return [...words.slice(1, -1), ...offered]
    }),
}

/** @param {string} text @returns {string[][]} the words that were echoed, of each line */
function echoed(text) {
  const runs = text.replaceAll('\r', '').split(START).slice(1)
  return runs.map(run => run.slice(0, run.indexOf(END)).split('\n').slice(0, -1))
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** @param {string} shell */
function isInstalled(shell) {
  return spawnSync(shell, ['--version']).status === 0
}

/**
 * @param {string} shell
 * @param {string[]} lines
 * @param {{ home: string, cwd?: string }} where home: an empty folder
 * @returns {string[][]} the words of each line, with all that the shell offers for the last one in its place
 */
function complete(shell, lines, { home, cwd = home }) {
  const bin = join(home, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'xfer'), `#!/bin/sh\nexec "${process.execPath}" "${XFER}" "$@"\n`, { mode: 0o755 })
  const env = {
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    NODE_DISABLE_COMPILE_CACHE: '1',
    PATH: [bin, process.env.PATH].join(delimiter),
    TERM: 'dumb',
  }
  const run = (/** @type {string[]} */ args, input = '') =>
    execFileSync(shell, args, {
      cwd,
      env,
      input,
      encoding: 'utf8',
      timeout: BOUND_MS,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  return SHELLS[shell](run, lines)
}

module.exports = { complete, isInstalled }
