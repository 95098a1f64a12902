'use strict'

/** docs/reference/exit-codes.md: what each exit status means, for each command. */

const { EXIT } = require('../../lib')
const { NOTE } = require('./note')

/** What a status means, in a few words and in a sentence. @type {Array<{ status: number, meaning: string, more: string }>} */
const MEANINGS = [
  { status: EXIT.OK, meaning: 'copied and verified', more: 'Everything that was asked for is done.' },
  { status: EXIT.FAILED, meaning: 'failed', more: 'The message says what was kept and how to resume.' },
  { status: EXIT.USAGE, meaning: 'usage', more: 'An option or an argument is wrong; nothing was done.' },
  { status: EXIT.NOT_FOUND, meaning: 'not found', more: 'The source object, a bucket or a job does not exist.' },
  { status: EXIT.ACCESS, meaning: 'access', more: 'Access is denied, there are no credentials, or no such profile.' },
  {
    status: EXIT.ENGINE,
    meaning: 'engine',
    more: 'The engine cannot be reached, is not deployed, or has another version.',
  },
  {
    status: EXIT.SOURCE_CHANGED,
    meaning: 'the source changed',
    more: 'It changed during the copy; with `xfer verify`, either object did.',
  },
  {
    status: EXIT.EXISTS,
    meaning: 'the destination exists',
    more: '`--no-clobber` was given and it exists, or it is not the object that `--if-match` names.',
  },
  { status: EXIT.INTEGRITY, meaning: 'integrity', more: 'Bytes arrived wrong, or two objects are not equal.' },
  { status: EXIT.TIMED_OUT, meaning: 'out of time', more: '`--timeout` has ended; the copy can be resumed.' },
  {
    status: EXIT.INTERRUPTED,
    meaning: 'interrupted',
    more: 'By Ctrl-C or SIGTERM; the copy can be resumed. SIGHUP does the same, and a shell then says 129.',
  },
]

const BY_COMMAND = `## By command

| command | what is special |
| --- | --- |
| \`xfer copy\`, \`xfer resume\` | all of the above |
| \`xfer copy -r\`, \`xfer sync\` | 1 also if some objects failed (\`OBJECTS_FAILED\`), or if nothing may be deleted; 3 if there is nothing to copy |
| \`xfer verify\` | 0 equal, 8 not equal, 6 if either object changed while it was read |
| \`xfer verify -r\` | 8 if any name is not equal (\`OBJECTS_DIFFER\`), else 1 if some could not be compared (\`OBJECTS_FAILED\`); 3 if there is nothing below both |
| \`xfer doctor\` | 0 if no check failed, else the status of the first failure: 3, 4, 5, or 1 for everything else |
| \`xfer deploy\` | 5 if the platform cannot be reached or refuses |
| \`xfer serve\` | 0 also after SIGTERM and Ctrl-C; 2 also if the port is taken |
| \`xfer abort\` | 1 also if a process is at work on the job; 3 no such job |
| \`xfer clean\` | 3 no such bucket |
| \`xfer jobs\` | 2 also if the folder of the journals cannot be read |
`

/** @returns {string} the page */
function exitCodesPage() {
  const rows = MEANINGS.map(({ status, meaning, more }) => `| ${status} | ${meaning} | ${more} |`)
  return `# Exit status

${NOTE}

| status | meaning | |
| --- | --- | --- |
${rows.join('\n')}

[Errors](errors.md) lists the codes of each status.

${BY_COMMAND}`
}

module.exports = { exitCodesPage, MEANINGS }
