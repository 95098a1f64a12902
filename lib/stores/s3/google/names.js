'use strict'

/** The rules of Google's bucket names. https://cloud.google.com/storage/docs/buckets#naming */

/** @type {import('../../common/names').NameRule[]} */
const NAMES = [
  { breaks: /^.{0,2}$|^.{223}|[^.]{64}/, says: 'is not 3 to 63 characters long, or 222 with dots' },
  { breaks: /[A-Z]/, says: 'has upper case letters' },
  { breaks: /[^A-Za-z0-9._-]/, says: 'has characters other than letters, digits, dots, hyphens and underscores' },
  {
    breaks: /(?:^|\.)(?![A-Za-z0-9])|(?<![A-Za-z0-9])(?:\.|$)/,
    says: 'does not begin and end with a letter or a digit, before and after each dot too',
  },
  { breaks: /^\d+(?:\.\d+){3}$/, says: 'looks like an IP address' },
  { breaks: /^goog|g[o0]{2}g[l1]e/, says: 'begins with goog, or has google or the like', follows: 'which is reserved' },
  { breaks: /\./, says: 'has dots', follows: 'only who has proved to own that domain creates it', allowed: true },
]

module.exports = { NAMES }
