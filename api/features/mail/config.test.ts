import { describe, expect, it } from 'vitest'
import { readConfig } from '../../runtime/config.ts'
import { mailSettings } from './config.ts'

const SMTP_FROM = 'SocialAI <no-reply@social.example>'
const serverOf = (SMTP_URL: string) => mailSettings(readConfig({ SMTP_URL, SMTP_FROM }))?.server

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'if offered', auth: null }],
    [
      'smtp://me:p%40ss%2F@mail.example:2525',
      { host: 'mail.example', port: 2525, tls: 'needed', auth: { user: 'me', pass: 'p@ss/' } },
    ],
    [
      'smtps://me%40x.example:pass@mail.example/',
      { host: 'mail.example', port: 465, tls: 'at once', auth: { user: 'me@x.example', pass: 'pass' } },
    ],
    [
      'smtp://me:pass@localhost:1025',
      { host: 'localhost', port: 1025, tls: 'never', auth: { user: 'me', pass: 'pass' } },
    ],
    ['smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'never', auth: null }],
  ])('%s is accepted', (address, server) => {
    expect(serverOf(address)).toEqual(server)
  })
  it.each([
    'http://hidden.example',
    'hidden.example:25',
    'smtp://',
    'smtp://hidden.example/path',
    'smtp://hidden.example?tls=no',
    'smtp://me@hidden.example',
    'smtp://me:%zz@hidden.example',
    'smtp://hidden.example:99999',
    'smtp://me:hid den@x',
  ])('%s is refused with an explanation that does not repeat it', (SMTP_URL) => {
    const read = () => readConfig({ SMTP_URL, SMTP_FROM })
    expect(read).toThrow(
      /^SocialAI can't start with these settings:\n {2}SMTP_URL: an address like smtp:\/\/user:password@mail\.example:587 .*%25$/,
    )
    expect(read).not.toThrow(/hid/)
  })
})

describe('SMTP_FROM', () => {
  it.each([
    ['no-reply@social.example', { name: '', address: 'no-reply@social.example' }],
    ['<no-reply@social.example>', { name: '', address: 'no-reply@social.example' }],
    ['"North Star, Inc." <no-reply@social.example>', { name: 'North Star, Inc.', address: 'no-reply@social.example' }],
    ['Köln Agentur <no-reply@social.example>', { name: 'Köln Agentur', address: 'no-reply@social.example' }],
  ])('%s is accepted', (text, from) => {
    expect(mailSettings(readConfig({ SMTP_URL: 'smtp://mail.example', SMTP_FROM: text }))?.from).toEqual(from)
  })
  it.each([
    'nobody',
    'a@b',
    'SocialAI no-reply@social.example',
    'X <a@social.example>, Y <b@social.example>',
    'X\r\nBcc: eve@social.example <a@social.example>',
  ])('%j is refused with an explanation', (text) => {
    expect(() => readConfig({ SMTP_URL: 'smtp://mail.example', SMTP_FROM: text })).toThrow(
      /SMTP_FROM: an address, or a name and an address, like SocialAI <no-reply@social\.example>/,
    )
  })
})

describe('SMTP_URL and SMTP_FROM', () => {
  it.each([
    [
      { SMTP_URL: 'smtp://me:hidden@mail.example' },
      'SMTP_FROM: missing, because SMTP_URL is set; sending email needs both, or neither',
    ],
    [{ SMTP_FROM }, 'SMTP_URL: missing, because SMTP_FROM is set; sending email needs both, or neither'],
  ])('need each other: the error names the missing one', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(`SocialAI can't start with these settings:\n  ${sentence}`)
  })
  it('may both be unset', () => {
    expect(mailSettings(readConfig({}))).toBeNull()
  })
})

describe('SESSION_SECRETS_OLD', () => {
  it('has several secrets, each at least as long as the current one must be', () => {
    expect(readConfig({ SESSION_SECRETS_OLD: `${'a'.repeat(32)},${'b'.repeat(40)}` }).SESSION_SECRETS_OLD).toEqual([
      'a'.repeat(32),
      'b'.repeat(40),
    ])
    expect(() => readConfig({ SESSION_SECRETS_OLD: `${'a'.repeat(32)},hidden` })).toThrow(
      /SESSION_SECRETS_OLD: at least 32 characters each, separated by commas$/,
    )
  })
})
