/** Header names in lower case, long headers unfolded; the text as written. */
export function headersAndText(raw: string): {
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
} {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n')
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const text = rest.join('\n\n')
  return { headers, text: headers['content-transfer-encoding'] === 'quoted-printable' ? unquoted(text) : text }
}

/** RFC 2045, as far as English text needs it. */
const unquoted = (text: string) =>
  text
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
