import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { keepOutput, keptLog, secretsIn } from './all-logs.ts'

/** Whether it is in what is kept in this run. */
const isKept = (text: string) =>
  promisify(execFile)('grep', ['-rqF', text, process.env['TEST_LOGS'] ?? '']).then(
    () => true,
    () => false,
  )

it('keeps what a server logs and what a process prints', async () => {
  const [logged, printed, complained] = [randomUUID(), randomUUID(), randomUUID()]
  keptLog('silent').trace(logged)
  keepOutput(execFile(process.execPath, ['-e', `console.log('${printed}'); console.error('${complained}')`]))
  for (const each of [logged, printed, complained]) await expect.poll(() => isKept(each)).toBe(true)
})

it.each([
  ['a password of the tests', '{"body":{"password":"correct horse"}}'],
  ['a password in an address', '{"err":"connect mongodb://ann:pa%40ss@mongo:27017"}'],
  ['a session cookie', '{"cookie":"socialai=Fe26.2*1*abc"}'],
  ['a signed token', '{"path":"/audit/eyJhbGciOiJFZERTQSJ9~eyJsaW5rIjoiMDE5NWEwMDAifQ~x"}'],
  ['a link that was mailed', `{"text":"https://social.example/reset-password#${'a'.repeat(43)}"}`],
  ['a bearer token', '{"authorization":"Bearer abcdefgh"}'],
  ['a key of Stripe', '{"key":"sk_test_abc"}'],
  ['a key of OpenAI', '{"key":"sk-proj-abcdefgh"}'],
  ['an email address', '{"msg":"ann@example.com could not be reached"}'],
  ['a key of a server', `{"key":"${'0af1'.repeat(16)}"}`],
])('finds %s without printing it [S83]', (what, line) => {
  const found = secretsIn(['{"msg":"fine"}', line], ['0af1'.repeat(16)])
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(new RegExp(`^${what}: `))
  expect(found[0]).toContain('…')
})

it('accepts error messages, correlation ids, paths and hashes', () => {
  const lines = [
    '{"level":50,"time":1,"err":{"message":"facebook takes too long"},"correlationId":"0195a000-0000-7000-8000-00000000dead","path":"/api/posts/1"}',
    `{"hash":"${'ab'.repeat(32)}","stream":"post-1"}`,
  ]
  expect(secretsIn(lines)).toEqual([])
})
