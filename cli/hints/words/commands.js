'use strict'

/** Commands of other tools. */

const { SCHEMES } = require('../../place-help')

const NO_FILES = `xfer copies between ${SCHEMES}`
const COMPARE =
  'Use xfer verify SRC DEST for two objects, or xfer verify -r SRC DEST for everything below two prefixes.'

/**
 * Commands of other tools. `instead`: xfer's command that takes the same words; `strip`: the command is the next word.
 *
 * @type {Array<{ typed: string[], instead?: string, strip?: boolean, hint?: string }>}
 */
const COMMANDS = [
  { typed: ['copyto', 'copyfile', 'transfer'], instead: 'copy' },
  { typed: ['mirror', 'clone'], instead: 'sync' },
  {
    typed: ['list', 'll', 'dir', 'lsd', 'lsl', 'lsf', 'lsjson', 'tree', 'find'],
    instead: 'ls',
  },
  { typed: ['remove', 'delete', 'del', 'deletefile'], instead: 'rm' },
  { typed: ['purge', 'undo'], hint: 'Use xfer rm -r LOCATION, which deletes everything below a prefix.' },
  { typed: ['move', 'moveto', 'rename', 'ren'], instead: 'mv' },
  { typed: ['mkdir', 'make', 'make-bucket', 'create-bucket'], instead: 'mb' },
  { typed: ['rb', 'rmdir'], hint: 'Use aws s3 rb to remove a bucket, which xfer does not do.' },
  { typed: ['pipe', 'rcat', 'tee'], hint: 'Use xfer copy - DEST, which reads an object from standard input.' },
  { typed: ['put', 'get', 'upload', 'download'], hint: `Use aws s3 cp for files: ${NO_FILES}.` },
  { typed: ['size', 'ncdu', 'df'], instead: 'du' },
  { typed: ['stat', 'info', 'show', 'about', 'head-object'], instead: 'head' },
  {
    typed: ['check', 'cryptcheck', 'checksum', 'diff', 'compare', 'cmp', 'hashsum', 'md5sum', 'sha1sum'],
    hint: COMPARE,
  },
  {
    typed: ['login', 'logout', 'config', 'configure', 'remote', 'alias', 'profile', 'listremotes', 'env'],
    hint: 'Use aws configure: xfer reads the profiles of the AWS CLI, as in s3://PROFILE@bucket/key, and xfer doctor SRC DEST checks them.',
  },
  { typed: ['ping', 'ready', 'test', 'doc'], hint: 'Use xfer doctor SRC DEST, which checks all that a copy needs.' },
  { typed: ['share', 'link', 'sign', 'signurl', 'sign-url'], instead: 'presign' },
  {
    typed: ['bench', 'benchmark', 'speedtest', 'od'],
    hint: 'Use xfer copy --json SRC DEST, whose last line has the rate of the copy.',
  },
  {
    typed: ['run', 'batch'],
    hint: 'Use a shell script, or xfer copy -r --files-from FILE SRC DEST for many names below one prefix.',
  },
  { typed: ['completions', 'complete', 'autocomplete'], instead: 'completion' },
  { typed: ['mount', 'nfsmount', 'cmount'], hint: 'Use rclone mount to see a store as files, which xfer does not do.' },
  { typed: ['serve', 'rcd'], hint: 'Use rclone serve to serve a store, which xfer does not do.' },
  { typed: ['bisync'], hint: 'Use rclone bisync for both ways: xfer sync SRC DEST changes only DEST.' },
  { typed: ['copyurl'], hint: 'Use xfer copy https://host/path DEST.' },
  { typed: ['watch'], hint: 'Repeat xfer sync, for example from cron, or use mc mirror, which can watch.' },
  { typed: ['select', 'sql'], hint: 'Use aws s3api select-object-content to query an object, which xfer does not do.' },
  {
    typed: [
      ...['admin', 'ilm', 'tag', 'retention', 'legalhold', 'replicate', 'anonymous', 'encrypt', 'event', 'quota'],
      ...['bucket-version', 'set-properties', 'settier', 'cors', 'website'],
    ],
    hint: 'Use aws s3api or mc for the settings of buckets and objects, which xfer does not change.',
  },
  { typed: ['status', 'progress', 'ps'], hint: 'Use xfer jobs, which lists unfinished copies.' },
  { typed: ['continue', 'retry', 'restart'], hint: 'Use xfer resume JOB: xfer jobs lists the jobs.' },
  { typed: ['cancel', 'stop', 'kill'], hint: 'Use xfer abort JOB, which removes the parts of an unfinished copy.' },
  { typed: ['cleanup'], hint: 'Use xfer clean DEST, which lists unfinished uploads.' },
  { typed: ['undeploy', 'uninstall'], hint: 'Use xfer deploy --undeploy, which removes the function.' },
  { typed: ['install', 'setup', 'init'], hint: 'Use xfer deploy, which deploys the function that copies.' },
  { typed: ['s3', 's3api', 'xfer'], strip: true, hint: 'Leave it out: the commands are xfer copy and xfer sync.' },
]

/** What people write behind `xfer jobs`. @type {Record<string, string>} */
const OF_JOBS = {
  list: 'Use xfer jobs alone, which lists unfinished copies.',
  ls: 'Use xfer jobs alone, which lists unfinished copies.',
  show: 'Use xfer jobs alone, which says how far each copy is.',
  resume: 'Use xfer resume JOB.',
  remove: 'Use xfer abort JOB, which also removes the parts of the copy.',
  rm: 'Use xfer abort JOB, which also removes the parts of the copy.',
  clean: 'Use xfer abort JOB for each: it also removes the parts of the copy.',
}

module.exports = { COMMANDS, OF_JOBS }
